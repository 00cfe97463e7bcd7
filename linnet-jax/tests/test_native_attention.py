"""Attention by library calls: every form agrees with the op's body, a row that may attend to nothing is the mean of the values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from jax_programs import printed
from made_by_hand import NUMPY_DTYPES

from linnet_core.conformance.compare import difference
from linnet_core.conformance.programs import Printed

TOLERANCES = {"f32": 1e-5, "f64": 1e-5, "bf16": 2e-2, "f16": 2e-2}
#: Policies that take the library call.
TAKING = ("equivalent", "fast")


def _program(
    op: str, mask: str, *, scale: str = "0.5", batch: int = 2, heads: int = 4, shared: int = 4, queries: int = 3, keys: int = 5
) -> str:
    """An entry that calls `op`; `mask` is the parameter's type, `causal` or empty."""
    given = f", mask: {mask}" if mask.startswith("Tensor") else ""
    options = mask and ", causal_mask<{queries}, {keys}>()" if mask == "causal" else ", mask" if given else ""
    if not op.endswith("_rows") and mask:
        options = f", some({options[2:]})"
    options = options.format(queries=queries, keys=keys) if options else ""
    factor = ", factor: f32" if scale == "factor" else ""
    return (
        f"use std.nn.attention::{{{op}, causal_mask}}\n\n"
        f"pub entry run<T: Float>(q: Tensor[{batch}, {heads}, {queries}, 8; T], k: Tensor[{batch}, {shared}, {keys}, 8; T], "
        f"v: Tensor[{batch}, {shared}, {keys}, 8; T]{given}{factor}) -> Tensor[{batch}, {heads}, {queries}, 8; T] {{\n"
        f"    return {op}(q, k, v, {scale}{options})\n}}\n"
    )


FORMS = [
    pytest.param(_program("attention", ""), id="no mask"),
    pytest.param(_program("attention", "causal", keys=3), id="causal, square"),
    pytest.param(_program("attention", "causal"), id="causal, more keys than queries"),
    pytest.param(_program("attention", "causal", queries=5, keys=3), id="causal, the first queries see nothing"),
    pytest.param(_program("attention", "Tensor[3, 5; bool]"), id="a mask"),
    pytest.param(_program("attention", "Tensor[1, 5; bool]", queries=1), id="one query"),
    pytest.param(_program("attention", "", queries=1), id="one query, no mask"),
    pytest.param(_program("attention", "causal", queries=1, keys=1), id="one query, one key"),
    pytest.param(_program("attention_rows", "Tensor[2, 3, 5; bool]"), id="a mask for each row"),
    pytest.param(_program("attention_rows", "Tensor[2, 1, 5; bool]", queries=1), id="one query, a mask for each row"),
    pytest.param(_program("grouped_attention", "", shared=2), id="grouped, no mask"),
    pytest.param(_program("grouped_attention", "causal", shared=2, keys=3), id="grouped, causal"),
    pytest.param(_program("grouped_attention", "Tensor[3, 5; bool]", shared=2), id="grouped, a mask"),
    pytest.param(_program("grouped_attention", "Tensor[3, 5; bool]", shared=1), id="one key head"),
    pytest.param(_program("grouped_attention", "Tensor[3, 5; bool]"), id="groups of one"),
    pytest.param(_program("grouped_attention", "Tensor[1, 5; bool]", shared=2, queries=1), id="grouped, one query"),
    pytest.param(_program("grouped_attention_rows", "Tensor[2, 3, 5; bool]", shared=2), id="grouped, a mask for each row"),
    pytest.param(
        _program("grouped_attention_rows", "Tensor[2, 1, 5; bool]", shared=2, queries=1), id="grouped, one query, a mask for each row"
    ),
    pytest.param(_program("attention", "Tensor[3, 5; bool]", scale="factor"), id="a scale known at run time"),
    pytest.param(
        _program("grouped_attention", "Tensor[1, 5; bool]", scale="factor", shared=2, queries=1),
        id="one query, its scale known at run time",
    ),
    pytest.param(_program("attention", "", scale="factor"), id="no mask, a scale known at run time"),
    pytest.param(_program("attention", "", batch=0), id="no row"),
]


