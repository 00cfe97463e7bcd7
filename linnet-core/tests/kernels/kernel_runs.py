"""Runs kernels in the interpreter of the target's language, beside the bodies of their ops.

In: the target's name, in a process of its own, since Triton is interpreted or not once and for all.  Out: on stdout a JSON object:
case -> how its results compare; a line on stderr for each launch.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

os.environ["TRITON_INTERPRET"] = os.environ["LINNET_PALLAS_INTERPRET"] = "1"

import numpy as np
from kernel_programs import GRADIENTS, LOSS, PROGRAMS, program

sys.path.append(str(Path(__file__).parents[1] / "ir"))
from kernel_interpreter import whole

from linnet_core.graph.document import decode, encode
from linnet_core.graph.export import ExportRequest, export
from linnet_core.graph.replay import replay
from linnet_core.graph.slice_request import request_from
from linnet_core.graph.slices import sources
from linnet_core.graph.step_numbers import flat_nodes

if sys.argv[1] == "torch":
    from linnet_torch.runner import run
    from linnet_torch.target import TorchTarget as Target

    LAUNCH = ("        return (r0", "        print('ran', file=__import__('sys').stderr)\n        return (r0")
else:
    from linnet_jax.runner import run
    from linnet_jax.target import JaxTarget as Target

    LAUNCH = ("            return kernel(True)", "            print('ran', file=__import__('sys').stderr)\n            return kernel(True)")


def equal(a: np.ndarray, b: np.ndarray) -> bool:
    """Integers and bools exactly; floats up to rounding, zeros by their signs."""
    if a.dtype.kind != "f":
        return bool(np.array_equal(a, b))
    wide, due = a.astype(np.float64), b.astype(np.float64)
    close = np.allclose(wide, due, rtol=1e-3 if a.dtype == np.float16 else 2e-6, atol=1e-6, equal_nan=True)
    return bool(close) and bool(np.array_equal(np.signbit(a[a == 0]), np.signbit(b[a == 0])))


def compared(text: str, bind: dict[str, Any], arrays: list[np.ndarray]) -> dict[str, Any]:
    module = program(text)
    target = Target("equivalent")
    recording = export(module, ExportRequest(bindings=bind), target)
    source = target.source()
    again = Target("equivalent")
    replay(decode(encode(recording.graph)), again)
    plain = Target("equivalent")
    export(module, ExportRequest(bindings=bind, library=False), plain)
    found, wanted = run(source.replace(*LAUNCH), arrays, [], []), run(plain.source(), arrays, [], [])
    same = all(equal(a, b) for a, b in zip(found, wanted, strict=True))
    return {
        "replays": again.source() == source,
        "same": bool(same),
        "said": all(equal(a, b) for a, b in zip(found, whole(module, "program::run", bind, arrays), strict=True)),
        "dtypes": [a.dtype == b.dtype and a.shape == b.shape for a, b in zip(found, wanted, strict=True)],
        "refusals": [decision.refusal for decision in recording.kernels],
    }


def gradients() -> dict[str, Any]:
    """Of the sum of the results by both inputs, through the printed source; and the steps of the graph run range by range."""
    module = program(GRADIENTS)
    target = Target("equivalent")
    recording = export(module, ExportRequest(), target)
    values = [np.linspace(-2, 2, 8, dtype=np.float32), np.linspace(1, 3, 8, dtype=np.float32)]
    found = differentiated(target.source(), values)
    (result,) = run(target.source(), values, [], [])
    option = Target("equivalent")
    refused = export(program(LOSS), ExportRequest(gradient=True), option).kernels
    return {
        "by_option": [array.tolist() for array in run(option.source(), values, [], [])[1:]],
        "refused_by_option": [decision.refusal for decision in refused],
        "gradients": [array.tolist() for array in found],
        "due": [(4 * values[0]).tolist(), (3 + values[1] * values[1]).tolist()],
        "launches": target.source().count("_launch0("),
        "sliced": bool(np.array_equal(result, sliced(recording.graph, values))),
    }


def differentiated(source: str, values: list[np.ndarray]) -> list[np.ndarray]:
    folder = tempfile.mkdtemp()
    path = Path(folder) / f"printed_{sys.argv[1]}.py"  # a file, since Triton reads the text
    path.write_text(source, encoding="utf-8")
    sys.path.append(folder)
    main = __import__(path.stem).main
    if sys.argv[1] == "torch":
        import torch

        given = [torch.from_numpy(array).requires_grad_() for array in values]
        sum(result.sum() for result in main(*given, *made(path))).backward()
        return [tensor.grad.numpy() for tensor in given if tensor.grad is not None]
    import jax

    grad = jax.grad(lambda *given: sum(result.sum() for result in main(*given, *made(path))), argnums=(0, 1))
    return [np.asarray(array) for array in grad(*values)]


def made(path: Path) -> tuple[Any, ...]:
    module: Any = sys.modules[path.stem]
    if sys.argv[1] != "torch":
        return module.constants()
    import torch

    return module.constants(torch.device("cpu"))


def sliced(graph: Any, values: list[np.ndarray]) -> np.ndarray:
    """The result of the two ranges before and after the last launch."""
    document = json.loads(encode(graph))
    nodes = flat_nodes(graph.nodes)
    finish = nodes[-1]
    at = max(at for at, node in enumerate(nodes) if node.call.op == "launch_kernel")
    inputs = [id for node in nodes for id in node.results if node.call.op == "input"]
    held = next(id for node in reversed(nodes[:at]) for id in node.results)
    result = [operand if isinstance(operand, int) else operand["value"] for operand in document["nodes"][-1]["operands"]]
    request = [
        {"name": "first", "start": 0, "stop": at, "inputs": inputs[:1], "outputs": [held], "states": []},
        {"name": "second", "start": at, "stop": nodes.index(finish), "inputs": [held, inputs[1]], "outputs": result, "states": []},
    ]
    first, second = sources(graph, request_from(request), lambda: Target("equivalent"))
    (middle,) = run(first, values[:1], [], [])
    return run(second, [middle, values[1]], [], [])[0]


def main() -> None:
    random = np.random.default_rng(1)
    results = {}
    for name, (text, bind, make) in PROGRAMS.items():
        try:
            results[name] = compared(text, bind, make(random))
        except Exception as failure:  # one that fails is told apart from the others
            results[name] = {"failure": f"{type(failure).__name__}: {failure}"}
    results["gradients"] = gradients()
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
