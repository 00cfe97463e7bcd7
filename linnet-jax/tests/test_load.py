"""A model as a function of JAX: members, calls, states, transformations, copies, and what is said when something does not fit."""

from __future__ import annotations

import copy
import json
import pickle
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np
import pytest

import linnet_jax
from linnet_core.errors import DocumentError, LinnetError, RuntimeFailure, SourceError, UsageError
from linnet_core.loading.model import open_model

jax = pytest.importorskip("jax", reason="jax is not installed here; the environment of linnet-jax has it")
jnp = jax.numpy

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = """module m

use std.nn.cache::{write_at}
use std.nn.linear::{Linear}

block Layer<H: Dim, N: Dim, T: Float> where N > 0 {
    sub up: Linear<H, H, T>
    state rows: Tensor[1, 1, N, H; T]

    pub fn keep(x: Tensor[H; T], at: i32) -> Tensor[N, H; T] {
        rows = write_at(rows, reshape(up.forward(x), [1, 1, 1, H]), at)
        return reshape(rows, [N, H])
    }
}

block M<H: Dim, N: Dim, L: Dim, T: Float = f32> where H > 1, N > 0 {
    sub layers: [Layer<H, N, T>; L]
    sub head: Linear<H, H, T>
    buffer scale: T
    state total: Tensor[H; T]
    state seen: Tensor[H; T]

    pub entry forward<B: Dim>(x: Tensor[B, H; T]) -> Tensor[B, H; T] { return head.forward(x) * scale }

    pub entry keep(x: Tensor[H; T], at: i32) -> Tensor[N, H; T] {
        var y = fill<T>([N, H], 0.0)
        static for layer in layers { y = y + layer.keep(x, at) }
        return y
    }

    pub entry add(x: Tensor[H; T]) -> Tensor[H; T] {
        total = total + x
        return total
    }

    pub entry remember(x: Tensor[H; T]) -> Tensor[H; T] {
        let before = seen
        seen = x
        return before
    }

    pub entry peek() -> Tensor[1, 1, N, H; T] { return layers[0].rows }

    pub entry steps<K: Dim>(x: T) -> Tensor[K; T] { return fill<T>([K], x) }
}
"""
SIZES = {"H": 2, "N": 3, "L": 2}
WEIGHTS = {
    "layers.0.up.weight": np.array([[1.0, 0.0], [0.0, 1.0]], np.float32),
    "layers.1.up.weight": np.array([[0.0, 0.0], [1.0, 1.0]], np.float32),
    "head.weight": np.array([[2.0, 0.0], [0.0, 3.0]], np.float32),
    "head.bias": np.array([1.0, 0.0], np.float32),
    "scale": np.array(2.0, np.float32),
}
X = np.array([1.0, 2.0], np.float32)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("load") / "m.linnet"
    file.write_text(SOURCE)
    return file


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LINNET_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "source"


@pytest.fixture(scope="module")
def model(path: Path) -> Any:
    """One for all tests that read it: it never changes, and keeps what was compiled."""
    return linnet_jax.load(path, generics=SIZES, weights=WEIGHTS)


def test_parameters_and_states_lie_under_their_paths(model: Any) -> None:
    assert sorted(model.parameters) == sorted(WEIGHTS)
    assert all(np.array_equal(model.parameters[name], WEIGHTS[name]) for name in WEIGHTS)
    assert {name: (each.shape, float(each.sum())) for name, each in model.states.items()} == {
        "layers.0.rows": ((1, 1, 3, 2), 0.0),
        "layers.1.rows": ((1, 1, 3, 2), 0.0),
        "total": ((2,), 0.0),
        "seen": ((2,), 0.0),
    }
    assert repr(model) == "LinnetFunction(m::M: forward, keep, add, remember, peek, steps; 5 parameters, 4 states)"
    assert repr(model.keep) == "EntryFunction(m::M.keep)"
    model.parameters.clear()
    assert len(model.parameters) == 5


