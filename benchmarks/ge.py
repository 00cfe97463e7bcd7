"""What reading and writing a readable dump of many nodes costs, beside one compiled regular expression for each of its lines.

In: `--nodes N`, `--rounds N`; or `--proto MB` for a protobuf dump of that size (`ge_proto.py`).  Out: a table of processor time in one
process, and of how many times the expression each step takes.  The names, types, counts and references of all nodes are there after "read";
"attributes" parses every value too, "view" makes every node.
"""

from __future__ import annotations

import argparse
import gc
import json
import re
import time
from statistics import median
from typing import TYPE_CHECKING

from linnet_ge.readable.bodies import Bodies
from linnet_ge.readable.records import Readable
from linnet_ge.readable.scan import scan
from linnet_ge.readable.view import view
from linnet_ge.readable.write import exact

if TYPE_CHECKING:
    from collections.abc import Callable

LINE = re.compile(r"  %(.+?) : \[#users=(\d+)\] = Node\[type=(.+?)\] \((.*)\)")
#: Type, inputs, attributes; `{0}` and `{1}` are earlier nodes, `{n}` is a number that differs in every node.
KINDS = (
    ("Add", "x1=%{0}, x2=%{1}", ""),
    ("Reshape", "x=%{0}, shape=%{1}", "axis: 0, num_axes: -1"),
    ("Cast", "x=%{0}", "dst_type: {n}"),
    ("MatMul", "x1=%{0}, x2=%{1}", "transpose_x1: false, transpose_x2: false"),
    ("Const", "", "value: [-1 {n}]"),
    ("ReduceSum", "x=%{0}, axes=%{1}", "keep_dims: false, noop_with_empty_axes: true"),
    ("Muls", "x=%{0}", "value: {n}.500000"),
    ("Unsqueeze", "x=%{0}", "axes: {{{n}}}"),
)


def dump(nodes: int) -> str:
    """The text of a dump."""
    lines = ['graph("large"):', "  %input_0 : [#users=1] = Node[type=Data] (attrs = {index: 0})"]
    names = ["input_0"]
    for number in range(nodes):
        kind, inputs, attributes = KINDS[number % len(KINDS)]
        words = {"n": number}
        parts = [f"inputs = ({inputs.format(names[-1], names[max(0, len(names) - 7)])})"] if inputs else []
        parts += [f"attrs = {{{attributes.format(**words)}}}"] if attributes else []
        names.append(f"layers_{number // 40}/{kind}_{number}")
        lines.append(f"  %{names[-1]} : [#users=1] = Node[type={kind}] ({', '.join(parts)})")
    return "\n".join([*lines, "", f"  return (%{names[-1]})", ""])


def attributes(text: str) -> Readable:
    """Read, and parse every attribute."""
    read = scan(text, "large.txt")
    bodies = Bodies(read)
    for record in read.graphs[0].node_records:
        bodies.attributes(record)
    return read


def every_node(text: str) -> int:
    """Read, and make every node of the view."""
    return sum(1 for _ in view(scan(text, "large.txt")).graphs[0].nodes)


def expression(text: str) -> None:
    """One match for each line."""
    match = LINE.match
    for line in text.split("\n"):
        match(line)


def protobuf(megabytes: float, path: str | None) -> None:
    """Measure a protobuf dump and print what was found."""
    from ge_proto import measure

    figures = measure(megabytes)
    if path:
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"megabytes": megabytes, "steps": figures}, file, indent=2)
        return
    print(f"a protobuf dump of {megabytes:g} MB")
    for name, found in figures.items():
        print(f"{name:<12} {found['seconds']:8.1f} s  {found['memory']:8.0f} MiB at the highest")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=7, help="samples of each step, taken in turn")
    parser.add_argument("--json", metavar="FILE", help="write the figures here instead of printing them")
    parser.add_argument("--proto", type=float, metavar="MB", help="measure a protobuf dump of that size instead (time and memory)")
    given = parser.parse_args()
    if given.proto is not None:
        protobuf(given.proto, given.json)
        return
    text = dump(given.nodes)
    read = scan(text, "large.txt")
    if exact(read) != text or read.problems:
        raise SystemExit("the dump does not come back")
    steps: dict[str, Callable[[], object]] = {
        "expression": lambda: expression(text),
        "read": lambda: scan(text, "large.txt"),
        "attributes": lambda: attributes(text),
        "view": lambda: every_node(text),
        "write": lambda: exact(read),
    }
    taken: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(given.rounds):
        for name, step in steps.items():
            gc.collect()
            start = time.process_time()
            step()
            taken[name].append(time.process_time() - start)
    figures = {name: 1000 * median(times) for name, times in taken.items()}
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump({"nodes": given.nodes, "bytes": len(text), "milliseconds": figures}, file, indent=2)
        return
    print(f"{given.nodes} nodes, {len(text) / 1e6:.1f} MB")
    for name, value in figures.items():
        print(f"{name:<12} {value:8.0f} ms  {value / figures['expression']:5.2f} of the expression")


if __name__ == "__main__":
    main()
