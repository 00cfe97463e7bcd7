"""From a model's source to a graph: `linnet graph` beside what jax and torch offer for the same decode step.

In: `--rounds`, `--layers 2,8,32`, `--ways`.  Out: a table of whole processes, run in turn, medians; and JSON.  `capture.py --capture WAY
--layers N` is one of the processes: it imports the framework, builds the model with unfilled weights and captures it once.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from clock import Sample

LLAMA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples", "llama")


def _torch_model(layers: int) -> tuple[Any, tuple[Any, Any]]:
    import torch
    from models_torch import Decoder, Sizes

    return Decoder(Sizes(layers)).eval(), (torch.zeros(1, 1, dtype=torch.int64), torch.zeros(1, dtype=torch.int64))


def torch_fx(layers: int) -> str:
    """Symbolic tracing and the printed graph."""
    import torch.fx

    model, _ = _torch_model(layers)
    return str(torch.fx.symbolic_trace(model).graph)


def torch_export(layers: int) -> str:
    """The exported program and its printed graph."""
    import torch

    model, inputs = _torch_model(layers)
    with torch.no_grad():
        return str(torch.export.export(model, inputs).graph)


def jax_jaxpr(layers: int) -> str:
    """Tracing alone: the text of a jaxpr is not asked for, since printing it takes longer than making it."""
    import jax
    from models_jax import Sizes, arguments, decoder

    sizes = Sizes(layers)
    return f"{len(jax.make_jaxpr(decoder(sizes))(*arguments(sizes)).jaxpr.eqns)} equations"


def jax_lower(layers: int) -> str:
    """Tracing and lowering, and the StableHLO text."""
    import jax
    from models_jax import Sizes, arguments, decoder

    sizes = Sizes(layers)
    return jax.jit(decoder(sizes)).lower(*arguments(sizes)).as_text()


#: Way -> the framework it needs and how it captures.
WAYS: dict[str, tuple[str, Callable[[int], str]]] = {
    "jax.make_jaxpr": ("jax", jax_jaxpr),
    "jax.jit.lower": ("jax", jax_lower),
    "torch.fx": ("torch", torch_fx),
    "torch.export": ("torch", torch_export),
}


def measure(options: argparse.Namespace) -> None:
    """Run everything in turn and print it."""
    from clock import in_turn, linnet, show, write_json
    from msgspec import to_builtins

    layers = [int(n) for n in options.layers.split(",")]
    ways = [way for way in options.ways.split(",") if importlib.util.find_spec(WAYS[way][0]) is not None]
    missing = set(options.ways.split(",")) - set(ways)
    if missing:
        print(f"not installed, left out: {', '.join(sorted(missing))}", file=sys.stderr)
    commands: dict[str, list[str]] = {}
    for n in layers:
        bound = ("--entry", "decode", "--preset", "small", "--bind", f"Layers={n}", LLAMA)
        commands[f"linnet graph {n}"] = linnet("graph", *bound)
        commands[f"linnet torch {n}"] = linnet("torch", *bound)
        commands.update({f"{way} {n}": [sys.executable, __file__, "--capture", way, "--layers", str(n)] for way in ways})
    found = in_turn(commands, options.rounds)
    names = ["linnet graph", "linnet torch", *ways]
    base = "jax.jit.lower" if "jax.jit.lower" in ways else "linnet graph"
    for n in layers:
        floor = found[f"{base} {n}"].wall
        rows = [(name, s.wall, s.cpu, s.wall / floor, s.memory) for name in names if (s := found[f"{name} {n}"])]
        show(f"capture of a decode step, {n} layers, whole processes", ("way", "ms", "cpu ms", f"of {base}", "MiB"), rows)
    if len(layers) > 1:
        rows = [(name, *_slopes(name, layers, found)) for name in names]
        show("cpu ms for one more layer", ("way", *(f"{a} to {b}" for a, b in pairwise(layers))), rows)
    write_json(options.json, {"rounds": options.rounds, "layers": layers, "processes": to_builtins(found)})


def _slopes(name: str, layers: list[int], found: dict[str, Sample]) -> list[float]:
    """Processor time for one more layer between neighbouring sizes: equal where the cost is linear."""
    pairs = pairwise(layers)
    return [(found[f"{name} {b}"].cpu - found[f"{name} {a}"].cpu) / (b - a) for a, b in pairs]


def main() -> None:
    """Measure all, or be one of the measured processes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="samples of each process")
    parser.add_argument("--layers", default="2,8,32", help="numbers of layers, by commas")
    parser.add_argument("--ways", default=",".join(WAYS), help="what to compare with, by commas")
    parser.add_argument("--json", metavar="FILE", help="write the figures here instead of printing them")
    parser.add_argument("--capture", metavar="WAY", choices=WAYS, help="capture once this way and end")
    options = parser.parse_args()
    if unknown := [way for way in options.ways.split(",") if way not in WAYS]:
        parser.error(f"no way `{unknown[0]}`; there are: {', '.join(WAYS)}")
    if options.capture is None:
        measure(options)
        return
    print(WAYS[options.capture][1](int(options.layers)))


if __name__ == "__main__":
    main()
