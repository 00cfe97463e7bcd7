"""Public decoders as whole models or layers of their own: run against PyTorch, and exported at the sizes the public ones are bound to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from one_run import HERE, POLICIES, TARGETS, Run, assert_clean, assert_gives
from running import program

from linnet_core.errors import SourceError

if TYPE_CHECKING:
    from pathlib import Path

    from torch import Tensor

FOLDER = HERE / "decoders"
FILES = sorted(FOLDER.glob("*.linnet"))


def heads(x: Tensor, count: int) -> Tensor:
    return x.unflatten(-1, (count, -1)).transpose(-3, -2)


def norm(x: Tensor, weight: Tensor, eps: float = 1e-6) -> Tensor:
    return F.rms_norm(x, x.shape[-1:], weight, eps)


def turned(x: Tensor, rates: Tensor) -> Tensor:
    """Rotary positions of [..., S, D]."""
    angles = torch.arange(x.shape[-2])[:, None] * rates
    a, b = x.chunk(2, -1)
    return torch.cat((a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()), -1)


def near(length: int, window: int) -> Tensor:
    at = torch.arange(length)
    return (at <= at[:, None]) & (at > at[:, None] - window)


QWEN3 = {"Vocab": 11, "H": 12, "Heads": 6, "KvHeads": 2, "HeadDim": 4, "Inner": 7, "Layers": 2, "Batch": 1, "MaxSeq": 1, "T": "f32"}


def qwen3() -> list[Run]:
    def hidden(tokens: Tensor, weights: dict[str, Tensor]) -> Tensor:
        x, rates = weights["embed_tokens_weight"][tokens], 1e6 ** (-torch.arange(2) / 2)
        for layer in range(2):
            w = {name.removeprefix(f"layers_{layer}_"): value for name, value in weights.items()}
            own = norm(x, w["input_norm_weight"])
            q = turned(norm(heads(own @ w["q_proj_weight"].T, 6), w["q_norm_weight"]), rates)
            k = turned(norm(heads(own @ w["k_proj_weight"].T, 2), w["k_norm_weight"]), rates)
            y = F.scaled_dot_product_attention(q, k, heads(own @ w["v_proj_weight"].T, 2), is_causal=True, enable_gqa=True)
            x = x + y.transpose(-3, -2).flatten(-2) @ w["o_proj_weight"].T
            own = norm(x, w["post_norm_weight"])
            gate = F.silu(own @ w["mlp_gate_weight"].T)
            x = x + gate * (own @ w["mlp_up_weight"].T) @ w["mlp_down_weight"].T
        return norm(x, weights["norm_weight"])

    def forward(tokens: Tensor, **weights: Tensor) -> Tensor:
        return hidden(tokens, weights) @ weights["lm_head_weight"].T

    def each(tokens: Tensor, targets: Tensor, **weights: Tensor) -> Tensor:
        return F.cross_entropy(forward(tokens, **weights), targets, reduction="none")

    return [
        Run("qwen3 Model.forward", forward, QWEN3 | {"B": 2, "S": 5}),
        Run("qwen3 Model.log_probs", lambda **given: -each(**given), QWEN3 | {"P": 5}),
        Run("qwen3 Model.loss", lambda weights, **given: (each(**given) * weights).sum(), QWEN3 | {"P": 5}),
    ]


def llama_fp8() -> list[Run]:
    def forward(x: Tensor, **weights: Tensor) -> Tensor:
        def layer(x: Tensor, name: str) -> Tensor:
            return x @ (weights[f"{name}_weight"].view(torch.float8_e4m3fn).float() * weights[f"{name}_scale"]).T

        return layer(F.silu(layer(x, "gate_proj")) * layer(x, "up_proj"), "down_proj")

    return [Run("llama_fp8 Mlp.forward", forward, {"H": 6, "Inner": 9, "S": "2,3", "T": "f32"}, below=127)]


def phi3(max_seq: int) -> Run:
    def forward(x: Tensor, **w: Tensor) -> Tensor:
        rates = 10000.0 ** (-torch.arange(2) / 2) / w["long_factor" if max_seq > 8 else "short_factor"].abs()
        q, k, v = (heads(part, 3) for part in (x @ w["qkv_proj"].T).chunk(3, -1))
        y = F.scaled_dot_product_attention(turned(q, rates), turned(k, rates), v, near(6, 3))
        x = x + y.transpose(-3, -2).flatten(-2) @ w["o_proj"].T
        gate, up = (x @ w["gate_up_proj"].T).chunk(2, -1)
        return x + up * F.silu(gate) @ w["down_proj"].T

    sizes = {"H": 12, "Heads": 3, "Inner": 7, "Window": 3, "MaxSeq": max_seq, "T": "f32", "B": 2, "S": 6}
    return Run(f"phi3 Layer.forward {max_seq}", forward, sizes, given={"short_factor": [1.0, 1.5], "long_factor": [1.25, 4.0]})


def mistral() -> list[Run]:
    def run(xs: Tensor, q_proj_weight: Tensor, k_proj_weight: Tensor, v_proj_weight: Tensor, o_proj_weight: Tensor) -> Tensor:
        q, k, v = heads(xs @ q_proj_weight.T, 4), heads(xs @ k_proj_weight.T, 2), heads(xs @ v_proj_weight.T, 2)
        y = F.scaled_dot_product_attention(q, k, v, near(xs.shape[1], 3), enable_gqa=True)
        return (y.transpose(1, 2).flatten(2) @ o_proj_weight.T).transpose(0, 1)

    sizes = {"H": 5, "Heads": 4, "KvHeads": 2, "HeadDim": 3, "Window": 3, "Batch": 2, "T": "f32"}
    return [Run("mistral Attention.run", run, sizes | {"Steps": 7})]


def qwen25() -> list[Run]:
    def forward(tokens: Tensor, embed_tokens_weight: Tensor, k_proj_weight: Tensor, k_proj_bias: Tensor, o_proj_weight: Tensor) -> Tensor:
        keys = F.linear(embed_tokens_weight[tokens], k_proj_weight, k_proj_bias)
        return keys @ o_proj_weight.T @ embed_tokens_weight.T

    return [Run("qwen25 Tied.forward", forward, {"Vocab": 7, "H": 5, "KvHeads": 2, "HeadDim": 3, "T": "f32", "B": 2, "S": 3})]


GPT_OSS: dict[str, Any] = {
    "Vocab": 250, "H": 32, "Heads": 6, "KvHeads": 2, "HeadDim": 4, "Inner": 32,
    "Experts": 5, "TopK": 2, "Layers": 4, "Window": 2, "Batch": 1, "MaxSeq": 16, "T": "f32",
}  # fmt: skip


def gpt_oss() -> list[Run]:
    numbers = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])

    def experts(x: Tensor, at: str, w: dict[str, Tensor]) -> Tensor:
        """[R, In] or [E, R, In] to [E, R, Out]."""
        blocks = w[f"{at}_blocks"]
        pairs = torch.stack([numbers[(blocks & 15).long()], numbers[(blocks >> 4).long()]], -1).flatten(-2)
        weight = (pairs * torch.exp2(w[f"{at}_scales"].float() - 127)[..., None]).flatten(2)
        return x @ weight.mT + w[f"{at}_bias"][:, None]

    def states(tokens: Tensor, **weights: Tensor) -> Tensor:
        x = weights["embed_tokens_weight"][tokens]
        for layer in range(4):
            at = f"pairs_{layer // 2}_{'full' if layer % 2 else 'sliding'}_"
            w = {name.removeprefix(at): value for name, value in weights.items() if name.startswith(at)}
            q, k, v = (
                heads(F.linear(x, w[f"{name}_proj_weight"], w[f"{name}_proj_bias"]), count)
                for name, count in (("q", 6), ("k", 2), ("v", 2))
            )
            scores = (q @ k.repeat_interleave(3, 1).mT / 2).masked_fill(~near(x.shape[1], 16 if layer % 2 else 2), -torch.inf)
            sinks = w["sinks"][:, None, None].expand(len(x), -1, x.shape[1], 1)
            y = torch.cat((scores, sinks), -1).softmax(-1)[..., :-1] @ v.repeat_interleave(3, 1)
            x = x + F.linear(y.transpose(1, 2).flatten(2), w["o_proj_weight"], w["o_proj_bias"])
            rows = x.flatten(0, 1)
            top = F.linear(rows, w["router_weight"], w["router_bias"]).topk(2)
            shares = torch.zeros(len(rows), 5).scatter(1, top.indices, top.values.softmax(-1))
            both = experts(rows, "gate_up", w)
            gate, up = both[..., 0::2].clamp(max=7), both[..., 1::2].clamp(-7, 7)
            each = experts(gate * torch.sigmoid(1.702 * gate) * (up + 1), "down", w)
            x = x + torch.einsum("re,erh->rh", shares, each).view_as(x)
        return norm(x, weights["norm_weight"], 1e-5)

    places = [f"pairs.{pair}.{layer}.{part}.scales" for pair in range(2) for layer in ("sliding", "full") for part in ("gate_up", "down")]
    rows = {"gate_up": 64, "down": 32}
    random = np.random.default_rng(1)
    scales = {place: random.integers(121, 125, (5, rows[place.split(".")[3]], 1)) for place in places}
    return [Run("gpt_oss Model.states", states, GPT_OSS | {"B": 2, "S": 5}, below=250, given=scales, optionals="present")]


RUNS = [*qwen3(), *llama_fp8(), phi3(8), phi3(9), *mistral(), *qwen25(), *gpt_oss()]


@pytest.mark.parametrize("numerics", POLICIES)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("run", [pytest.param(run, id=run.id) for run in RUNS])
def test_the_entry_gives_what_torch_gives(run: Run, target: str, numerics: str) -> None:
    assert_gives(FOLDER, run, target, numerics)


@pytest.mark.parametrize("file", [pytest.param(file, id=file.stem) for file in FILES])
def test_the_program_is_clean_and_its_plan_reads_back(file: Path) -> None:
    assert_clean(file)


def test_every_program_is_run() -> None:
    assert {run.file for run in RUNS} == {file.stem for file in FILES}


QWEN3_4B = {
    "Vocab": 151936, "H": 2560, "Heads": 32, "KvHeads": 8, "HeadDim": 128, "Inner": 9728, "Layers": 36,
    "Batch": 1, "MaxSeq": 4096, "T": "bf16",
}  # fmt: skip
GPT_OSS_20B = {
    "Vocab": 201088, "H": 2880, "Heads": 64, "KvHeads": 8, "HeadDim": 64, "Inner": 2880, "Experts": 32, "TopK": 4, "Layers": 24,
    "Window": 128, "Batch": 1, "MaxSeq": 4096, "T": "bf16", "B": 1, "S": 8,
}  # fmt: skip
REAL = [
    pytest.param("qwen3", "Model.forward", QWEN3_4B | {"B": 1, "S": 8}, id="qwen3-4b forward"),
    pytest.param("qwen3", "Model.loss", QWEN3_4B | {"P": 8}, id="qwen3-4b loss"),
    pytest.param("llama_fp8", "Mlp.forward", {"H": 4096, "Inner": 14336, "S": "1,8"}, id="llama-3.1-8b-fp8"),
    pytest.param(
        "phi3", "Layer.forward", {"H": 3072, "Heads": 32, "Inner": 8192, "Window": 2047, "MaxSeq": 4096, "B": 1, "S": 8}, id="phi-3-mini"
    ),
    pytest.param("gpt_oss", "Model.states", GPT_OSS_20B, id="gpt-oss-20b"),
]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("file", "entry", "sizes"), REAL)
def test_it_is_printed_at_its_real_size(file: str, entry: str, sizes: dict[str, Any], target: str) -> None:
    root, _, name = entry.partition(".")
    compile(program(target, str(FOLDER / f"{file}.linnet"), sizes, root=root, entry=name).source, "<printed>", "exec")


def test_a_loss_for_one_shard_is_refused_for_two() -> None:
    with pytest.raises(SourceError, match="Shards == 1"):
        program("numpy", str(FOLDER / "qwen3.linnet"), QWEN3 | {"P": 5, "Vocab": 12, "Inner": 8, "Shards": 2}, root="Model", entry="loss")


def test_a_window_longer_than_the_run_sees_all() -> None:
    """The cache of mistral, before it begins again."""
    one = program("numpy", str(FOLDER / "mistral.linnet"), mistral()[0].bindings | {"Window": 9}, root="Attention", entry="run")
    states = {leaf.path: np.zeros(leaf.shape, np.float32) for leaf in one.states}
    weights = {leaf.path: np.full(leaf.shape, 0.5, np.float32) for leaf in one.parameters}
    xs = np.arange(70, dtype=np.float32).reshape(2, 7, 5) / 70
    _, after = one.run({"xs": xs}, weights, states)
    keys = xs @ weights["k_proj.weight"].T
    assert np.allclose(after["keys"][:, :, :7], keys.reshape(2, 7, 2, 3).transpose(0, 2, 1, 3), atol=1e-6)
    assert not after["keys"][:, :, 7:].any()
