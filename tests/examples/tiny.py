"""What the entries of the examples are run with at `tiny`: weights, caches and inputs, the same every time.

In: an exported program.  Out: NumPy arrays by path and name.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import ml_dtypes
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linnet_core.graph.calls import Parameter, State

EXAMPLES = Path(__file__).parents[2] / "examples"
DTYPES = {"f32": np.dtype(np.float32), "bf16": np.dtype(ml_dtypes.bfloat16)}

LLAMA_SIZES = {"Vocab": 256, "H": 64, "Heads": 4, "KvHeads": 2, "Inner": 160, "Layers": 2, "Batch": 2, "MaxSeq": 32}
GPT2_SIZES = {"Vocab": 256, "MaxPositions": 32, "H": 64, "Heads": 4, "Layers": 2}


def _generator(name: str) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(zlib.crc32(name.encode())))


def values(leaves: Iterable[Parameter | State]) -> dict[str, np.ndarray]:
    """Normal numbers large enough to matter; the weights of norms stand around one."""
    found = {}
    for leaf in leaves:
        numbers = 0.2 * _generator(leaf.path).standard_normal(leaf.shape)
        if leaf.path.endswith("weight") and len(leaf.shape) == 1:
            numbers += 1.0
        found[leaf.path] = numbers.astype(DTYPES[leaf.dtype])
    return found


def _tokens(*shape: int) -> np.ndarray:
    return _generator("tokens").integers(0, 256, shape).astype(np.int32)


def _scalar(value: int) -> np.ndarray:
    return np.asarray(value, np.int32)


#: Entry -> its inputs.  `generate_until` stops early in one run and meets its limit in another; see test_values.py.
LLAMA_INPUTS = {
    "forward": {"tokens": _tokens(2, 8)},
    "next_token": {"tokens": _tokens(2, 8)},
    "decode": {"token": _tokens(2, 1), "pos": _scalar(5)},
    "prefill": {"tokens": _tokens(2, 8), "pos": _scalar(3)},
    "decode_rows": {"tokens": _tokens(2, 1), "positions": np.array([4, 9], np.int32)},
    "generate": {"token": _tokens(2, 1), "pos": _scalar(5)},
    "generate_until": {"token": _tokens(2, 1), "pos": _scalar(5), "eos": _scalar(-1)},
}
GPT2_INPUTS = {"forward": {"tokens": _tokens(2, 8)}}

#: Package, entry and inputs of every entry.
ENTRIES = [
    *(("llama", entry, inputs) for entry, inputs in LLAMA_INPUTS.items()),
    *(("gpt2", entry, inputs) for entry, inputs in GPT2_INPUTS.items()),
]
