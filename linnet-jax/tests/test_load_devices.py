"""A loaded function whose arrays lie on a device, or spread over a mesh, as `device` says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from two_devices import on_two_devices

import linnet_jax
from linnet_core.conformance import loading
from linnet_core.errors import UsageError

jax = pytest.importorskip("jax", reason="jax is not installed here; the environment of linnet-jax has it")

if TYPE_CHECKING:
    from pathlib import Path

ON_TWO = """
import copy, pickle, warnings
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P
import linnet_jax
from linnet_core.conformance.loading import FORWARD, SIZES, WEIGHTS, X

warnings.simplefilter("error")
first, second = jax.devices()
given = {"generics": SIZES, "weights": {**WEIGHTS, "scale": jnp.asarray(WEIGHTS["scale"])}}

model = linnet_jax.load(FILE, device=second, prepare=True, **given)
assert {each.device for each in [*model.parameters.values(), *model.states.values()]} == {second}
assert model(X[None]).tolist() == FORWARD
assert jax.jit(model.apply)(model.parameters, X[None]).device == second
first_sum, state = model.add(X)
rows, state = model.keep(X, 1, state={**state, "layers.0.rows": np.zeros((1, 1, 3, 2), np.float32)})
assert {each.device for each in state.values()} == {second}
assert rows.tolist() == [[0.0, 0.0], [1.0, 5.0], [0.0, 0.0]]
assert jax.jit(lambda: model.keep(X, 1)[0])().tolist() == rows.tolist()
assert copy.deepcopy(model).parameters["head.weight"].device == second
again = pickle.loads(pickle.dumps(model))
assert again.parameters["head.weight"].device == first
assert again(X[None]).tolist() == FORWARD
other = model.with_parameters({name: np.asarray(each) for name, each in WEIGHTS.items()})
assert {each.device for each in other.parameters.values()} == {second}

mesh = jax.make_mesh((2,), ("parts",), axis_types=(AxisType.Auto,))
spread, whole = NamedSharding(mesh, P("parts")), NamedSharding(mesh, P())
columns = NamedSharding(mesh, P(None, None, None, "parts"))
model = linnet_jax.load(FILE, device={"*.weight": spread, "layers.*.rows": columns, "*": whole}, **given)
assert [model.parameters[name].sharding for name in ("head.weight", "head.bias", "scale")] == [spread, whole, whole]
assert model(X[None]).tolist() == FORWARD
taken = model.states
rows, state = model.keep(X, 1, state=taken)
assert rows.tolist() == [[0.0, 0.0], [1.0, 5.0], [0.0, 0.0]]
assert taken["layers.0.rows"].is_deleted()
assert model.keep(X, 0, state=state)[0].tolist() == [[1.0, 5.0], [1.0, 5.0], [0.0, 0.0]]

tied = {"layers.1.up.weight": "head.weight"}
some = {name: each for name, each in WEIGHTS.items() if name not in tied}
one = linnet_jax.load(FILE, generics=SIZES, weights=some, bindings=tied, device=second).parameters
assert one["layers.1.up.weight"] is one["head.weight"]
two = linnet_jax.load(FILE, generics=SIZES, weights=some, bindings=tied, device={"head.*": second}).parameters
assert (two["layers.1.up.weight"].device, two["head.weight"].device) == (first, second)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "m.linnet").write_text(loading.SOURCE)
    return tmp_path / "m.linnet"


def test_arrays_lie_where_they_are_said_to_through_calls_and_copies(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINNET_CACHE", "")
    on_two_devices(f"FILE = {str(path)!r}\n{ON_TWO}")


def two_parts() -> Any:
    """A sharding over a mesh of two devices, of which this process has one."""
    mesh = jax.sharding.AbstractMesh((2,), ("parts",))
    return jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("parts"))


WRONG = [
    pytest.param(
        "cpu", "device takes a jax.Device, a jax.sharding.Sharding, or globs of paths that lead to them; `*` leads to str", id="text"
    ),
    pytest.param({"head.*": 0}, "`head.*` leads to int", id="a number"),
    pytest.param(lambda: {"heads.*": jax.devices()[0]}, "no parameter, buffer or state matches `heads.*`", id="a glob of nothing"),
    pytest.param(lambda: {"head.*": two_parts(), "scale": two_parts()}, "`scale` (f32) cannot be cut as", id="a scalar"),
    pytest.param(lambda: {"*.rows": two_parts()}, "`layers.1.rows` (f32[1, 1, 3, 2]) cannot be cut as", id="an odd size"),
]


@pytest.mark.parametrize(("device", "said"), WRONG)
def test_what_cannot_be_laid_out_is_said_before_anything_is_read(path: Path, device: Any, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        linnet_jax.load(path, generics=loading.SIZES, weights=loading.WEIGHTS, device=device() if callable(device) else device)
    assert said in str(caught.value)