def test_weights_of_numpy_are_copied_and_those_of_jax_are_shared(path: Path) -> None:
    given = {**WEIGHTS, "head.weight": jnp.eye(2), "scale": WEIGHTS["scale"].copy()}
    model = linnet_jax.load(path, generics=SIZES, weights=given)
    given["scale"][...] = 0
    assert model.parameters["head.weight"] is given["head.weight"]
    assert float(model.parameters["scale"]) == 2


def test_entries_run_and_states_are_threaded(model: Any) -> None:
    assert model(X[None]).tolist() == [[6.0, 12.0]]
    assert model.entry("forward")(x=np.stack([X, X])).shape == (2, 2)
    result, state = model.add(X)
    assert result.tolist() == [1.0, 2.0]
    assert sorted(state) == sorted(model.states)
    assert model.add(jnp.asarray(X), state=state)[0].tolist() == [2.0, 4.0]
    first, state = model.keep(X, 1, state=state)
    assert first.tolist() == [[0.0, 0.0], [1.0, 5.0], [0.0, 0.0]]
    second, state = model.keep(X, at=np.int32(0), state=state)
    assert second.tolist() == [[1.0, 5.0], [1.0, 5.0], [0.0, 0.0]]
    assert state["layers.0.rows"][0, 0].tolist() == [[1.0, 2.0], [1.0, 2.0], [0.0, 0.0]]
    assert state["total"].tolist() == [1.0, 2.0]
    assert model.steps(2.5, generics={"K": 2}).tolist() == [2.5, 2.5]


def test_rows_are_written_in_place_into_a_state_that_is_given_and_apply_writes_into_none(model: Any) -> None:
    state = model.states
    kept, seen = state["layers.0.rows"], state["seen"]
    _, following = model.keep.apply(model.parameters, X, 0, state=state)
    assert not kept.is_deleted()
    _, following = model.keep(X, 0, state=state)
    assert kept.is_deleted()
    assert following["seen"] is seen
    with pytest.raises(RuntimeFailure, match=r"state `layers.0.rows` was given to an earlier call, which wrote into it"):
        model.keep(X, 0, state=state)
    assert model.states["layers.0.rows"].sum() == 0


def test_a_state_given_twice_or_by_numpy_is_written_apart(model: Any) -> None:
    rows = jnp.zeros((1, 1, 3, 2))
    total = np.zeros(2, np.float32)
    state = {"layers.0.rows": rows, "layers.1.rows": rows, "total": total}
    _, following = model.keep(X, 0, state=state)
    assert following["layers.0.rows"][0, 0, 0].tolist() == [1.0, 2.0]
    assert following["layers.1.rows"][0, 0, 0].tolist() == [0.0, 3.0]
    assert model.add(X, state={"total": total})[0].tolist() == [1.0, 2.0]
    assert total.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("op_by_op", [False, True], ids=["compiled", "op by op"])
def test_a_result_survives_what_is_written_later(model: Any, op_by_op: bool) -> None:
    given = jnp.asarray(X)
    with jax.disable_jit(op_by_op):
        result, state = model.peek()
        result, state = model.peek(state=state)
        _, state = model.remember(given, state=state)
        before, state = model.remember(given, state=state)
    _, state = model.keep(X, 0, state=state)
    assert result.sum() == 0
    assert before.tolist() == given.tolist() == [1.0, 2.0]
    assert state["seen"] is not given


