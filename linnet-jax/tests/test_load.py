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
from linnet_core.conformance import loading
from linnet_core.errors import DocumentError, LinnetError, RuntimeFailure, SourceError, UsageError
from linnet_core.loading.model import open_model

jax = pytest.importorskip("jax", reason="jax is not installed here; the environment of linnet-jax has it")
jnp = jax.numpy

if TYPE_CHECKING:
    from pathlib import Path

SIZES, WEIGHTS, X = loading.SIZES, loading.WEIGHTS, loading.X


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("load") / "m.linnet"
    file.write_text(loading.SOURCE)
    return file


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LINNET_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "source"


@pytest.fixture(scope="module")
def model(path: Path) -> Any:
    """One for all tests that read it: it never changes, and keeps what was compiled."""
    return linnet_jax.load(path, generics=SIZES, weights=WEIGHTS)


def called(model: Any, case: loading.Answer | loading.Refusal, **further: Any) -> Any:
    return (model if case.entry is None else getattr(model, case.entry))(*case.inputs, **case.named, **further)


@pytest.mark.parametrize("case", loading.cases(loading.ANSWERS))
def test_a_call_answers(path: Path, model: Any, case: loading.Answer) -> None:
    # op by op: that compiled programs answer the same is seen below
    with jax.disable_jit():
        other = linnet_jax.load(path, **{"generics": SIZES, "weights": WEIGHTS, **case.options}) if case.options else model
        answer = called(other, case, generics=case.generics)
    assert (answer[0] if isinstance(answer, tuple) else answer).tolist() == case.result


@pytest.mark.parametrize("case", loading.cases(loading.REFUSALS))
def test_what_is_said_of_a_call_that_does_not_fit(model: Any, case: loading.Refusal) -> None:
    with pytest.raises(RuntimeFailure) as caught:
        called(model, case)
    assert case.said in str(caught.value)


@pytest.mark.parametrize("case", loading.cases(loading.REFUSED_LOADS))
def test_what_is_said_of_a_load_that_does_not_fit(path: Path, case: loading.RefusedLoad) -> None:
    with pytest.raises(case.error) as caught:
        linnet_jax.load(path, **{"generics": SIZES, "weights": WEIGHTS, **case.options})
    said = str(caught.value)
    assert case.said in said if isinstance(case.said, str) else said.splitlines() == case.said


def test_a_list_is_no_weights(path: Path) -> None:
    with pytest.raises(UsageError, match=r"a file, a directory or tensors by name are due, not list$"):
        linnet_jax.load(path, generics=SIZES, weights=[1.0])  # pyright: ignore[reportArgumentType]


def test_parameters_and_states_lie_under_their_paths(model: Any) -> None:
    assert sorted(model.parameters) == sorted(WEIGHTS)
    assert all(np.array_equal(model.parameters[name], WEIGHTS[name]) for name in WEIGHTS)
    assert {name: (each.shape, float(each.sum())) for name, each in model.states.items()} == {
        "layers.0.rows": ((1, 1, 3, 2), 0.0),
        "layers.1.rows": ((1, 1, 3, 2), 0.0),
        "total": ((2,), 0.0),
        "seen": ((2,), 0.0),
    }
    assert repr(model) == "LinnetFunction(m::M: forward, keep, add, remember, peek, steps, scaled; 5 parameters, 4 states)"
    assert repr(model.keep) == "EntryFunction(m::M.keep)"
    model.parameters.clear()
    assert len(model.parameters) == 5


def test_weights_of_numpy_are_copied_and_those_of_jax_are_shared(path: Path) -> None:
    given = {**WEIGHTS, "head.weight": jnp.eye(2), "scale": WEIGHTS["scale"].copy()}
    model = linnet_jax.load(path, generics=SIZES, weights=given)
    given["scale"][...] = 0
    assert model.parameters["head.weight"] is given["head.weight"]
    assert float(model.parameters["scale"]) == 2


def test_arrays_of_numpy_may_be_written_as_soon_as_they_were_given(tmp_path: Path) -> None:
    body = "    pub entry run(x: Tensor[N; f32]) -> Tensor[N; f32] {\n        seen = x\n        return w\n    }\n"
    (tmp_path / "m.linnet").write_text(
        f"module m\n\nblock M<N: Dim> {{\n    param w: Tensor[N; f32]\n    state seen: Tensor[N; f32]\n{body}}}\n"
    )
    weight, x = np.ones(1 << 24, np.float32), np.ones(1 << 24, np.float32)
    model = linnet_jax.load(tmp_path / "m.linnet", generics={"N": 1 << 24}, weights={"w": weight})
    weight[:] = 0
    _, state = model(x)
    x[:] = 0
    assert float(model.parameters["w"].min()) == float(state["seen"].min()) == 1


