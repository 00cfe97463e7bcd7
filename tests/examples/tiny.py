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

    from running import Program

    from linnet_core.graph.calls import Parameter, State

EXAMPLES = Path(__file__).parents[2] / "examples"
DTYPES = {"f32": np.dtype(np.float32), "bf16": np.dtype(ml_dtypes.bfloat16), "u8": np.dtype(np.uint8)}

LLAMA_SIZES = {"Vocab": 256, "H": 64, "Heads": 4, "KvHeads": 2, "Inner": 160, "Layers": 2, "Batch": 2, "MaxSeq": 32}
GPT2_SIZES = {"Vocab": 256, "MaxPositions": 32, "H": 64, "Heads": 4, "Layers": 2}


def _generator(name: str) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(zlib.crc32(name.encode())))


def values(leaves: Iterable[Parameter | State]) -> dict[str, np.ndarray]:
    """Normal numbers large enough to matter; the weights of norms stand around one, and variances are positive.

    A product with them keeps the size of what it takes, so that many layers do not lose digits.
    Bytes are any, those that are exponents (`scales`) such that the weights are of the usual size.
    """
    return {leaf.path: _value(leaf).astype(DTYPES[leaf.dtype]) for leaf in leaves}


def _value(leaf: Parameter | State) -> np.ndarray:
    if leaf.dtype == "u8":
        low, high = (120, 124) if leaf.path.endswith("scales") else (0, 256)
        return _generator(leaf.path).integers(low, high, leaf.shape)
    terms = max(25, int(np.prod(leaf.shape[1:]))) if leaf.path.endswith("weight") else 25
    numbers = _generator(leaf.path).standard_normal(leaf.shape) / np.sqrt(terms)
    if leaf.path.endswith("weight") and len(leaf.shape) == 1:
        return numbers + 1.0
    return np.abs(numbers) + 0.5 if leaf.path.endswith("running_var") else numbers


def named(entry: str) -> dict[str, str]:
    """The options that name an entry: `Root.entry`, or `entry` where one block has entries."""
    root, dot, name = entry.rpartition(".")
    return {"root": root, "entry": name} if dot else {"entry": name}


def inputs_of(one: Program, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The inputs in the dtypes the program takes: floats are written as `f32`, and stay so where it takes `f32`."""
    floats = {leaf.name: DTYPES[leaf.dtype] for leaf in one.inputs if inputs[leaf.name].dtype == np.float32}
    return {name: value.astype(floats.get(name, value.dtype)) for name, value in inputs.items()}


def _tokens(*shape: int) -> np.ndarray:
    return _generator("tokens").integers(0, 256, shape).astype(np.int32)


def _normal(name: str, *shape: int) -> np.ndarray:
    return _generator(name).standard_normal(shape).astype(np.float32)


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
BERT_INPUTS = {entry: {"tokens": _tokens(2, 8), "token_types": _tokens(2, 8) % 2} for entry in ("forward", "pool")}
VIT_INPUTS = {entry: {"image": _normal("image", 2, 3, 8, 12)} for entry in ("features", "classify")}
WHISPER_INPUTS = {"encode": {"mel": _normal("mel", 2, 8, 21)}, "decode": {"tokens": _tokens(2, 8), "audio": _normal("audio", 2, 11, 32)}}
RNN_INPUTS = {
    "forward": {"tokens": _tokens(2, 8)},
    "step": {"tokens": _tokens(2)},
    "read": {"tokens": _tokens(2, 8)},
    "generate": {"token": _tokens(2)},
}
RESNET_INPUTS = {
    f"{root}.{entry}": {"image": _normal("image", 2, 3, 33, 41)}
    for root in ("BasicNet", "BottleneckNet")
    for entry in ("features", "forward")
}
UNET_INPUTS = {
    "Small.forward": {
        "latent": _normal("latent", 2, 4, 8, 12),
        "timestep_embedding": _normal("timestep", 2, 32),
        "text_embedding": _normal("text", 2, 5, 48),
        "added_embedding": _normal("added", 2, 40),
    }
}
MOE_INPUTS = {
    "forward": {"tokens": _tokens(2, 8)},
    "next_token": {"tokens": _tokens(2, 8)},
    "states": {"tokens": _tokens(2, 8)},
    "decode": {"token": _tokens(2, 1), "pos": _scalar(9)},
    "prefill": {"tokens": _tokens(2, 8), "pos": _scalar(3)},
    "decode_rows": {"tokens": _tokens(2, 1), "positions": np.array([4, 9], np.int32)},
    "prefill_slots": {"tokens": _tokens(1, 8), "slots": np.array([1], np.int32), "lengths": np.array([6], np.int32)},
}
_TARGETS = {"targets": _tokens(2, 8)[:, ::-1].astype(np.int64)}
TRAIN_INPUTS = {
    "forward": {"tokens": _tokens(2, 8)},
    "loss": {"tokens": _tokens(2, 8), **_TARGETS, "weights": np.abs(_normal("weights", 2, 8))},
    "log_probs": {"tokens": _tokens(2, 8), **_TARGETS},
    "sample": {"tokens": _tokens(2, 12), "key": np.array([7, 2**32 - 3], np.int64), "temperature": np.asarray(0.9, np.float32)},
}

#: Package, entry (as `named` takes it) and inputs of every entry.
ENTRIES = [
    *(("llama", entry, inputs) for entry, inputs in LLAMA_INPUTS.items()),
    *(("gpt2", entry, inputs) for entry, inputs in GPT2_INPUTS.items()),
    *(("bert", entry, inputs) for entry, inputs in BERT_INPUTS.items()),
    *(("vit", entry, inputs) for entry, inputs in VIT_INPUTS.items()),
    *(("whisper", entry, inputs) for entry, inputs in WHISPER_INPUTS.items()),
    *(("rnn", entry, inputs) for entry, inputs in RNN_INPUTS.items()),
    *(("resnet", entry, inputs) for entry, inputs in RESNET_INPUTS.items()),
    *(("unet", entry, inputs) for entry, inputs in UNET_INPUTS.items()),
    *(("moe", entry, inputs) for entry, inputs in MOE_INPUTS.items()),
    *(("train", entry, inputs) for entry, inputs in TRAIN_INPUTS.items()),
]
