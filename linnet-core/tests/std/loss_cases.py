"""Calls of std.nn.loss and std.nn.parallel.

In: nothing.  Out: `CASES`.
"""

from __future__ import annotations

import loss_reference as reference
import numpy as np
from op_case import Input, OpCase, floats, given, integers

_FLOATS = ("f32", "bf16", "f16", "f64")
_EDGE = ("f32", "bf16")
_NAN, _INF = np.nan, np.inf
_ODD_ROWS = [[0.0, -_INF, 1.0], [_NAN, 0.0, 1.0], [_INF, 0.0, 1.0], [-_INF, -_INF, -_INF], [1e4, -1e4, 0.0]]


def _of_logits(name: str, result: str, logits: Input, id: str) -> OpCase:
    return OpCase(f"{name} {id}", f"nn.loss::{{{name}}}", f"{name}(x)", result, {"x": logits}, getattr(reference, name), _FLOATS)


def _log_softmax(id: str, x: Input) -> OpCase:
    return _of_logits("log_softmax", f"Tensor[{', '.join(map(str, np.shape(x.values)))}; f32]", x, id)


def _entropy(id: str, x: Input) -> OpCase:
    return _of_logits("entropy", f"Tensor[{np.shape(x.values)[0]}; f32]", x, id)


def _token_log_probs(id: str, logits: Input, targets: list[int]) -> OpCase:
    return OpCase(
        f"token_log_probs {id}",
        "nn.loss::{token_log_probs}",
        "token_log_probs(x, t)",
        f"Tensor[{len(targets)}; f32]",
        {"x": logits, "t": given(np.array(targets, np.int64), "i64")},
        lambda x, t: reference.token_log_probs(x, t),
        _FLOATS,
    )


def _cross_entropy(id: str, logits: Input, targets: list[int], weights: list[float]) -> OpCase:
    return OpCase(
        f"cross_entropy {id}",
        "nn.loss::{cross_entropy}",
        "cross_entropy(x, t, w)",
        "f32",
        {"x": logits, "t": given(np.array(targets, np.int64), "i64"), "w": given(np.array(weights), "f32")},
        lambda x, t, w: reference.cross_entropy(x, t, w),
        _FLOATS,
    )


def _from_hidden(tokens: int, width: int, words: int, shards: int | None, dtypes: tuple[str, ...] = _EDGE) -> list[OpCase]:
    """Both losses of a linear layer; with shards the `split` ones."""
    kind, generics = ("linear", "") if shards is None else ("split", f"<{tokens}, {width}, {words}, {shards}, T>")
    inputs = {
        "h": floats(tokens, width),
        "w": floats(words, width, seed=1),
        "t": integers(tokens, low=0, high=words * (shards or 1), dtype="i64"),
        "s": Input("f32", np.linspace(0.0, 1.0, tokens)),
    }
    id = f"of {tokens} tokens, width {width}, {words} words{f' in {shards} shards' if shards else ''}"
    return [
        OpCase(
            f"{kind}_token_log_probs {id}",
            f"nn.loss::{{{kind}_token_log_probs}}",
            f"{kind}_token_log_probs{generics}(h, w, t)",
            f"Tensor[{tokens}; f32]",
            {name: inputs[name] for name in "hwt"},
            lambda h, w, t: reference.token_log_probs(reference.scores(h, w, shards or 1), t),
            dtypes,
            rounds=True,
        ),
        OpCase(
            f"{kind}_cross_entropy {id}",
            f"nn.loss::{{{kind}_cross_entropy}}",
            f"{kind}_cross_entropy{generics}(h, w, t, s)",
            "f32",
            inputs,
            lambda h, w, t, s: reference.cross_entropy(reference.scores(h, w, shards or 1), t, s),
            dtypes,
            rounds=True,
        ),
    ]


def _identity(name: str, x: Input) -> OpCase:
    shape = ", ".join(map(str, np.shape(x.values)))
    result = f"Tensor[{shape}; T]" if shape else "$T"
    return OpCase(f"{name} of [{shape}]", f"nn.parallel::{{{name}}}", f"{name}(x)", result, {"x": x}, lambda x: x, _FLOATS)


def _all_gather(rows: int, width: int, shards: int) -> OpCase:
    return OpCase(
        f"all_gather of [{rows}, {width}] in {shards} shards",
        "nn.parallel::{all_gather}",
        f"all_gather<{rows}, {width}, {shards}, T>(x)",
        f"Tensor[{rows}, {shards * width}; T]",
        {"x": floats(rows, width)},
        lambda x: np.concatenate([x] * shards, axis=1),
        _FLOATS,
    )


CASES = [
    _log_softmax("of a batch", floats(2, 3, 5, scale=3.0)),
    _log_softmax("of a vector", floats(6)),
    _log_softmax("of odd rows", given(_ODD_ROWS)),
    _log_softmax("of one word", floats(3, 1)),
    _log_softmax("of no words", floats(2, 0)),
    _log_softmax("of no rows", floats(0, 4)),
    _entropy("of rows", floats(4, 7, scale=2.0)),
    _entropy("of equal scores", given(np.full((2, 8), -3.0))),
    _entropy("of odd rows", given(_ODD_ROWS)),
    _entropy("of one word", floats(3, 1)),
    _entropy("of no words", floats(2, 0)),
    _entropy("of no rows", floats(0, 4)),
    _token_log_probs("of three tokens", floats(3, 7, scale=3.0), [0, 6, 3]),
    _token_log_probs("of one token", floats(1, 5), [4]),
    _token_log_probs("of no tokens", floats(0, 5), []),
    _token_log_probs("of one word", floats(3, 1), [0, 0, 0]),
    _token_log_probs("of odd rows", given(_ODD_ROWS), [1, 1, 0, 2, 1]),
    _cross_entropy("of weighted tokens", floats(4, 7, scale=3.0), [0, 6, 3, 3], [0.5, 0.25, 0.0, 2.0]),
    _cross_entropy("of tokens without weight", floats(2, 3), [0, 2], [0.0, 0.0]),
    _cross_entropy("of one token", floats(1, 3), [1], [1.0]),
    _cross_entropy("of no tokens", floats(0, 3), [], []),
    _cross_entropy("of a word of probability 0 without weight", given([[-_INF, 0.0]]), [0], [0.0]),
    *_from_hidden(4, 8, 11, None, _FLOATS),
    *_from_hidden(1, 1, 1, None),
    *_from_hidden(0, 4, 5, None),
    *_from_hidden(4, 8, 5, 1),
    *_from_hidden(4, 8, 5, 3, _FLOATS),
    *_from_hidden(0, 4, 5, 2),
    _identity("all_reduce", given([[1.0, _NAN], [-0.0, _INF]])),
    _identity("all_reduce", given(2.5)),
    _identity("all_reduce", floats(0, 3)),
    _identity("shared", given([[1.0, _NAN], [-0.0, _INF]])),
    _identity("shared", given(2.5)),
    *(_all_gather(*sizes) for sizes in ((3, 4, 1), (3, 4, 3), (1, 1, 2), (0, 4, 2), (3, 0, 2))),
]
