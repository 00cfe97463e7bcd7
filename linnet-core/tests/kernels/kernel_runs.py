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
from kernel_programs import PROGRAMS

from linnet_core.check.check import check
from linnet_core.graph.document import decode, encode
from linnet_core.graph.export import ExportRequest, export
from linnet_core.graph.replay import replay
from linnet_core.ir.lower import lower
from linnet_core.modules.load import load
from linnet_core.text.diagnostic import Diagnostics

if sys.argv[1] == "torch":
    from linnet_torch.runner import run
    from linnet_torch.target import TorchTarget as Target

    LAUNCH = ("        return (r0", "        print('ran', file=__import__('sys').stderr)\n        return (r0")
else:
    from linnet_jax.runner import run
    from linnet_jax.target import JaxTarget as Target

    LAUNCH = ("            return kernel(True)", "            print('ran', file=__import__('sys').stderr)\n            return kernel(True)")


def lowered(text: str) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.linnet"
        path.write_text("module program\n" + text, encoding="utf-8")
        diagnostics = Diagnostics()
        package = load(str(path), diagnostics=diagnostics)
        assert package is not None
        program = check(package, diagnostics)
    diagnostics.raise_errors()
    assert program is not None
    return lower(program)


def equal(a: np.ndarray, b: np.ndarray) -> bool:
    """Integers and bools exactly; floats up to rounding, zeros by their signs."""
    if a.dtype.kind != "f":
        return bool(np.array_equal(a, b))
    wide, due = a.astype(np.float64), b.astype(np.float64)
    close = np.allclose(wide, due, rtol=1e-3 if a.dtype == np.float16 else 2e-6, atol=1e-6, equal_nan=True)
    return bool(close) and bool(np.array_equal(np.signbit(a[a == 0]), np.signbit(b[a == 0])))


def compared(text: str, bind: dict[str, Any], arrays: list[np.ndarray]) -> dict[str, Any]:
    module = lowered(text)
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
        "dtypes": [a.dtype == b.dtype and a.shape == b.shape for a, b in zip(found, wanted, strict=True)],
        "refusals": [decision.refusal for decision in recording.kernels],
    }


def main() -> None:
    random = np.random.default_rng(1)
    results = {}
    for name, (text, bind, make) in PROGRAMS.items():
        try:
            results[name] = compared(text, bind, make(random))
        except Exception as failure:  # one that fails is told apart from the others
            results[name] = {"failure": f"{type(failure).__name__}: {failure}"}
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