def _arrays(one: Printed, text: str, dtype: str, seed: int = 0) -> dict[str, np.ndarray]:
    """Random queries, keys and values; masks mostly true, with one row of nothing."""
    import re

    generator = np.random.Generator(np.random.PCG64(seed))
    found: dict[str, np.ndarray] = {}
    for name in one.inputs:
        if name == "factor":
            found[name] = np.asarray(0.37, np.float32)
            continue
        sizes = re.search(rf"\b{name}: Tensor\[([0-9, ]*);", text)
        assert sizes is not None
        shape = tuple(int(size) for size in sizes[1].split(","))
        if name == "mask":
            found[name] = generator.random(shape) < 0.7
            found[name][..., -1, :] = shape[-2] == 1  # a row of nothing, unless it is the only one
        else:
            found[name] = generator.standard_normal(shape).astype(NUMPY_DTYPES[dtype])
    return found


@pytest.mark.parametrize("numerics", TAKING)
@pytest.mark.parametrize("dtype", ["f32", "f64", "bf16", "f16"])
@pytest.mark.parametrize("text", FORMS)
def test_a_form_agrees_with_the_body(text: str, dtype: str, numerics: str) -> None:
    library = printed(text, numerics=numerics, bind={"T": dtype})
    body = printed(text, numerics=numerics, library=False, bind={"T": dtype})
    assert any(name.startswith("torch.nn.functional.scaled_dot_product_attention") for name in library.taken)
    assert library.declined == ()
    for seed in range(2):
        arrays = _arrays(library, text, dtype, seed)
        (given,), _ = library.run(arrays)
        (wanted,), _ = body.run(arrays)
        assert difference(given, wanted, TOLERANCES[dtype]) is None


@pytest.mark.parametrize("text", FORMS[:8])
def test_exact_is_the_body_bit_for_bit(text: str) -> None:
    library = printed(text, numerics="exact", bind={"T": "f32"})
    assert not any(name.startswith("torch.nn") for name in library.taken)
    arrays = _arrays(library, text, "f32")
    (given,), _ = library.run(arrays)
    (wanted,), _ = printed(text, numerics="exact", library=False, bind={"T": "f32"}).run(arrays)
    assert difference(given, wanted) is None


@pytest.mark.parametrize("numerics", ["exact", "equivalent", "fast"])
@pytest.mark.parametrize(
    ("op", "rows", "shared", "queries"),
    [
        pytest.param("attention", False, 2, 2, id="attention"),
        pytest.param("attention_rows", True, 2, 2, id="rows"),
        pytest.param("grouped_attention", False, 1, 2, id="grouped"),
        pytest.param("grouped_attention_rows", True, 1, 2, id="grouped rows"),
        pytest.param("attention", False, 2, 1, id="one query"),
        pytest.param("grouped_attention_rows", True, 1, 1, id="one query, grouped rows"),
    ],
)
def test_a_row_that_may_attend_to_nothing_is_the_mean(op: str, rows: bool, shared: int, queries: int, numerics: str) -> None:
    mask = np.zeros((*((1,) if rows else ()), queries, 3), np.bool_)
    kind = f"Tensor[{', '.join(map(str, mask.shape))}; bool]"
    text = _program(op, kind, batch=1, heads=2, shared=shared, queries=queries, keys=3)
    one = printed(text, numerics=numerics, bind={"T": "f32"})
    generator = np.random.Generator(np.random.PCG64(8))
    v = np.tile(np.arange(24, dtype=np.float32).reshape(1, 1, 3, 8), (1, shared, 1, 1))
    arrays = {
        "q": generator.standard_normal((1, 2, queries, 8)).astype(np.float32),
        "k": generator.standard_normal((1, shared, 3, 8)).astype(np.float32),
        "v": v,
        "mask": mask,
    }
    (given,), _ = one.run(arrays)
    assert difference(given, np.broadcast_to(v.mean(axis=2, keepdims=True)[:, :1], given.shape), 1e-5) is None


