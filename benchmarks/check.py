"""How checking, lowering, writing and reading a plan grow with the program: n, 2n and 4n of each kind side by side.

In: `--size N`, kinds of `programs.py`.  Out: a table of processor time in one process, and of what twice the program costs.  A kind that is
linear costs 2 twice; what every program pays (the first functions of the standard library, tables) makes small ones cost less.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import tempfile
import time
from statistics import median
from typing import TYPE_CHECKING, Any

from clock import show, write_json
from programs import SHAPES

from linnet_core.check.check import check
from linnet_core.ir.lowered import lowered
from linnet_core.modules.load import load
from linnet_core.plan.read import read_plan
from linnet_core.plan.write import plan_document
from linnet_core.text.diagnostic import Diagnostics

if TYPE_CHECKING:
    from collections.abc import Callable

PHASES = ("read", "check", "lower", "plan", "read plan")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", default=list(SHAPES), help="kinds of program, all by default")
    parser.add_argument("--size", type=int, default=250, help="n; the largest program is four times that")
    parser.add_argument("--rounds", type=int, default=3, help="samples of each program")
    parser.add_argument("--json", metavar="FILE", help="write the figures here instead of printing them")
    options = parser.parse_args()
    gc.set_threshold(200_000)  # as the command line does
    found: dict[str, Any] = {}
    rows = []
    for kind in options.kinds:
        found[kind] = {n: _median(SHAPES[kind](n), options.rounds) for n in (options.size, 2 * options.size, 4 * options.size)}
        first, second, third = found[kind].values()
        totals = [sum(each.values()) for each in (first, second, third)]
        rows.append((kind, *(third[phase] for phase in PHASES), totals[2], totals[1] / totals[0], totals[2] / totals[1]))
    n = options.size
    show(f"processor time in ms at {4 * n}", ("kind", *PHASES, "all", f"{2 * n} of {n}", f"{4 * n} of {2 * n}"), rows)
    write_json(options.json, found)


def _median(text: str, rounds: int) -> dict[str, float]:
    samples = [_phases(text) for _ in range(rounds)]
    return {phase: median(each[phase] for each in samples) for phase in PHASES}


def _phases(text: str) -> dict[str, float]:
    """Milliseconds of processor time for each phase of one program."""
    taken: dict[str, float] = {}

    def lap(phase: str, work: Callable[[], Any]) -> Any:
        start = time.process_time()
        result = work()
        taken[phase] = (time.process_time() - start) * 1e3
        return result

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "grown.linnet")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        diagnostics = Diagnostics()
        package = lap("read", lambda: load(path, diagnostics=diagnostics))
        program = lap("check", lambda: check(package, diagnostics))
        if program is None:
            raise SystemExit(f"the program does not check: {diagnostics.found[0].message}")
        module = lap("lower", lambda: lowered(program, "exact"))
        document = lap("plan", lambda: plan_document(module, functions=not module.blocks))
        document = json.loads(json.dumps(document))
        lap("read plan", lambda: read_plan(document))
    return taken


if __name__ == "__main__":
    main()
