"""What a loaded module costs a call: an entry of `linnet_torch.load` beside `main` called with arguments that are ready.

In: `--rounds`, `--preset`, `--threads`.  Out: a table of medians and ratios of a decode step, and JSON.  The ways are run in turn
within each round.  `own` is the time of the same call when `main` answers at once: all that the module adds.
"""

from __future__ import annotations

import argparse
import os
import sys
from statistics import median
from typing import TYPE_CHECKING, Any

from clock import environment, show, write_json
from run import LLAMA, in_turn

if TYPE_CHECKING:
    from collections.abc import Callable

#: Calls in one sample.
CALLS = 20


def steps(preset: str, *, prepare: bool) -> dict[str, Callable[[], Any]]:
    """A step by way: the entry, `main`, and the entry around a `main` that only answers."""
    import torch

    import linnet_torch

    model = linnet_torch.load(LLAMA, preset=preset, prepare=prepare)
    rows = model.layers[0].attention.keys.shape[0]
    token, at = torch.zeros(rows, 1, dtype=torch.int32), torch.tensor(3, dtype=torch.int32)
    model.decode(token, at)
    (call,) = model._calls.values()
    main = call.generated.main
    ready = [token, at, *call.parameters(), *(table[name] for table, name in call._read), *call._extra]
    answer = main(*ready)
    hollow = linnet_torch.load(LLAMA, preset=preset, prepare=prepare)
    hollow.decode(token, at)
    (empty,) = hollow._calls.values()
    kept = (answer[0], *(table[name] for table, name in empty._written))
    empty._main = lambda *_: kept
    return {"main": lambda: main(*ready), "entry": lambda: model.decode(token, at), "own": lambda: hollow.decode(token, at)}


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """The figures, with and without preparing."""
    import torch

    found: dict[str, Any] = {}
    for name, prepare in (("", False), (", prepared", True)):
        with torch.no_grad():
            wall, _ = in_turn(steps(options.preset, prepare=prepare), CALLS, options.rounds)
        for way, times in wall.items():
            found[f"{way}{name}"] = {"ms": median(times), "ratio": median(times) / median(wall["main"]), "best": min(times)}
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="samples of each way")
    parser.add_argument("--preset", default="tiny", help="a preset of examples/llama")
    parser.add_argument("--threads", type=int, default=2, help="threads of torch")
    parser.add_argument("--json", metavar="FILE", help="write the figures here instead of printing them")
    options = parser.parse_args()
    wanted = environment(options.threads)
    if dict(os.environ) != wanted:
        os.execve(sys.executable, [sys.executable, *sys.argv], wanted)
    import torch

    torch.set_num_threads(options.threads)
    found = measure(options)
    rows = [(name, *figures.values()) for name, figures in found.items()]
    show(f"a decode step of `{options.preset}`, {options.threads} threads", ("way", "ms", "ratio", "best ms"), rows)
    write_json(options.json, {"rounds": options.rounds, "preset": options.preset, "threads": options.threads, "ways": found})


if __name__ == "__main__":
    main()
