"""The functions of printed source that reach other devices of a mesh, as text.

In: nothing.  Out: `FUNCTIONS`, a part of the table in `support.py`.  Without a mesh, or outside the axis AXIS of one, each computes what
the op's body says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linnet_core.python_source.support import Functions

_AXIS = '''
#: The axis whose devices exchange, where main is traced in it: by jax.shard_map, or jax.vmap with an axis name.  With check_vma=False
#: gradients are taken inside the function that is mapped; with check_vma=True inside or outside of it.
AXIS = "shards"


def _devices():
    """How many devices the axis has; 1 where there is none."""
    try:
        return jax.lax.axis_size(AXIS)
    except NameError:
        return 1


def _varies(x):
    """Whether jax keeps account of what varies along the axis, and x does."""
    kind = jax.typeof(x)
    return AXIS in (kind.manual_axis_type.varying if hasattr(kind, "manual_axis_type") else kind.vma)


def _checked():
    """Whether jax keeps such account: then it knows the gradients of exchanges itself."""
    return _varies(jax.lax.axis_index(AXIS))


def _varying(x):
    """Said to be of another value on each device, where jax keeps account of it."""
    return x if _varies(x) or not _checked() else jax.lax.pcast(x, AXIS, to="varying")
'''

_ALL_REDUCE = '''
def _all_reduce(x):
    """The sum over the devices; all go on with the same, so each has its whole gradient already."""
    if _devices() == 1:
        return x
    if _checked():
        return jax.lax.psum(_varying(x), AXIS)
    summed = jax.custom_vjp(lambda x: jax.lax.psum(x, AXIS))
    summed.defvjp(lambda x: (jax.lax.psum(x, AXIS), None), lambda _, gradient: (gradient,))
    return summed(x)
'''

_SHARED = '''
def _shared(x):
    """What all devices have alike; each goes another way from here, so a gradient is the sum of theirs."""
    if _devices() == 1:
        return x
    if _checked() and not _varies(x):
        return _varying(x)
    same = jax.custom_vjp(lambda x: x)
    same.defvjp(lambda x: (x, None), lambda _, gradient: (_varying(jax.lax.psum(gradient, AXIS)),))
    return same(x)
'''

_ALL_GATHER = '''
def _all_gather(x, shards):
    """The rows of all devices side by side; on one its own, as often as there are shards.  A gradient is that of its columns."""
    count = _devices()
    if count == 1:
        return jnp.tile(x, (1, shards))
    if count != shards:
        raise ValueError(f"all_gather over {shards} shards, and the axis {AXIS!r} has {count} devices")
    width = x.shape[1]
    if _checked():  # a sum of columns between zeros is known to be the same on all devices, joined columns are not
        columns = _varying(jnp.zeros((x.shape[0], count * width), x.dtype))
        return jax.lax.psum(jax.lax.dynamic_update_slice_in_dim(columns, _varying(x), jax.lax.axis_index(AXIS) * width, 1), AXIS)
    joined = jax.custom_vjp(lambda x: jax.lax.all_gather(x, AXIS, axis=1, tiled=True))

    def own(_, gradient):
        return (jax.lax.dynamic_slice_in_dim(gradient, jax.lax.axis_index(AXIS) * width, width, 1),)

    joined.defvjp(lambda x: (jax.lax.all_gather(x, AXIS, axis=1, tiled=True), None), own)
    return joined(x)
'''

_WHOLE = '''
def _whole(x):
    """A parameter that may be spread over the devices of a mesh (jax.set_mesh), whole on each of them."""
    mesh = jax.sharding.get_abstract_mesh()
    if mesh.empty or mesh.are_all_axes_manual:
        return x
    whole = jax.sharding.PartitionSpec()
    return jax.sharding.reshard(x, whole) if mesh.are_all_axes_explicit else jax.lax.with_sharding_constraint(x, whole)
'''

FUNCTIONS: Functions = {
    "_devices": (_AXIS, ()),
    "_all_reduce": (_ALL_REDUCE, ("_devices",)),
    "_shared": (_SHARED, ("_devices",)),
    "_all_gather": (_ALL_GATHER, ("_devices",)),
    "_whole": (_WHOLE, ()),
}
