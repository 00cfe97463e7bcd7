"""`linnet explain` says of every entry of the examples what `linnet graph` shows: neither knows of a library call the other does not."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from tiny import ENTRIES, EXAMPLES, named

from linnet_core.cli.app import run
from linnet_core.ir.library_calls import WITH_LIBRARY_CALLS, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CASES = [pytest.param(package, entry, id=f"{package}-{entry}") for package, entry, _ in ENTRIES]


def chosen(entry: str) -> list[str]:
    """The options of the command line for an entry."""
    return [part for name, value in named(entry).items() for part in (f"--{name}", value)]


def document(command: str, folder: Path, *options: str) -> Any:
    path = folder / f"{command}.json"
    assert run([command, *options, "-o", str(path)]) == 0
    return json.loads(path.read_text(encoding="utf-8"))


def calls_of(nodes: list[Any], caller: str) -> Iterator[tuple[str, str, tuple[str, ...], str | None]]:
    """Op, caller, the library calls that were refused and the one that was taken, of each call in a graph document."""
    for node in nodes:
        for region in node.get("regions", ()):
            yield from calls_of(region["nodes"], caller)
        if node["op"] != "call":
            continue
        if node["callee"] in WITH_LIBRARY_CALLS:
            native = [inner for inner in node["body"] if inner["op"] == "native_call"]
            refused = tuple(inner["implementation"] for inner in native if inner.get("declined"))
            taken = [inner["implementation"] for inner in native if not inner.get("declined")]
            assert len(taken) <= 1
            yield node["callee"], caller, refused, taken[0] if taken else None
        yield from calls_of(node["body"], node["callee"])


def explained(found: Any) -> Counter[tuple[str, str, tuple[str, ...], str | None]]:
    counts: Counter[tuple[str, str, tuple[str, ...], str | None]] = Counter()
    for call in found["calls"]:
        answers = {answer: [c["implementation"] for c in call["candidates"] if c["answer"] == answer] for answer in ("taken", "refused")}
        assert answers["taken"] == ([] if call["chosen"] is None else [call["chosen"]])
        assert [c["implementation"] for c in call["candidates"]] == [row.implementation for row in rows_of(call["op"])]
        counts[(call["op"], call["caller"], tuple(answers["refused"]), call["chosen"])] += call["count"]
    return counts


@pytest.mark.parametrize("numerics", ["exact", "equivalent", "fast"])
@pytest.mark.parametrize("target", ["numpy", "torch"])
@pytest.mark.parametrize(("package", "entry"), CASES)
def test_explain_and_graph_tell_of_the_same_library_calls(package: str, entry: str, target: str, numerics: str, tmp_path: Path) -> None:
    path = EXAMPLES / package
    options = ["--target", target, "--numerics", numerics, *chosen(entry), "--preset", "tiny", str(path)]
    graph, explain = document("graph", tmp_path, *options), document("explain", tmp_path, "--json", *options)
    assert (explain["target"], explain["numerics"]) == (target, numerics)
    (name,) = explain["entries"]
    shown = Counter(calls_of(graph["nodes"], f"{explain['module']}::{name}"))
    assert shown
    assert explained(explain) == shown


@pytest.mark.parametrize(("package", "entry"), CASES)
def test_without_sizes_every_call_of_an_export_is_listed(package: str, entry: str, tmp_path: Path) -> None:
    options = ["--json", *chosen(entry), str(EXAMPLES / package)]
    listed, decided = document("explain", tmp_path, *options), document("explain", tmp_path, "--preset", "tiny", *options)
    assert listed["generics"] is None
    places = {(call["op"], call["caller"], json.dumps(call["location"])): call for call in listed["calls"]}
    for call in decided["calls"]:
        alike = places[(call["op"], call["caller"], json.dumps(call["location"]))]
        assert alike["depends_on"] == call["depends_on"]
        offered = [c["implementation"] for c in alike["candidates"] if c["answer"] == "open"]
        assert offered == [c["implementation"] for c in call["candidates"] if c["answer"] != "not admitted"]
