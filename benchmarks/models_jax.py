"""The model of `examples/llama` in JAX, as one writes it by hand: a pure function that also answers the new caches.

In: `Sizes` as in `models_torch.py`.  Out: `step(parameters, caches, tokens, pos)`, the shapes of its arguments, and the parameters and
caches of given arrays by their names in the example.  The natural form: caches go in and come out, rows are written with
`dynamic_update_slice`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    from collections.abc import Mapping


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


def loaded(sizes: Sizes, arrays: Mapping[str, Any]) -> tuple[Any, Any]:
    """Parameters and caches as `step` takes them, of arrays by path."""
    layers = [
        {
            "input_norm": arrays[f"layers.{i}.input_norm.weight"],
            "q_proj": arrays[f"layers.{i}.attention.q_proj.weight"],
            "k_proj": arrays[f"layers.{i}.attention.k_proj.weight"],
            "v_proj": arrays[f"layers.{i}.attention.v_proj.weight"],
            "o_proj": arrays[f"layers.{i}.attention.o_proj.weight"],
            "post_attention_norm": arrays[f"layers.{i}.post_attention_norm.weight"],
            "gate": arrays[f"layers.{i}.mlp.gate.weight"],
            "up": arrays[f"layers.{i}.mlp.up.weight"],
            "down": arrays[f"layers.{i}.mlp.down.weight"],
        }
        for i in range(sizes.Layers)
    ]
    ends = {name: arrays[f"{name}.weight"] for name in ("embed_tokens", "norm", "lm_head")}
    caches = [(arrays[f"layers.{i}.attention.keys"], arrays[f"layers.{i}.attention.values"]) for i in range(sizes.Layers)]
    return jax.tree.map(jnp.asarray, ({**ends, "layers": layers}, caches))


def rms_norm(x: jax.Array, weight: jax.Array) -> jax.Array:
    """x / sqrt(mean(x^2) + eps) * weight."""
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * weight


def rotate(x: jax.Array, cos: jax.Array, sin: jax.Array) -> jax.Array:
    """Rotary positions of x [B, N, Q, D] by rows [Q, D]."""
    first, second = jnp.split(x, 2, axis=-1)
    return x * cos + jnp.concatenate((-second, first), axis=-1) * sin


def attention(sizes: Sizes, layer: Any, x: jax.Array, cache: Any, rows: Any, mask: jax.Array, pos: jax.Array) -> tuple[jax.Array, Any]:
    """Grouped-query attention over the whole cache, masked; answers the new caches too."""
    (batch, length, _), size = x.shape, sizes.H // sizes.Heads

    def heads(weight: jax.Array, count: int) -> jax.Array:
        return (x @ weight.T).reshape(batch, length, count, size).transpose(0, 2, 1, 3)

    q = rotate(heads(layer["q_proj"], sizes.Heads), *rows)
    k = rotate(heads(layer["k_proj"], sizes.KvHeads), *rows)
    keys = jax.lax.dynamic_update_slice_in_dim(cache[0], k, pos, axis=2)
    values = jax.lax.dynamic_update_slice_in_dim(cache[1], heads(layer["v_proj"], sizes.KvHeads), pos, axis=2)
    grouped = q.reshape(batch, sizes.KvHeads, sizes.Heads // sizes.KvHeads, length, size)
    scores = jnp.where(mask, jnp.einsum("bngqd,bnsd->bngqs", grouped, keys) * size**-0.5, -1e30)
    y = jnp.einsum("bngqs,bnsd->bqngd", jax.nn.softmax(scores, -1), values)
    return y.reshape(batch, length, sizes.H) @ layer["o_proj"].T, (keys, values)


def decoder(sizes: Sizes) -> Any:
    """A step of these sizes: of one token it is a decode step, of more a prefill."""
    size = sizes.H // sizes.Heads

    def step(parameters: Any, caches: Any, tokens: jax.Array, pos: jax.Array) -> tuple[jax.Array, Any]:
        at = pos + jnp.arange(tokens.shape[1])
        angles = jnp.outer(at.astype(jnp.float32), 500000.0 ** (-jnp.arange(0, size, 2).astype(jnp.float32) / size))
        angles = jnp.concatenate((angles, angles), axis=-1)
        rows = (jnp.cos(angles), jnp.sin(angles))
        mask = jnp.arange(sizes.MaxSeq) <= at[:, None]
        x = parameters["embed_tokens"][tokens]
        written = []
        for layer, cache in zip(parameters["layers"], caches, strict=True):
            y, cache = attention(sizes, layer, rms_norm(x, layer["input_norm"]), cache, rows, mask, pos)
            written.append(cache)
            x = x + y
            y = rms_norm(x, layer["post_attention_norm"])
            x = x + (jax.nn.silu(y @ layer["gate"].T) * (y @ layer["up"].T)) @ layer["down"].T
        return rms_norm(x[:, -1], parameters["norm"]) @ parameters["lm_head"].T, written

    return step
