"""The printed programs at work: a decode step and a prefill of 128 tokens beside the hand-written eager PyTorch module, and beside
the hand-written function under `jax.jit`.

In: `--rounds`, `--layers`, `--threads`, `--entries`, `--frameworks`.  Out: a table of medians and their ratios to the hand-written module,
the largest difference of the results, and JSON.  All have the same weights, the same caches and two threads, and are run in turn
within each round.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from statistics import median
from typing import TYPE_CHECKING, Any

from clock import environment, linnet, show, write_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import numpy as np

LLAMA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples", "llama")

#: Where the tokens go: the middle of the cache of 4096.
POSITION = 2048
PREFILL = 128
#: Calls in one sample, so that a sample is long enough for the clock and short enough for what else runs.
CALLS = {"decode": 5, "prefill": 2}

#: What the others are compared with.
BASE = "hand-written torch"

Arrays = dict[str, "np.ndarray[Any, Any]"]


def printed(target: str, entry: str, layers: int, *own: str) -> tuple[str, Any]:
    """The source a target prints for an entry with options of its `own`, and the graph document of the same."""
    length = ("--bind", f"S={PREFILL}") if entry == "prefill" else ()
    bound = ("--entry", entry, "--preset", "small", "--bind", f"Layers={layers}", *length, LLAMA)

    def output(*command: str) -> str:
        return subprocess.run(linnet(*command, *bound), check=True, capture_output=True, text=True, env=environment()).stdout

    return output(target, *own), json.loads(output("graph", "--target", target))


def leaves(document: Any) -> Arrays:
    """Random weights and caches by path: standard normal, scaled to keep activations near one; norms near one."""
    import numpy as np

    found: Arrays = {}
    generator = np.random.Generator(np.random.PCG64(0))
    for node in _leaf_nodes(document["nodes"]):
        values = generator.standard_normal(node["shape"], dtype=np.float32)
        if node["path"].endswith("norm.weight"):
            values = 1 + 0.1 * values
        elif node["op"] == "parameter" and len(node["shape"]) == 2 and not node["path"].startswith("embed"):
            values *= np.float32(node["shape"][1] ** -0.5)
        found[node["path"]] = values
    return found


def _leaf_nodes(nodes: list[Any]) -> Iterator[Any]:
    """Parameters and states, those inside calls too: a state stands where it is first read."""
    for node in nodes:
        if node["op"] in ("parameter", "state"):
            yield node
        yield from _leaf_nodes(node.get("body", []))


def tokens(entry: str) -> np.ndarray[Any, Any]:
    """The same tokens for all."""
    import numpy as np

    return np.random.Generator(np.random.PCG64(1)).integers(0, 32000, (1, 1 if entry == "decode" else PREFILL), dtype=np.int32)


def hand_written(layers: int, arrays: Arrays, entry: str) -> Callable[[], np.ndarray[Any, Any]]:
    """A step of the module a person would write."""
    import torch
    from models_torch import Decoder, Sizes

    model = Decoder(Sizes(layers)).eval()
    model.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in arrays.items()})
    given = torch.from_numpy(tokens(entry))
    at = torch.arange(given.shape[1]) + POSITION

    def step() -> np.ndarray[Any, Any]:
        with torch.no_grad():
            return model(given, at).numpy()

    return step


def prepared_torch(layers: int, arrays: Arrays, entry: str) -> Callable[[], np.ndarray[Any, Any]]:
    """As `printed_torch`, with what depends on weights alone computed once too."""
    return printed_torch(layers, arrays, entry, "--prepare")


def printed_torch(layers: int, arrays: Arrays, entry: str, *own: str) -> Callable[[], np.ndarray[Any, Any]]:
    """A step of the printed PyTorch source; what depends on no input is computed once, as the source offers."""
    import torch

    from linnet_core.loading.generated import GeneratedModule

    module = GeneratedModule(printed("torch", entry, layers, *own)[0])
    weights = [torch.from_numpy(arrays[path].copy()) for path in module.parameters]
    states = [torch.from_numpy(arrays[path].copy()) for path in module.states]
    inputs = [torch.from_numpy(tokens(entry)), torch.tensor(POSITION, dtype=torch.int32)]
    weights, extra = module.arguments(weights, torch.device("cpu"))
    kept = [module.states.index(path) for path in module.next_states]

    def step() -> np.ndarray[Any, Any]:
        with torch.no_grad():
            logits, *written = module.main(*inputs, *weights, *states, *extra)
            for index, state in zip(kept, written, strict=True):
                states[index] = state
            return logits.numpy()

    return step


def prepared_numpy(layers: int, arrays: Arrays, entry: str) -> Callable[[], np.ndarray[Any, Any]]:
    """As `printed_numpy`, with what depends on weights alone computed once too."""
    return printed_numpy(layers, arrays, entry, "--prepare")


def printed_numpy(layers: int, arrays: Arrays, entry: str, *own: str) -> Callable[[], np.ndarray[Any, Any]]:
    """A step of the printed NumPy source."""
    import numpy as np

    from linnet_core.loading.generated import GeneratedModule

    module = GeneratedModule(printed("numpy", entry, layers, *own)[0])
    weights, extra = module.arguments([arrays[path] for path in module.parameters])
    states = [arrays[path].copy() for path in module.states]
    kept = [module.states.index(path) for path in module.next_states]

    def step() -> np.ndarray[Any, Any]:
        logits, *written = module.main(tokens(entry), np.int32(POSITION), *weights, *states, *extra)
        for index, state in zip(kept, written, strict=True):
            states[index] = state
        return logits

    return step


def hand_written_jax(layers: int, arrays: Arrays, entry: str) -> Callable[[], np.ndarray[Any, Any]]:
    """A step of the function a person would write and jit."""
    import steps_jax

    return steps_jax.hand_written(layers, arrays, tokens(entry), POSITION)


def printed_jax(layers: int, arrays: Arrays, entry: str, *own: str) -> Callable[[], np.ndarray[Any, Any]]:
    """A step of the printed JAX source under jit."""
    import steps_jax

    return steps_jax.printed(printed("jax", entry, layers, *own)[0], arrays, tokens(entry), POSITION)


def prepared_jax(layers: int, arrays: Arrays, entry: str) -> Callable[[], np.ndarray[Any, Any]]:
    """As `printed_jax`, with what depends on weights alone computed once too."""
    return printed_jax(layers, arrays, entry, "--prepare")


MAKERS = {
    "hand-written torch": hand_written,
    "linnet torch": printed_torch,
    "linnet torch --prepare": prepared_torch,
    "linnet numpy": printed_numpy,
    "linnet numpy --prepare": prepared_numpy,
    "hand-written jax": hand_written_jax,
    "linnet jax": printed_jax,
    "linnet jax --prepare": prepared_jax,
}


def in_turn(steps: Mapping[str, Callable[[], Any]], calls: int, rounds: int) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Milliseconds of one call, wall and processor time, `rounds` samples of each step; each round begins with another one."""
    wall: dict[str, list[float]] = {name: [] for name in steps}
    cpu: dict[str, list[float]] = {name: [] for name in steps}
    order = list(steps)
    for turn in range(rounds):
        for name in order[turn % len(order) :] + order[: turn % len(order)]:
            step = steps[name]
            step()  # the others have just filled the caches of the processor
            start, used = time.perf_counter(), time.process_time()
            for _ in range(calls):
                step()
            wall[name].append((time.perf_counter() - start) / calls * 1e3)
            cpu[name].append((time.process_time() - used) / calls * 1e3)
    return wall, cpu