@pytest.mark.parametrize(
    ("text", "reaches"),
    [
        pytest.param(_program("attention", "Tensor[3, 5; bool]"), True, id="a mask: the NaN reaches the result, as in the body"),
        pytest.param(
            _program("attention", "Tensor[1, 5; bool]", queries=1), True, id="one query: the NaN reaches the result, as in the body"
        ),
    ],
)
def test_a_nan_in_a_masked_out_value_row(text: str, reaches: bool) -> None:
    one = printed(text, bind={"T": "f32"})
    arrays = _arrays(one, text, "f32")
    arrays["mask"][:] = True
    arrays["mask"][:, -1] = False
    arrays["v"][:, :, -1] = np.nan
    (given,), _ = one.run(arrays)
    (body,), _ = printed(text, library=False, bind={"T": "f32"}).run(arrays)
    assert np.isnan(body).all()
    assert bool(np.isnan(given).all()) is reaches


def test_a_causal_kernel_may_leave_a_nan_in_a_masked_out_value_row_out() -> None:
    text = _program("attention", "causal", keys=3)
    one = printed(text, bind={"T": "f32"})
    arrays = _arrays(one, text, "f32")
    arrays["v"][:, :, -1] = np.nan
    (given,), _ = one.run(arrays)
    # whether the rows before it are NaN is the kernel's; the last one sees it
    assert np.isnan(given[:, :, -1]).all()


@pytest.mark.parametrize("special", [np.nan, np.inf])
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(_program("attention", "Tensor[1, 5; bool]", queries=1), id="one query"),
        pytest.param(_program("grouped_attention", "Tensor[1, 5; bool]", queries=1, shared=2), id="one query, grouped"),
    ],
)
def test_a_special_value_in_a_masked_out_key_does_not_reach_a_single_query(text: str, special: float) -> None:
    one = printed(text, bind={"T": "f32"})
    arrays = _arrays(one, text, "f32")
    arrays["mask"][:] = True
    arrays["mask"][:, -1] = False
    arrays["k"][:, :, -1] = special
    (given,), _ = one.run(arrays)
    (wanted,), _ = printed(text, library=False, bind={"T": "f32"}).run(arrays)
    assert difference(given, wanted, 1e-5) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(_program("attention", "", keys=0), "there is no position to attend to", id="no key"),
        pytest.param(_program("attention", "", queries=0), "there is no position to attend to", id="no query"),
    ],
)
def test_declined_and_the_body_instead(text: str, reason: str) -> None:
    one = printed(text, bind={"T": "f32"})
    assert [given for _, given in one.declined][:1] == [reason]
    arrays = _arrays(one, text, "f32")
    (given,), _ = one.run(arrays)
    (wanted,), _ = printed(text, "numpy", library=False, bind={"T": "f32"}).run(arrays)
    assert difference(given, wanted, 1e-5) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(_program("attention", "causal", keys=3), {", causal=True)": 1, "mask=": 0}, id="causal"),
        pytest.param(_program("attention", "causal"), {"causal=": 0, "[None, None])": 1}, id="not square"),
        pytest.param(_program("grouped_attention", "", shared=2), {"_attend(in_q, in_k, in_v, 0.5)": 1}, id="grouped"),
        pytest.param(_program("attention", "", scale="factor"), {"_attend(in_q, in_k, in_v, in_factor)": 1}, id="a scale of run time"),
        pytest.param(_program("attention_rows", "Tensor[2, 3, 5; bool]"), {"mask=in_mask[:, None])": 1}, id="a mask of each row"),
        pytest.param(_program("attention", "", queries=1), {"_attend_one(in_q, in_k, in_v, 0.5)": 1}, id="one query"),
    ],
)
def test_how_a_form_is_written(text: str, words: dict[str, int]) -> None:
    main = printed(text, bind={"T": "f32"}).main
    assert {word: main.count(word) for word in words} == words


@pytest.mark.parametrize(("numerics", "widened"), [("equivalent", True), ("fast", False)])
@pytest.mark.parametrize("queries", [1, 3])
def test_bf16_is_computed_in_f32_unless_the_policy_is_fast(queries: int, numerics: Any, widened: bool) -> None:
    one = printed(_program("attention", f"Tensor[{queries}, 5; bool]", queries=queries), numerics=numerics, bind={"T": "bf16"})
    assert ("in_q.astype(jnp.float32)" in one.main) is widened
    assert ("_fast(" in one.main) is not widened
