"""Attention in every form: masks, groups, one query, rows that may attend to nothing, values that are hidden.

In: nothing.  Out: their cases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from linnet_core.conformance.programs.case import ROUNDING, TOLERANCES, ProgramCase, floats

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linnet_core.conformance.programs.case import Arrays

_IMPLEMENTATION = "torch.nn.functional.scaled_dot_product_attention"
_WIDTH = 8


class Form(Struct, frozen=True, kw_only=True):
    """A call of attention: queries [batch, heads, queries, 8], keys and values [batch, shared, keys, 8].

    `rows` says that the mask is one for each row of the batch, `factor` that the scale is known when the entry runs.
    """

    name: str
    mask: Literal["none", "causal", "given"] = "none"
    rows: bool = False
    factor: bool = False
    grouped: bool = False
    batch: int = 2
    heads: int = 4
    shared: int = 4
    queries: int = 3
    keys: int = 5

    def text(self, dtype: str) -> str:
        """The program."""
        op = f"{'grouped_' if self.grouped else ''}attention{'_rows' if self.rows else ''}"
        mask = {"none": "", "causal": f"causal_mask<{self.queries}, {self.keys}>()", "given": "mask"}[self.mask]
        option = "" if not mask else f", {mask}" if self.rows else f", some({mask})"
        kept = f"Tensor[{self.batch}, {self.shared}, {self.keys}, {_WIDTH}; {dtype}]"
        asked = f"Tensor[{self.batch}, {self.heads}, {self.queries}, {_WIDTH}; {dtype}]"
        hidden = f", mask: Tensor[{', '.join(map(str, self.mask_shape()))}; bool]" if self.mask == "given" else ""
        return (
            f"use std.nn.attention::{{{op}, causal_mask}}\n\n"
            f"pub entry run(q: {asked}, k: {kept}, v: {kept}{hidden}{', factor: f32' if self.factor else ''}) -> {asked} {{\n"
            f"    return {op}(q, k, v, {'factor' if self.factor else '0.5'}{option})\n}}\n"
        )

    def mask_shape(self) -> tuple[int, ...]:
        """Of a mask that is given."""
        return (*((self.batch,) if self.rows else ()), self.queries, self.keys)

    def arrays(self, dtype: str, seed: int = 0, mask: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """Queries, keys and values about zero; a mask mostly true, whose last row hides everything unless it is the only one."""
        kept = (self.batch, self.shared, self.keys, _WIDTH)
        found = {
            "q": floats((self.batch, self.heads, self.queries, _WIDTH), dtype, 3 * seed),
            "k": floats(kept, dtype, 3 * seed + 1),
            "v": floats(kept, dtype, 3 * seed + 2),
        }
        if self.mask == "given":
            shown = np.random.Generator(np.random.PCG64(seed)).random(self.mask_shape()) < 0.7
            shown[..., -1, :] = self.queries == 1
            found["mask"] = shown if mask is None else mask
        return found | ({"factor": np.asarray(0.37, np.float32)} if self.factor else {})


FORMS = (
    Form(name="no mask"),
    Form(name="causal, square", mask="causal", keys=3),
    Form(name="causal, more keys than queries", mask="causal"),
    Form(name="causal, the first queries see nothing", mask="causal", queries=5, keys=3),
    Form(name="a mask", mask="given"),
    Form(name="one query", mask="given", queries=1),
    Form(name="one query, no mask", queries=1),
    Form(name="one query, one key", mask="causal", queries=1, keys=1),
    Form(name="a mask for each row", mask="given", rows=True),
    Form(name="one query, a mask for each row", mask="given", rows=True, queries=1),
    Form(name="grouped, no mask", grouped=True, shared=2),
    Form(name="grouped, causal", mask="causal", grouped=True, shared=2, keys=3),
    Form(name="grouped, a mask", mask="given", grouped=True, shared=2),
    Form(name="one key head", mask="given", grouped=True, shared=1),
    Form(name="groups of one", mask="given", grouped=True),
    Form(name="grouped, one query", mask="given", grouped=True, shared=2, queries=1),
    Form(name="grouped, a mask for each row", mask="given", rows=True, grouped=True, shared=2),
    Form(name="grouped, one query, a mask for each row", mask="given", rows=True, grouped=True, shared=2, queries=1),
    Form(name="a scale of run time", mask="given", factor=True),
    Form(name="one query, a scale of run time", mask="given", factor=True, grouped=True, shared=2, queries=1),
    Form(name="no mask, a scale of run time", factor=True),
    Form(name="no row", batch=0),
)
#: Forms without a position to attend to, whose body it is everywhere.
NOTHING = (Form(name="no key", keys=0), Form(name="no query", queries=0))
_HIDING = ("a mask", "a mask for each row", "grouped, a mask", "grouped, a mask for each row", "one query", "grouped, one query")


def form(name: str) -> Form:
    """The form of that name."""
    return next(each for each in FORMS if each.name == name)


def cases() -> Iterator[ProgramCase]:
    """All of them."""
    for each in FORMS:
        for dtype, policy in ROUNDING:
            arrays = tuple([each.arrays(dtype, seed) for seed in range(2)])
            yield _case(f"{each.name}, {dtype}, {policy}", each, arrays, dtype, policy, _IMPLEMENTATION)
    for each in NOTHING:
        yield _case(each.name, each, (each.arrays("f32"),), "f32", "equivalent", None)
    for name in _HIDING:
        for policy in ("equivalent", "fast"):
            yield _mean(form(name), policy)
    for name in ("a mask", "one query"):
        arrays = _last_hidden(form(name), "v", np.nan)
        yield _case(f"{name}: a NaN among hidden values reaches the result", form(name), (arrays,), "f32", "equivalent", None)
    for name in ("one query", "grouped, one query"):
        for special in (np.nan, np.inf):
            arrays = _last_hidden(form(name), "k", special)
            yield _case(f"{name}: {special} in a hidden key does not", form(name), (arrays,), "f32", "equivalent", None)


def _case(name: str, each: Form, arrays: tuple[Arrays, ...], dtype: str, policy: str, takes: str | None) -> ProgramCase:
    return ProgramCase(name=name, text=each.text(dtype), arrays=arrays, policy=policy, takes=takes, tolerance=TOLERANCES[dtype])


def _mean(each: Form, policy: str) -> ProgramCase:
    """A row that may attend to nothing is the mean of the values, whatever its scores."""
    alone = replace(each, name=f"{each.name}: nothing to attend to, {policy}", batch=1)
    arrays = alone.arrays("f32", 8, np.zeros(alone.mask_shape(), np.bool_))
    return _case(alone.name, alone, (arrays,), "f32", policy, None)


def _last_hidden(each: Form, name: str, value: float) -> dict[str, np.ndarray]:
    """The last key is hidden from every query, and `value` stands there in `name`."""
    mask = np.ones(each.mask_shape(), np.bool_)
    mask[:, -1] = False
    found = each.arrays("f32", mask=mask)
    found[name][:, :, -1] = value
    return found