def test_a_gradient_is_what_finite_differences_say(path: Path) -> None:
    with jax.enable_x64(True):
        weights = {name: jnp.asarray(each.astype(np.float64)) for name, each in WEIGHTS.items()}
        model = linnet_jax.load(path, generics={**SIZES, "T": "f64"}, weights=weights)
        state = {**model.states, "layers.1.rows": jnp.ones((1, 1, 3, 2))}
        x = jnp.asarray(X.astype(np.float64))

        def loss(params: Any) -> Any:
            kept, following = model.keep.apply(params, x, 1, state=state)
            return (kept**2).sum() + (following["layers.0.rows"] ** 3).sum() + (model.apply(params, x[None]) ** 2).sum()

        loss = jax.jit(loss)
        found = jax.grad(loss)(model.parameters)
        for name, at in [("layers.0.up.weight", (0, 1)), ("layers.1.up.weight", (1, 0)), ("head.weight", (1, 1)), ("scale", ())]:
            step = [loss({**model.parameters, name: weights[name].at[at].add(by)}) for by in (1e-5, -1e-5)]
            assert abs(float(found[name][at])) > 1
            np.testing.assert_allclose(found[name][at], (step[0] - step[1]) / 2e-5, rtol=1e-8)


def test_vmap_over_inputs_and_over_parameters(model: Any) -> None:
    many = np.stack([X, 2 * X, -X])
    found, states = jax.vmap(lambda x: model.add(x, state={"total": jnp.ones(2)}))(many)
    assert found.tolist() == states["total"].tolist() == (many + 1).tolist()
    doubled = {name: jnp.stack([each, 2 * each]) for name, each in model.parameters.items()}
    assert jax.vmap(model.apply, in_axes=(0, None))(doubled, X[None]).tolist() == [[[6.0, 12.0]], [[24.0, 48.0]]]


def test_a_state_is_carried_by_scan(model: Any) -> None:
    def step(state: Any, at: Any) -> Any:
        kept, state = model.keep.apply(model.parameters, X, at, state=state)
        return state, kept.sum()

    state, sums = jax.lax.scan(step, model.states, jnp.array([0, 2], jnp.int32))
    assert sums.tolist() == [6.0, 12.0]
    assert state["layers.0.rows"][0, 0].tolist() == [[1.0, 2.0], [0.0, 0.0], [1.0, 2.0]]


def test_a_function_is_a_pytree_of_its_parameters(path: Path) -> None:
    # of its own, so that what it keeps is first made inside of a trace, and must not be of that trace
    model = linnet_jax.load(path, generics=SIZES, weights=WEIGHTS, prepare=True)
    loss = jax.jit(lambda f, x: f(x).sum())
    assert float(loss(model, X[None])) == 18
    assert jax.tree.map(lambda each: 0 * each, model)(X[None]).tolist() == [[0.0, 0.0]]
    grads = jax.grad(loss)(model, X[None])
    assert grads.parameters["head.bias"].tolist() == [2.0, 2.0]
    assert float(jax.jit(lambda x: model(x).sum())(X[None])) == 18
    assert jax.jit(lambda: model.keep(X, 1)[0])().tolist() == [[0.0, 0.0], [1.0, 5.0], [0.0, 0.0]]
    assert model.keep(X, 0)[0].tolist() == [[1.0, 5.0], [0.0, 0.0], [0.0, 0.0]]


def test_other_parameters_give_another_function(model: Any) -> None:
    other = model.with_parameters({**model.parameters, "scale": jnp.float32(0)})
    assert other(X[None]).tolist() == [[0.0, 0.0]]
    assert model(X[None]).tolist() == [[6.0, 12.0]]


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))], ids=["copy", "deepcopy", "pickle"]
)
def test_a_copy_computes_the_same(path: Path, again: Any) -> None:
    weights = {name: each for name, each in WEIGHTS.items() if name != "layers.1.up.weight"}
    bound = {"layers.1.up.weight": "head.weight"}
    model = linnet_jax.load(path, generics=SIZES, weights=weights, bindings=bound, entry="add")
    other = again(model)
    for each in (model, other):
        assert each.parameters["layers.1.up.weight"] is each.parameters["head.weight"]
    assert other(X)[0].tolist() == [1.0, 2.0]
    assert other.generated_source("keep", [X, 0]) == model.generated_source("keep", [X, 0])


