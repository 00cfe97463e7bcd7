"""What every command pays before it does anything: `--help`, `check`, `plan`, beside an empty interpreter and `import typer`.

In: `--rounds N`.  Out: a table of ratios, and JSON.  Whole processes, run in turn, medians.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile

from clock import in_turn, linnet, show, write_json
from msgspec import to_builtins

#: A small model as somebody's first file would be: one block, two modules of the standard library.
SMALL = """module small

use std.nn.activations::{gelu}
use std.nn.linear::{Linear}

/// Two layers and what is between them.
pub block Mlp<In: Dim, Inner: Dim, Out: Dim> {
    sub up: Linear<In, Inner, f32>
    sub down: Linear<Inner, Out, f32>

    pub entry forward<B: Dim>(x: Tensor[B, In; f32]) -> Tensor[B, Out; f32] {
        return down.forward(gelu(up.forward(x)))
    }
}
"""

LLAMA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples", "llama")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=11, help="samples of each command")
    parser.add_argument("--json", metavar="FILE", help="write the figures here instead of printing them")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        small = os.path.join(folder, "small.linnet")
        with open(small, "w", encoding="utf-8") as file:
            file.write(SMALL)
        found = in_turn(
            {
                "python -c pass": [sys.executable, "-c", "pass"],
                "import typer": [sys.executable, "-c", "import typer"],
                "linnet --help": linnet("--help"),
                "linnet check, small model": linnet("check", small),
                "linnet plan, small model": linnet("plan", small),
                "linnet check examples/llama": linnet("check", LLAMA),
                "linnet plan examples/llama": linnet("plan", LLAMA),
            },
            options.rounds,
        )
    base = found["import typer"]
    rows = [(name, s.wall, s.cpu, s.wall / base.wall, s.cpu / base.cpu, s.memory) for name, s in found.items()]
    show("start-up, whole processes", ("process", "ms", "cpu ms", "of import typer", "of its cpu", "MiB"), rows)
    write_json(options.json, {"rounds": options.rounds, "processes": to_builtins(found)})


if __name__ == "__main__":
    main()
