"""Timing that is the same in all benchmarks: samples taken in turn, medians, a table, JSON.

In: commands to run as whole processes.  Out: `Sample`s with wall time, processor time and peak memory.  Everything is measured in turn
(A B C, A B C, ...), so that what else the machine does falls on all alike; quote the ratios, the times belong to the machine.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from statistics import median
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Sample(Struct, frozen=True):
    """One process: wall and processor time in milliseconds, peak resident memory in MiB."""

    wall: float
    cpu: float
    memory: float


def environment(threads: int = 2) -> dict[str, str]:
    """This environment without what steers a BLAS library or forbids compiled modules, with as many threads for every framework."""
    steering = ("OPENBLAS_", "NVPL_", "MKL_", "OMP_", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(steering)}
    counts = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), str(threads))
    return kept | counts | {"JAX_PLATFORMS": "cpu"}


def sample(command: Sequence[str]) -> Sample:
    """Run `command` with its output thrown away; raises SystemExit when it fails, since the time of a failure means nothing."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment())
    assert process.stderr is not None
    complaint = process.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\nended with status {process.returncode}:\n{complaint}")
    return Sample(wall * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3, usage.ru_maxrss / 1024)


def in_turn(commands: Mapping[str, Sequence[str]], rounds: int) -> dict[str, Sample]:
    """The medians of `rounds` samples of each command, after one unmeasured run of each that fills caches."""
    for command in commands.values():
        sample(command)
    taken: dict[str, list[Sample]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            taken[name].append(sample(command))
    return {name: middle(samples) for name, samples in taken.items()}


def middle(samples: Sequence[Sample]) -> Sample:
    """The median of each figure."""
    return Sample(median(s.wall for s in samples), median(s.cpu for s in samples), median(s.memory for s in samples))


def linnet(*arguments: str) -> list[str]:
    """The command line of this environment, as its console script starts it."""
    return [sys.executable, "-c", "import sys; from linnet_core.__main__ import main; sys.exit(main())", *arguments]


def show(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """A Markdown table; floats with three significant digits."""
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(len(row[i]) for row in [list(columns), *cells]) for i in range(len(columns))]
    print(f"\n{title}\n")
    for row in [list(columns), ["-" * width for width in widths], *cells]:
        print("| " + " | ".join(value.ljust(width) for value, width in zip(row, widths, strict=True)) + " |")


def _cell(value: Any) -> str:
    match value:
        case float() if value >= 100:
            return f"{value:.0f}"
        case float() if value >= 10:
            return f"{value:.1f}"
        case float():
            return f"{value:.3g}"
    return str(value)


def write_json(path: str | None, found: Mapping[str, Any]) -> None:
    """The figures as JSON, to the file or after the tables."""
    text = json.dumps(found, indent=1)
    if path is None:
        print(f"\n{text}")
        return
    with open(path, "w", encoding="utf-8") as file:
        file.write(text + "\n")