def test_64_bits_need_no_switch_and_survive_pickling(tmp_path: Path) -> None:
    source = "module m\n\nblock M {\n    param w: f64\n    state n: Tensor[1; i64]\n\n"
    body = "    pub entry count(x: f64, by: Tensor[1; i64]) -> f64 {\n        n = n + by\n        return x * w\n    }\n}\n"
    (tmp_path / "m.linnet").write_text(source + body)
    model = pickle.loads(pickle.dumps(linnet_jax.load(tmp_path / "m.linnet", weights={"w": np.array(1.0000000000000002)})))
    by = np.array([2**40])
    _, state = model(3.0, by)
    result, state = model(np.float64(3.0), by, state=state)
    assert (float(result), int(state["n"][0])) == (3 * 1.0000000000000002, 2**41)
    assert jnp.arange(3).dtype == jnp.int32
    said = r"input `by`: i64 is wanted, i32 was given; JAX cuts arrays to 32 bits outside `with jax.enable_x64\(True\):`"
    with pytest.raises(RuntimeFailure, match=said):
        model(3.0, jnp.array([1]))


def test_every_problem_of_the_weights_stands_in_one_report(path: Path) -> None:
    wrong = {**WEIGHTS, "head.weight": np.zeros(3, np.float32), "scale": np.zeros((), np.int32), "more": jnp.zeros(1)}
    with pytest.raises(DocumentError) as caught:
        linnet_jax.load(path, generics=SIZES, weights=wrong, cast_dtype=True)
    assert str(caught.value).splitlines() == [
        "the mapping of weights does not fit the model:",
        "  `head.weight` (f32[2, 2]) is stored as f32[3]",
        "  `scale` (f32) is stored as i32",
        "  `more` is used by no parameter",
    ]
    with pytest.raises(DocumentError, match=r"`head.weight` \(f32\[2, 2\]\) is missing"):
        linnet_jax.load(path, generics=SIZES, weights={name: each for name, each in WEIGHTS.items() if name != "head.weight"})
    with pytest.raises(UsageError, match="`scale` is no array of JAX or NumPy, but float"):
        linnet_jax.load(path, generics=SIZES, weights={**WEIGHTS, "scale": 2.0})  # pyright: ignore[reportArgumentType]
    with pytest.warns(UserWarning, match="`more` is used by no parameter"):
        linnet_jax.load(path, generics=SIZES, weights={**WEIGHTS, "more": jnp.zeros(1)}, strict=False)


def test_floats_of_another_width_are_cast_where_that_is_asked_for(path: Path) -> None:
    narrow = {name: each.astype(ml_dtypes.bfloat16) for name, each in WEIGHTS.items()}
    with pytest.raises(DocumentError, match="is stored as bf16"):
        linnet_jax.load(path, generics=SIZES, weights=narrow)
    model = linnet_jax.load(path, generics=SIZES, weights=narrow, cast_dtype=True)
    assert model(X[None]).tolist() == [[6.0, 12.0]]
    assert model.apply(narrow, X[None]).tolist() == [[6.0, 12.0]]
    half = linnet_jax.load(path, generics={**SIZES, "T": "bf16"}, weights=narrow)
    result = half(jnp.asarray(X, jnp.bfloat16)[None])
    assert (result.dtype, result.tolist()) == (jnp.bfloat16, [[6.0, 12.0]])


