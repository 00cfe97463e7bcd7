"""Runs kernels in Triton's interpreter, beside the bodies of their ops; a process of its own, since Triton looks at the variable once.

In: nothing.  Out: on stdout a JSON object: case -> how its results compare; a line on stderr for each launch.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

os.environ["TRITON_INTERPRET"] = "1"

import numpy as np
from kernel_programs import PROGRAMS

from linnet_core.check.check import check
from linnet_core.graph.document import decode, encode
from linnet_core.graph.export import ExportRequest, export
from linnet_core.graph.replay import replay
from linnet_core.ir.lower import lower
from linnet_core.modules.load import load
from linnet_core.text.diagnostic import Diagnostics
from linnet_torch.runner import run
from linnet_torch.target import TorchTarget


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


def compared(text: str, bind: dict[str, Any], arrays: list[np.ndarray]) -> dict[str, Any]:
    module = lowered(text)
    target = TorchTarget("equivalent")
    recording = export(module, ExportRequest(bindings=bind), target)
    source = target.source()
    again = TorchTarget("equivalent")
    replay(decode(encode(recording.graph)), again)
    plain = TorchTarget("equivalent")
    export(module, ExportRequest(bindings=bind, library=False), plain)
    counted = source.replace("        return (r0", "        print('ran', file=__import__('sys').stderr)\n        return (r0")
    found, wanted = run(counted, arrays, [], []), run(plain.source(), arrays, [], [])
    pairs = [(np.asarray(a, np.float64), np.asarray(b, np.float64)) for a, b in zip(found, wanted, strict=True)]
    same = all(np.allclose(a, b, rtol=1e-3 if found[0].dtype == np.float16 else 2e-6, atol=1e-6, equal_nan=True) for a, b in pairs)
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
        results[name] = compared(text, bind, make(random))
    json.dump(results, sys.stdout)


main()
