"""Two devices of one host: the collectives of `std.nn.parallel` with their gradients, and fully sharded parameters."""

from __future__ import annotations

import os
import subprocess
import sys

from jax_programs import printed

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
both = lambda *given: jax.value_and_grad(loss, (0, 1, 2))(*given)
got = jax.jit(jax.shard_map(both, mesh=mesh, in_specs=specs, out_specs=(P(), specs), check_vma=False))(x, w, v)
due = jax.value_and_grad(whole, (0, 1, 2))(x, w, v)
for one, other in zip(jax.tree.leaves(got), jax.tree.leaves(due), strict=True):
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


def test_two_devices_exchange_and_gather() -> None:
    source = printed(SPLIT, target="jax").source
    environment = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=2", "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(
        [sys.executable, "-c", f"SOURCE = {source!r}\n{CHECK}"], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
