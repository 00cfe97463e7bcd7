"""Two devices of one host: the collectives of `std.nn.parallel` with their gradients, and fully sharded parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jax_programs import printed
from two_devices import on_two_devices

from linnet_core.check.load_program import load_program
from linnet_core.graph.export import ExportRequest, export
from linnet_core.ir.lowered import lowered
from linnet_core.modules.presets import preset
from linnet_jax.target import JaxTarget

SPLIT = """
use std.nn.linear::{linear}
use std.nn.parallel::{all_gather, all_reduce, shared}

pub entry run(x: Tensor[3, 4; f32], w: Tensor[2, 4; f32], v: Tensor[3, 2; f32]) -> f32 {
    let columns = linear(shared(x), w)
    let joined = all_gather<3, 2, 2, f32>(columns)
    let rows = all_reduce(linear(columns, v))
    let first = sum<f32>[i, j] joined[i, j] * joined[i, j] * rows[i, 0]
    return first + (sum<f32>[i, j] rows[i, j] * rows[i, j])
}
"""
CHECK = """
import jax, numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P
from linnet_jax.support_devices import FUNCTIONS

names = {}
exec(SOURCE, names)
constants = names["constants"]()
loss = lambda x, w, v: names["main"](x, w, v, *constants)[0]
whole = lambda x, w, v: ((x @ w.T) ** 2 * (x @ w.T @ v.T)[:, :1]).sum() + ((x @ w.T @ v.T) ** 2).sum()
random = np.random.default_rng(0)
x, w, v = (random.standard_normal(shape).astype("f") for shape in ((3, 4), (4, 4), (3, 4)))
mesh = jax.make_mesh((2,), ("shards",), axis_types=(AxisType.Auto,))
specs = (P(), P("shards"), P(None, "shards"))
both = lambda f: lambda *given: jax.value_and_grad(f, (0, 1, 2))(*given)
mapped = lambda f, out, checked: jax.shard_map(f, mesh=mesh, in_specs=specs, out_specs=out, check_vma=checked)
due = both(whole)(x, w, v)
for found in (
    mapped(both(loss), (P(), specs), False),
    mapped(both(loss), (P(), specs), True),
    both(mapped(loss, P(), True)),
):
    for one, other in zip(jax.tree.leaves(jax.jit(found)(x, w, v)), jax.tree.leaves(due), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-4)
helper = {"jax": jax}
exec(FUNCTIONS["_whole"][0], helper)
assert helper["_whole"](x) is x
for kind in (AxisType.Auto, AxisType.Explicit):
    mesh = jax.make_mesh((2,), ("shards",), axis_types=(kind,))
    with jax.set_mesh(mesh):
        part = jax.device_put(w, NamedSharding(mesh, P("shards")))
        assert not part.sharding.is_fully_replicated
        assert jax.jit(helper["_whole"])(part).sharding.is_fully_replicated
"""
WHOLE_MODEL = """
import jax, numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

names, plain = {}, {}
exec(SHARDED, names)
exec(PLAIN, plain)
random = np.random.default_rng(0)
leaves = [np.array([[3], [200]], np.int32), np.array(1, np.int32)]
parameters = [random.standard_normal(shape).astype("f") / 8 for shape in PARAMETERS]
states = [random.standard_normal(shape).astype("f") for shape in STATES]
due = jax.jit(plain["main"])(*leaves, *parameters, *states, *plain["constants"]())
for kind in (AxisType.Auto, AxisType.Explicit):
    mesh = jax.make_mesh((2,), ("shards",), axis_types=(kind,))
    with jax.set_mesh(mesh):
        on = lambda values, *spec: [jax.device_put(value, NamedSharding(mesh, P(*spec))) for value in values]
        named = zip(names["PARAMETERS"], parameters, strict=True)
        spread = [on([value], *(["shards"] if path in names["GATHERED"] else []))[0] for path, value in named]
        given = [*on(leaves), *spread, *on(states), *names["constants"]()]
        compiled = jax.jit(names["main"]).lower(*given).compile()
        assert "all-gather" in compiled.as_text()
        got = compiled(*given)
    for one, other in zip(got, due, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)
"""
LLAMA = Path(__file__).resolve().parents[2] / "examples" / "llama"


def test_two_devices_exchange_and_gather_whether_jax_keeps_account_of_what_varies_or_not() -> None:
    on_two_devices(f"SOURCE = {printed(SPLIT).source!r}\n{CHECK}")


def decode(**request: Any) -> tuple[str, dict[str, list[tuple[int, ...]]]]:
    """The source of a decode step of the Llama example, and the shapes of its parameters and states."""
    package, program = load_program(str(LLAMA), None)
    target = JaxTarget("equivalent")
    asked = ExportRequest(entry="decode", preset=preset(package, "tiny"), **request)
    export(lowered(program, "equivalent", optimize=True), asked, target)
    shapes = {"PARAMETERS": target.parameters, "STATES": target.states}
    return target.source(), {key: [tuple(target.types[name].shape) for name in names] for key, names in shapes.items()}


def test_a_model_whose_parameters_are_spread_decodes_as_the_whole_one() -> None:
    plain, shapes = decode()
    sharded, _ = decode(fully_shard=("layers",))
    names: dict[str, list[str]] = {}
    exec(sharded, names)
    assert names["GATHERED"] == [path for path in names["PARAMETERS"] if path.startswith("layers.")]
    assert "GATHERED" not in plain
    given = "".join(f"{key} = {value!r}\n" for key, value in {**shapes, "PLAIN": plain, "SHARDED": sharded}.items())
    on_two_devices(given + WHOLE_MODEL)
