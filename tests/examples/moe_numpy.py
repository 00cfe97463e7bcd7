"""`examples/moe` once more in NumPy, with loops over tokens, heads and experts, in `f64`.

In: sizes, parameters and caches by path.  Out: `Moe`, whose methods are the package's entries; the caches are written in place.
"""

from __future__ import annotations

import numpy as np

Arrays = dict[str, np.ndarray]

#: The values of four bits in MXFP4 without a sign.
FP4 = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)


def unpacked(blocks: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """[..., G, 16] bytes and [..., G] exponents to [..., G * 32] numbers, byte by byte."""
    found = np.zeros((*blocks.shape[:-1], 32))
    for place in np.ndindex(blocks.shape):
        byte = int(blocks[place])
        for half, bits in enumerate((byte & 15, byte >> 4)):
            found[(*place[:-1], 2 * place[-1] + half)] = (-1 if bits & 8 else 1) * FP4[bits & 7] * 2.0 ** (int(scales[place[:-1]]) - 127)
    return found.reshape(*blocks.shape[:-2], -1)


def rates(size: int) -> np.ndarray:
    """The rates of the angles as YaRN has them: base 150000, stretched by 32 from 4096 positions, between 32 turns and one."""
    found = []
    edges = [size * np.log(4096 / (turns * 2 * np.pi)) / (2 * np.log(150000.0)) for turns in (32.0, 1.0)]
    for i in range(size // 2):
        plain = 150000.0 ** (-2 * i / size)
        slowed = min(max((i - edges[0]) / (edges[1] - edges[0]), 0.0), 1.0)
        found.append(plain * (1 - slowed) + plain / 32 * slowed)
    return np.array(found)


def norm(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * weight


def turned(x: np.ndarray, position: int) -> np.ndarray:
    """One head's vector at a position."""
    angles = position * rates(len(x))
    cos, sin = (np.tile(f(angles), 2) * (0.1 * np.log(32.0) + 1) for f in (np.cos, np.sin))
    half = len(x) // 2
    return x * cos + np.concatenate((-x[half:], x[:half])) * sin


class Moe:
    """Sizes by the package's own names."""

    def __init__(self, parameters: Arrays, states: Arrays, sizes: dict[str, int]) -> None:
        self.sizes = sizes
        self.weights = {path: value.astype(np.float64) for path, value in parameters.items() if value.dtype != np.uint8}
        for path, blocks in parameters.items():
            if path.endswith("_blocks"):
                self.weights[path.removesuffix("_blocks")] = unpacked(blocks, parameters[path.removesuffix("blocks") + "scales"])
        self.caches = {path: value.astype(np.float64) for path, value in states.items()}

    def dense(self, path: str, x: np.ndarray) -> np.ndarray:
        return x @ self.weights[f"{path}.weight"].T + self.weights[f"{path}.bias"]

    def attend(self, at: str, x: np.ndarray, positions: list[int], window: int, row: int | None) -> np.ndarray:
        """One sequence [S, H] at the positions given; `row` is its row of the caches, None for a sequence that is not kept."""
        heads, few, size = self.sizes["Heads"], self.sizes["KvHeads"], self.sizes["HeadDim"]
        q, k, v = (self.dense(f"{at}.self_attn.{name}_proj", x).reshape(len(x), -1, size) for name in "qkv")
        k = np.array([[turned(head, p) for head in token] for token, p in zip(k, positions, strict=True)])
        if row is None:
            kept_keys, kept_values, where = k, v, positions
        else:
            cache_keys, cache_values = (self.caches[f"{at}.self_attn.{name}"][row] for name in ("keys", "values"))
            cache_keys[:, positions], cache_values[:, positions] = k.transpose(1, 0, 2), v.transpose(1, 0, 2)
            kept_keys, kept_values = cache_keys.transpose(1, 0, 2), cache_values.transpose(1, 0, 2)
            where = list(range(len(kept_keys)))
        out = np.zeros((len(x), heads, size))
        for s, p in enumerate(positions):
            seen = [n for n, place in enumerate(where) if p - window < place <= p]
            for head in range(heads):
                key = head // (heads // few)
                scores = [turned(q[s, head], p) @ kept_keys[n, key] / np.sqrt(size) for n in seen]
                sized = np.exp([*scores, self.weights[f"{at}.self_attn.sinks"][head]])
                out[s, head] = sum(w * kept_values[n, key] for w, n in zip(sized[:-1], seen, strict=True)) / sized.sum()
        return self.dense(f"{at}.self_attn.o_proj", out.reshape(len(x), -1))

    def feed(self, at: str, x: np.ndarray) -> np.ndarray:
        """One token: the experts with the highest scores, one after another."""
        scores = self.dense(f"{at}.mlp.router", x)
        chosen = sorted(range(len(scores)), key=lambda e: (-scores[e], e))[: self.sizes["TopK"]]
        shares = np.exp(scores[chosen]) / np.exp(scores[chosen]).sum()
        experts = f"{at}.mlp.experts"
        y = np.zeros_like(x)
        for expert, share in zip(chosen, shares, strict=True):
            both = self.weights[f"{experts}.gate_up_proj"][expert] @ x + self.weights[f"{experts}.gate_up_proj_bias"][expert]
            gate, up = np.minimum(both[0::2], 7), np.clip(both[1::2], -7, 7)
            inner = gate / (1 + np.exp(-1.702 * gate)) * (up + 1)
            y += share * (self.weights[f"{experts}.down_proj"][expert] @ inner + self.weights[f"{experts}.down_proj_bias"][expert])
        return y

    def sequence(self, tokens: np.ndarray, positions: list[int], row: int | None = None) -> np.ndarray:
        """The states of one sequence [S, H]."""
        x = self.weights["embed_tokens.weight"][tokens]
        for layer in range(self.sizes["Layers"]):
            at = f"pairs.{layer // 2}.{'far' if layer % 2 else 'near'}"
            window = len(self.weights["embed_tokens.weight"]) if layer % 2 else self.sizes["Window"]
            x = x + self.attend(at, norm(x, self.weights[f"{at}.input_layernorm.weight"]), positions, window, row)
            normed = norm(x, self.weights[f"{at}.post_attention_layernorm.weight"])
            x = x + np.array([self.feed(at, token) for token in normed])
        return norm(x, self.weights["norm.weight"])

    def head(self, states: np.ndarray) -> np.ndarray:
        return states @ self.weights["lm_head.weight"].T

    def states(self, tokens: np.ndarray) -> np.ndarray:
        return np.array([self.sequence(row, list(range(len(row)))) for row in tokens])

    def forward(self, tokens: np.ndarray) -> np.ndarray:
        return self.head(self.states(tokens))

    def next_token(self, tokens: np.ndarray) -> np.ndarray:
        return self.forward(tokens)[:, -1]

    def prefill(self, tokens: np.ndarray, pos: int) -> np.ndarray:
        places = [pos + s for s in range(tokens.shape[1])]
        return self.head(np.array([self.sequence(row, places, number)[-1] for number, row in enumerate(tokens)]))

    def decode(self, token: np.ndarray, pos: int) -> np.ndarray:
        return self.prefill(token, pos)

    def decode_rows(self, tokens: np.ndarray, positions: np.ndarray) -> np.ndarray:
        rows = enumerate(zip(tokens, positions, strict=True))
        return self.head(np.array([self.sequence(row, [int(p)], number)[-1] for number, (row, p) in rows]))

    def prefill_slots(self, tokens: np.ndarray, slots: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        found = zip(tokens, slots, lengths, strict=True)
        return self.head(np.array([self.sequence(row, list(range(len(row))), int(slot))[length - 1] for row, slot, length in found]))