def measure(entry: str, options: argparse.Namespace) -> dict[str, Any]:
    """The programs of one entry."""
    import numpy as np

    arrays = leaves(printed("torch", entry, options.layers)[1])
    chosen = {name: make for name, make in MAKERS.items() if name.split()[1] in options.frameworks.split(",") or name == BASE}
    steps = {name: make(options.layers, arrays, entry) for name, make in chosen.items()}
    results = {name: step() for name, step in steps.items()}
    wall, cpu = in_turn(steps, CALLS[entry], options.rounds)
    base = BASE
    found = {
        name: {
            "ms": median(wall[name]),
            "ratio": median(wall[name]) / median(wall[base]),
            "ratio of the best": min(wall[name]) / min(wall[base]),
            "cpu ratio": median(cpu[name]) / median(cpu[base]),
            "max |a - b|": float(np.max(np.abs(results[name] - results[base]))),
        }
        for name in steps
    }
    rows = [(name, *figures.values()) for name, figures in found.items()]
    size = float(np.max(np.abs(results[base])))
    length = f" of {PREFILL} tokens" if entry == "prefill" else ""
    show(
        f"{entry}{length}, {options.layers} layers, {options.threads} threads, f32; the largest logit is {size:.3g}",
        ("program", *found[base]),
        rows,
    )
    return found


def main() -> None:
    """Measure and print; frameworks read their environment when they are loaded, so it is set right first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="samples of each program")
    parser.add_argument("--layers", type=int, default=8, help="the number of layers")
    parser.add_argument("--threads", type=int, default=2, help="threads of each framework")
    parser.add_argument("--entries", default="decode,prefill", help="decode, prefill or both, by commas")
    parser.add_argument("--frameworks", default="torch,numpy,jax", help="torch, numpy, jax, by commas; hand-written torch is always there")
    parser.add_argument("--json", metavar="FILE", help="write the figures here instead of printing them")
    options = parser.parse_args()
    wanted = environment(options.threads)
    if dict(os.environ) != wanted:
        os.execve(sys.executable, [sys.executable, *sys.argv], wanted)
    import torch

    torch.set_num_threads(options.threads)
    found = {entry: measure(entry, options) for entry in options.entries.split(",")}
    write_json(options.json, {"rounds": options.rounds, "layers": options.layers, "threads": options.threads, "entries": found})


if __name__ == "__main__":
    main()
