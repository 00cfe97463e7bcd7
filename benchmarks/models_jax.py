"""The decode step of `examples/llama` in JAX, as one writes it by hand: a pure function that also answers the new caches.

In: `Sizes` as in `models_torch.py`.  Out: `decode(parameters, caches, token, pos)` and the shapes of its arguments.  The
natural form: caches go in and come out, rows are written with `dynamic_update_slice`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp


class Sizes(NamedTuple):
    """The preset `small` of the example, by its own names; `T` is f32."""

    Layers: int
    Vocab: int = 32000
    H: int = 512
    Heads: int = 8
    KvHeads: int = 4
    Inner: int = 1376
    Batch: int = 1
    MaxSeq: int = 4096


def arguments(sizes: Sizes) -> tuple[Any, Any, Any, Any]:
    """Shapes and dtypes of parameters, caches, token and position; no array is made."""
    size = sizes.H // sizes.Heads

    def array(*shape: int) -> jax.ShapeDtypeStruct:
        return jax.ShapeDtypeStruct(shape, jnp.float32)

    layer = {
        "input_norm": array(sizes.H),
        "q_proj": array(sizes.H, sizes.H),
        "k_proj": array(sizes.KvHeads * size, sizes.H),
        "v_proj": array(sizes.KvHeads * size, sizes.H),
        "o_proj": array(sizes.H, sizes.H),
        "post_attention_norm": array(sizes.H),
        "gate": array(sizes.Inner, sizes.H),
        "up": array(sizes.Inner, sizes.H),
        "down": array(sizes.H, sizes.Inner),
    }
    ends = {"embed_tokens": array(sizes.Vocab, sizes.H), "norm": array(sizes.H), "lm_head": array(sizes.Vocab, sizes.H)}
    cache = array(sizes.Batch, sizes.KvHeads, sizes.MaxSeq, size)
    return (
        {**ends, "layers": [layer] * sizes.Layers},
        [(cache, cache)] * sizes.Layers,
        jax.ShapeDtypeStruct((sizes.Batch, 1), jnp.int32),
        jax.ShapeDtypeStruct((), jnp.int32),
    )


def rms_norm(x: jax.Array, weight: jax.Array) -> jax.Array:
    """x / sqrt(mean(x^2) + eps) * weight."""
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * weight


def rotate(x: jax.Array, cos: jax.Array, sin: jax.Array) -> jax.Array:
    """Rotary positions of x [B, N, 1, D] by rows [1, D]."""
    first, second = jnp.split(x, 2, axis=-1)
    return x * cos + jnp.concatenate((-second, first), axis=-1) * sin


def attention(sizes: Sizes, layer: Any, x: jax.Array, cache: Any, rows: Any, mask: jax.Array, pos: jax.Array) -> tuple[jax.Array, Any]:
    """Grouped-query attention over the whole cache, masked; answers the new caches too."""
    batch, size = x.shape[0], sizes.H // sizes.Heads

    def heads(weight: jax.Array, count: int) -> jax.Array:
        return (x @ weight.T).reshape(batch, 1, count, size).transpose(0, 2, 1, 3)

    q = rotate(heads(layer["q_proj"], sizes.Heads), *rows)
    k = rotate(heads(layer["k_proj"], sizes.KvHeads), *rows)
    keys = jax.lax.dynamic_update_slice_in_dim(cache[0], k, pos, axis=2)
    values = jax.lax.dynamic_update_slice_in_dim(cache[1], heads(layer["v_proj"], sizes.KvHeads), pos, axis=2)
    grouped = q.reshape(batch, sizes.KvHeads, sizes.Heads // sizes.KvHeads, size)
    scores = jnp.where(mask, jnp.einsum("bngd,bnsd->bngs", grouped, keys) * size**-0.5, -1e30)
    y = jnp.einsum("bngs,bnsd->bngd", jax.nn.softmax(scores, -1), values)
    return y.reshape(batch, 1, sizes.H) @ layer["o_proj"].T, (keys, values)


def decode(sizes: Sizes) -> Any:
    """The decode step of these sizes."""
    size = sizes.H // sizes.Heads

    def step(parameters: Any, caches: Any, token: jax.Array, pos: jax.Array) -> tuple[jax.Array, Any]:
        angles = pos.astype(jnp.float32) * 500000.0 ** (-jnp.arange(0, size, 2).astype(jnp.float32) / size)
        angles = jnp.concatenate((angles, angles))[None]
        rows = (jnp.cos(angles), jnp.sin(angles))
        mask = jnp.arange(sizes.MaxSeq) <= pos
        x = parameters["embed_tokens"][token]
        written = []
        for layer, cache in zip(parameters["layers"], caches, strict=True):
            y, cache = attention(sizes, layer, rms_norm(x, layer["input_norm"]), cache, rows, mask, pos)
            written.append(cache)
            x = x + y
            y = rms_norm(x, layer["post_attention_norm"])
            x = x + (jax.nn.silu(y @ layer["gate"].T) * (y @ layer["up"].T)) @ layer["down"].T
        return rms_norm(x[:, 0], parameters["norm"]) @ parameters["lm_head"].T, written

    return step