def test_weights_are_read_from_a_file_with_progress(path: Path, tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    save_file({f"model.{name}": each for name, each in WEIGHTS.items()}, str(tmp_path / "w.safetensors"))
    told: list[Any] = []
    names = {name: f"model.{name}" for name in WEIGHTS}
    model = linnet_jax.load(
        path, generics=SIZES, weights=tmp_path / "w.safetensors", bindings=names, progress=lambda *each: told.append(each)
    )
    assert model(X[None]).tolist() == [[6.0, 12.0]]
    assert told[-1][:2] == (60, 60)
    assert len(told) == 5


def test_parameters_that_do_not_fit_are_listed(model: Any) -> None:
    wrong = {"head.weight": jnp.zeros(3), "head.bias": jnp.zeros(2, jnp.bfloat16), "more": jnp.zeros(1)}
    with pytest.raises(RuntimeFailure) as caught:
        model.apply(wrong, X[None])
    assert str(caught.value).splitlines() == [
        "the parameters do not fit `m::M`:",
        "  `more` is no parameter",
        "  `layers.0.up.weight` (f32[2, 2]) is missing",
        "  `layers.1.up.weight` (f32[2, 2]) is missing",
        "  `head.weight` (f32[2, 2]) was given as f32[3]",
        "  `head.bias` (f32[2]) was given as bf16[2]",
        "  `scale` (f32) is missing",
    ]


WRONG_CALLS = [
    pytest.param(lambda m: m(X), "entry `forward`, input `x`: [B, H] has 2 axes, 1 were given ([2])", id="rank"),
    pytest.param(lambda m: m(X[None].astype(np.float64)), "entry `forward`, input `x`: f32 is wanted, f64 was given", id="dtype"),
    pytest.param(lambda m: m(), "entry `forward` takes 1 inputs (x), 0 were given", id="arity"),
    pytest.param(lambda m: m(X, X, X), "entry `forward` takes 1 inputs (x), 3 were given", id="too many"),
    pytest.param(lambda m: m(np.zeros((1, 3), np.float32)), "entry `forward`, input `x`: axis 1 has size 3, `H` is 2", id="size"),
    pytest.param(lambda m: m([[1.0, 2.0]]), "input `x`: an array or a number is due, not list", id="a list"),
    pytest.param(lambda m: m(jax.random.key(0)), "input `x`: [B, H] has 2 axes, 0 were given", id="a key"),
    pytest.param(lambda m: m.keep(X, 1.5), "entry `keep`, input `at`: i32 is wanted, 1.5 was given", id="a float for an integer"),
    pytest.param(lambda m: m.keep(X, 2**31), "entry `keep`, input `at`: i32 is wanted, 2147483648 was given", id="a large integer"),
    pytest.param(lambda m: m.keep(X, True), "input `at`: i32 is wanted, True was given", id="a bool for an integer"),
    pytest.param(lambda m: m.keep(X, to=1), "entry `keep` takes no further input `to`; there are: at", id="an unknown input"),
    pytest.param(lambda m: m.keep(at=1), "entry `keep`: no value for `x`", id="a missing input"),
    pytest.param(lambda m: m.steps(1.0), "entry `steps`: no input says what `K` is; give by name", id="a generic"),
    pytest.param(lambda m: m.entry("gone"), "`m::M` has no entry `gone`; there are: forward, keep", id="an entry"),
    pytest.param(lambda m: m(X[None], state={}), "entry `forward` touches no state, and was given some", id="a state too many"),
    pytest.param(lambda m: m.add(X, state={}), "entry `add`: the state lacks `total`", id="a state that lacks"),
    pytest.param(lambda m: m.add(X, state={"q": X}), "entry `add`: the model has no state `q`", id="an unknown state"),
    pytest.param(
        lambda m: m.add(X, state={"total": X[:1]}), "entry `add`: state `total` (f32[2]) was given as f32[1]", id="a state's shape"
    ),
    pytest.param(
        lambda m: m.add(X, state={"total": 1}), "entry `add`: state `total` (f32[2]) was given as int", id="a state that is a number"
    ),
]


@pytest.mark.parametrize(("call", "said"), WRONG_CALLS)
def test_what_is_said_of_a_call_that_does_not_fit(model: Any, call: Any, said: str) -> None:
    with pytest.raises(LinnetError) as caught:
        call(model)
    assert said in str(caught.value)


def test_a_program_that_is_wrong_is_reported_whole(tmp_path: Path) -> None:
    (tmp_path / "bad.linnet").write_text("module bad\n\npub entry run(x: f32) -> i32 { return x }\n")
    with pytest.raises(SourceError) as caught:
        linnet_jax.load(tmp_path / "bad.linnet")
    assert "bad.linnet:3:" in str(caught.value)
    assert "^" in str(caught.value)


def test_an_entry_of_the_module_itself_and_an_attribute_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "m.linnet").write_text("module m\n\npub entry apply<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] { return x + x }\n")
    model = linnet_jax.load(tmp_path / "m.linnet")
    assert model(X).tolist() == model.entry("apply")(X).tolist() == model.apply({}, X).tolist() == [2.0, 4.0]
    with pytest.raises(AttributeError, match="has no attribute or entry `thrice`"):
        model.thrice(X)
    assert "apply" in dir(model)