def test_an_array_that_was_given_away_is_refused(path: Path) -> None:
    scale = jnp.ones(())
    scale.delete()
    with pytest.raises(UsageError, match="`scale` was deleted, or given away"):
        linnet_jax.load(path, generics=SIZES, weights={**WEIGHTS, "scale": scale})


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


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param(lambda each: each.astype(jnp.float16), "`scale` (f32) was given as f16", id="another width"),
        pytest.param(lambda each: each[..., None], "`scale` (f32) was given as f32[1]", id="another shape, which would spread"),
    ],
)
def test_a_function_that_is_made_leaf_by_leaf_is_checked_when_it_is_called(model: Any, change: Any, said: str) -> None:
    changed = jax.tree.map(change, model)
    for each in (changed, copy.copy(changed), pickle.loads(pickle.dumps(changed))):
        with pytest.raises(RuntimeFailure) as caught:
            each(X[None])
        assert said in str(caught.value)


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
    said = r"input `by`: i64 is wanted, i32 was given; JAX cuts arrays to 32 bits outside `with jax.enable_x64\(True\):`;"
    with pytest.raises(RuntimeFailure, match=f"{said} make it there, or give an array of NumPy$"):
        model(3.0, jnp.array([1]))
    with pytest.raises(RuntimeFailure, match=f"{said} trace there"):
        jax.jit(lambda by: model.apply(model.parameters, 3.0, by))(by)
    with pytest.raises(RuntimeFailure, match=r"input `by`: i64 is wanted, i32 was given$"):
        model(3.0, np.array([1], np.int32))


KERNEL = """module m

kernel sums<N: Dim>(x: Tensor[N, 2; f32]) -> (y: Tensor[N; i64], z: Tensor[N; f64]) grid(N) {
    let row = load(x[program_id(0), 0]) + load(x[program_id(0), 1])
    store(y[program_id(0)], cast<i64>(row) * 3000000000)
    store(z[program_id(0)], cast<f64>(row) / 3.0)
}
op sum<N: Dim>(x: Tensor[N, 2; f32]) -> (Tensor[N; i64], Tensor[N; f64]) kernel sums {
    let row = x[:, 0] + x[:, 1]
    return (cast<i64>(row) * 3000000000, cast<f64>(row) / 3.0)
}
pub entry run<N: Dim>(x: Tensor[N, 2; f32]) -> (Tensor[N; i64], Tensor[N; f64]) { return sum(x) }
"""


def test_a_kernel_of_64_bits_needs_no_switch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINNET_PALLAS_INTERPRET", "1")
    (tmp_path / "m.linnet").write_text(KERNEL)
    model = linnet_jax.load(tmp_path / "m.linnet")
    assert "pl.pallas_call(" in model.generated_source(generics={"N": 2})
    whole, part = model(np.stack([X, -X]))
    assert whole.tolist() == [9_000_000_000, -9_000_000_000]
    assert part.tolist() == [1.0, -1.0]
    assert jnp.arange(3).dtype == jnp.int32


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
    pytest.param(lambda m: m(jax.random.key(0)), "input `x`: [B, H] has 2 axes, 0 were given", id="a key"),
    pytest.param(lambda m: m.entry("gone"), "`m::M` has no entry `gone`; there are: forward, keep", id="an entry"),
    pytest.param(lambda m: m(X[None], state={}), "entry `forward` touches no state, and was given some", id="a state too many"),
    pytest.param(lambda m: m.add(X, state={}), "entry `add`: the state lacks `total`", id="a state that lacks"),
    pytest.param(lambda m: m.add(X, state=[X]), "entry `add`: states by path are due, not list", id="states without names"),
    pytest.param(lambda m: m.add(X, state={"q": X}), "entry `add`: the model has no state `q`", id="an unknown state"),
    pytest.param(
        lambda m: m.add(X, state={"total": X[:1]}), "entry `add`: state `total` (f32[2]) was given as f32[1]", id="a state's shape"
    ),
    pytest.param(
        lambda m: m.add(X, state={"total": 1}), "entry `add`: state `total` (f32[2]) was given as int", id="a state that is a number"
    ),
]


@pytest.mark.parametrize(("call", "said"), WRONG_CALLS)
def test_what_is_said_of_a_state_that_does_not_fit(model: Any, call: Any, said: str) -> None:
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