def test_an_input_that_is_left_out_has_its_default(tmp_path: Path) -> None:
    head = "module m\n\npub entry run<N: Dim>(x: Tensor[N; f32], by: f32 = 2.0, n: i64 = 3) -> Tensor[N; f32] {\n"
    (tmp_path / "m.linnet").write_text(head + "    return x * by * cast<f32>(n)\n}\n")
    model = linnet_jax.load(tmp_path / "m.linnet")
    assert jax.jit(model)(X).tolist() == [6.0, 12.0]
    assert model(X).tolist() == pickle.loads(pickle.dumps(model))(X, n=3).tolist() == [6.0, 12.0]
    assert model(X, 1.0).tolist() == [3.0, 6.0]
    assert model(X, None, 6).tolist() == [12.0, 24.0]
    with pytest.raises(RuntimeFailure, match=r"entry `run` takes 3 inputs \(x, by, n\), 0 were given"):
        model()


def test_a_plan_is_loaded_and_its_hostile_names_are_text(path: Path, tmp_path: Path) -> None:
    from linnet_core.plan.write import plan_document

    document = plan_document(open_model(path, generics=SIZES).module)
    (tmp_path / "plan.json").write_text(json.dumps(document))
    model = linnet_jax.load(tmp_path / "plan.json", generics=SIZES, weights=WEIGHTS)
    assert model(X[None]).tolist() == [[6.0, 12.0]]
    hostile = "scale'];__import__('os').abort()#\n"
    text = json.dumps(document).replace('"scale"', json.dumps(hostile))
    with pytest.raises(DocumentError, match="is no name"):
        linnet_jax.load(json.loads(text), generics=SIZES, weights={**WEIGHTS, hostile: WEIGHTS["scale"]}, strict=False)


def test_source_is_printed_once_and_found_again(path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = linnet_jax.load(path, generics=SIZES, weights=WEIGHTS)
    model(X[None])
    model(X[None] + 1)
    assert len(list(cache.iterdir())) == 1
    monkeypatch.setattr("linnet_core.loading.source.export", lambda *_: pytest.fail("printed again"))
    assert linnet_jax.load(path, generics=SIZES, weights=WEIGHTS)(X[None]).tolist() == [[6.0, 12.0]]
    with pytest.raises(pytest.fail.Exception, match="printed again"):
        model(np.zeros((5, 2), np.float32))


def test_without_weights_parameters_are_zeros_and_optionals_are_not_there(path: Path) -> None:
    model = linnet_jax.load(path, generics=SIZES)
    assert sorted(model.parameters) == ["head.weight", "layers.0.up.weight", "layers.1.up.weight", "scale"]
    assert not any(each.any() for each in model.parameters.values())
    assert "head.bias" not in model.generated_source("forward", generics={"B": 4})


def test_a_wrong_option_is_said(path: Path) -> None:
    with pytest.raises(UsageError, match="has no generic `Q`"):
        linnet_jax.load(path, generics={**SIZES, "Q": 1})
    with pytest.raises(UsageError, match="has no entry `gone`"):
        linnet_jax.load(path, generics=SIZES, entry="gone")
