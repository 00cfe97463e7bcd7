"""The rules of the language that surprise: what each lets a program say, run on every target, and what it refuses, with its code.

A refused program is an accepted one with a word changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import torch
import torch.nn.functional as F
from one_run import HERE, POLICIES, TARGETS, Run, assert_clean, assert_gives
from running import program

from linnet_core.check.check import check
from linnet_core.errors import SourceError
from linnet_core.modules.load import load
from linnet_core.text.diagnostic import Diagnostics

if TYPE_CHECKING:
    from pathlib import Path

    from torch import Tensor

FOLDER = HERE / "rules"
FILES = sorted(FOLDER.glob("*.linnet"))
I32, I64 = torch.int32, torch.int64


def scalar(value: Any, dtype: torch.dtype = I32) -> Tensor:
    return torch.tensor(value, dtype=dtype)


def values() -> list[Run]:
    """Literals and sizes as numbers, generic arguments, defaults."""

    def beside(a: Tensor, b: Tensor, c: Tensor, d: Tensor) -> tuple[Tensor, ...]:
        return a & 15, b + 1, c.clamp(min=2), torch.where(d > 1, d, 7), scalar(1, torch.uint8) << (a & 7)

    def rotated(x: Tensor, by: int) -> Tensor:
        return ((x << by) | (x >> (32 - by))) & 0xFFFFFFFF

    def rounds(x: Tensor) -> Tensor:
        for by in (13, 26):
            x = ((x << by) ^ (x >> (32 - by))) & 0xFFFFFFFF
        return x

    def first(hit: Tensor) -> Tensor:
        return torch.where(hit.any(1), hit.int().argmax(1), hit.shape[1]).to(I32)

    def later(queries: int, keys: int) -> tuple[Tensor, Tensor]:
        shift = torch.arange(queries)[:, None] + (keys - queries)
        return torch.arange(keys) - shift, scalar(keys - queries)

    def defaults(x: Tensor, own_weight: Tensor, other_weight: Tensor, weight: Tensor) -> tuple[Tensor, ...]:
        return x * own_weight * 2, x * other_weight * 4, weight * 4

    heads = {"P": 2, "Batch": 3, "H": 10, "Heads": 5, "Shards": 2}
    return [
        Run("01_literals beside", beside, {"N": 5}, below=9),
        Run("01_literals branch", lambda x, m: torch.where(m, x, -1e30) * 2, {"N": 6, "T": "f32"}),
        Run("01_literals clamp", lambda x: x.clamp(-0.5, 0.5), {"N": 9, "T": "f32"}),
        Run("01_literals clamp f64", lambda x: x.clamp(-0.5, 0.5), {"N": 9, "T": "f64"}),
        Run("02_sizes_as_values counted", lambda limit: limit, {"MaxNew": 5}, given={"limit": 3}),
        Run("02_sizes_as_values counted most", lambda limit: scalar(5), {"MaxNew": 5}, given={"limit": 8}),
        Run("02_sizes_as_values first_or_length", first, {"B": 2, "N": 3}, given={"hit": [[False, True, True], [False] * 3]}),
        Run("02_sizes_as_values rotate", lambda x: rotated(x, 5), {"N": 4, "R": 5}, below=1 << 32),
        Run("02_sizes_as_values later", lambda: later(5, 3), {"Q": 5, "K": 3}),
        Run("02_sizes_as_values scaled", lambda x: x * (6 // 2) ** -0.5 / 12 + 6, {"B": 2, "H": 6, "Heads": 2}),
        Run("03_generic_arguments split", lambda x: x.unflatten(-1, (2, 2)).transpose(1, 2), {**heads, "T": "f32"}),
        Run("03_generic_arguments dequantize", lambda q, scale: q * scale[:, None], {"Out": 3, "In": 4, "T": "f32"}, below=100),
        Run("03_generic_arguments rounds", rounds, {"N": 4}, below=1 << 32),
        Run("04_defaults Model.run", defaults, {"H": 4, "T": "f32"}),
    ]


def names() -> list[Run]:
    """Reductions as names, members over imports, bare names, subscripts."""

    def reductions(x: Tensor) -> tuple[Tensor, ...]:
        total = 3 * x.sum()
        return x.sum(), total, torch.maximum(x, x.sum()), (x > total).any() & (x.sum() < total)

    def shadowed(x: Tensor, attention_bias: Tensor | None = None) -> Tensor:
        y = 2 * F.scaled_dot_product_attention(x, x, x, scale=1.0)
        return 2 * (y if attention_bias is None else y + attention_bias).sum(-1)

    def hidden(x: Tensor, layers_0_weight: Tensor, layers_1_weight: Tensor, **_: Tensor) -> Tensor:
        return 3 * x @ layers_1_weight.T + layers_0_weight[0]

    def logits(x: Tensor, lm_head_weight: Tensor, **given: Tensor) -> Tensor:
        return 2 * hidden(x, **given) @ lm_head_weight.T

    def nested(table: Tensor, ids: Tensor, wide: Tensor, lengths: Tensor) -> tuple[Tensor, ...]:
        rows, last = table[wide[ids.long()]], ids.gather(1, lengths.long()[:, None] - 1)[:, 0]
        return rows, wide[ids.long() + 1], last

    def based(at: Tensor) -> tuple[Tensor, ...]:
        keys = torch.arange(4, dtype=I32)
        return keys <= torch.arange(3)[:, None] + at, keys * 2, 1 + at

    lengths = {"ids": [[0, 1, 2], [2, 1, 0]], "lengths": [3, 1]}
    return [
        Run("05_reduction_names run", reductions, {"N": 4}),
        Run("06_shadowing Model.run absent", shadowed, {"D": 3, "B": 2, "S": 4}),
        Run("06_shadowing Model.run present", shadowed, {"D": 3, "B": 2, "S": 4}, optionals="present"),
        Run("07_bare_names Model.hidden", hidden, {"D": 3, "V": 4, "B": 2}),
        Run("07_bare_names Model.logits", logits, {"D": 3, "V": 4, "B": 2}),
        Run("08_subscripts counters", lambda keys: (keys[:2].sum(0), keys[0]), {"N": 3, "D": 4}),
        Run("08_subscripts nested", nested, {"B": 2, "S": 3, "N": 2, "V": 5}, given=lengths),
        Run("08_subscripts packed", lambda ids, table: table[ids.long()], {"S": "2,3", "V": 5, "H": 2}),
        Run("08_subscripts packed alone", lambda ids, table: table[ids.long()], {"S": "", "V": 5, "H": 2}),
        Run("08_subscripts based", based, {"Q": 3, "K": 4}),
    ]


def notation() -> list[Run]:
    """Reductions, logic of elements, ranges of indices, broadcasting."""

    def ranks(logits: Tensor) -> Tensor:
        order = logits.argsort(dim=1, descending=True, stable=True)
        return order.argsort(dim=1).to(I32)

    def broadcast(x: Tensor, weight: Tensor, scores: Tensor, mask: Tensor, temperature: Tensor) -> tuple[Tensor, ...]:
        return x * weight + temperature, torch.where(mask, scores, -1e30), torch.where(mask, temperature, 0.0), scores + 1

    shape = {"S": "2,3", "H": 4, "Q": 2, "K": 3, "B": 2, "N": 2}
    mean = {"S": 2, "H": 4}
    return [
        Run("09_reductions mean_square", lambda x: (x.square().mean(1), x.square().mean(1) + 1), mean),
        Run("09_reductions found", lambda hit: hit.sum(1) > 4, {"N": 5, "M": 3}),
        Run("09_reductions done", lambda tokens, eos: ((tokens == eos).all(), tokens.max()), {"B": 3}, given={"tokens": [2] * 3, "eos": 2}),
        Run("09_reductions done not", lambda tokens, eos: ((tokens == eos).all(), tokens.max()), {"B": 3}, given={"tokens": [2, 3, 2]}),
        Run("10_logic ranks", ranks, {"R": 2, "E": 4}, given={"logits": [[1.0, 3.0, 1.0, 2.0], [0.0, 0.0, 0.0, 0.5]]}),
        Run("10_logic both", lambda a, b: a & b | ~a, {"S": "4,5"}),
        Run("11_ranges outer", lambda a, b: torch.outer(b, a), {"M": 2, "N": 3}),
        Run("11_ranges stated", lambda a, b: (a @ b).diagonal(), {"M": 2, "N": 3, "K": 3}),
        Run("11_ranges halves", lambda x, w: (x.reshape(2, 3) * w).sum(1), {"H": 6, "P": 2}),
        Run("11_ranges diagonal", lambda x: x.diagonal(), {"N": 3}),
        Run("12_broadcast run", broadcast, shape),
    ]


def forms() -> list[Run]:
    """Lines, arms, optional values, state."""

    def arms(x: Tensor, bias: Tensor | None = None, gain: Tensor | None = None) -> Tensor:
        return x.mean(0) if bias is None or gain is None else (x * gain + bias).mean(0)

    def optionals(x: Tensor, extra: Tensor, weight: Tensor, bias: Tensor | None = None) -> tuple[Tensor, ...]:
        own = F.linear(x, weight, bias)
        return own, F.linear(x, weight, extra), own + x @ weight.T

    def stepped(x: Tensor, cache: Tensor, at: int) -> Tensor:
        """`cache` is changed."""
        cache[:, at] = x
        cache *= 0.5
        return cache.sum(1) + x

    def unrolled(x: Tensor, steps: int = 3) -> tuple[Tensor, Tensor]:
        cache = torch.zeros(2, 4, 3)
        for at in range(steps):
            x = stepped(x, cache, at)
        return x, cache

    def scanned(x: Tensor) -> Tensor:
        cache = torch.zeros(2, 4, 3)
        return torch.stack([stepped(row, cache, at) for at, row in enumerate(x)])

    memory = {"B": 2, "S": 4, "D": 3}
    return [
        Run("13_lines split", lambda x: x.reshape(2, 3), {"H": 12, "Heads": 4, "Shards": 2}),
        Run("13_lines chained", lambda a, b, c: (a + 2 * b, c & (a < b) | (b < a + 2 * b))),
        *(Run(f"14_arms Model.run {given}", arms, {"D": 3, "B": 2}, optionals=given) for given in ("absent", "present")),
        *(
            Run(f"15_optionals Model.run {given}", optionals, {"In": 3, "Out": 2, "B": 2}, optionals=given)
            for given in ("absent", "present")
        ),
        Run("16_states Model.unrolled", unrolled, memory),
        Run("16_states Model.looped", lambda x, steps: unrolled(x, int(steps))[0], memory, given={"steps": 2}),
        Run("16_states Model.looped full", lambda x, steps: unrolled(x, 4)[0], memory, given={"steps": 9}),
        Run("16_states Model.scanned", scanned, {**memory, "N": 4}),
    ]


def sizes() -> list[Run]:
    """What must hold, zero, strides."""

    def turned(x: Tensor, places: Tensor) -> Tensor:
        a, b = (x + places[:3]).unflatten(1, (2, 4)).split(2, -1)
        return torch.cat([-b, a], -1).flatten(1)

    model = {"H": 8, "Heads": 2, "Kv": 1, "Max": 4, "S": 3}
    return [
        Run("17_where Model.run", turned, model),
        Run("17_where similarity", lambda a, b: (a * b).sum(1), {"B": 2, "V": 3, "D": 3}),
        Run("18_zero padded", lambda x: (x, F.pad(x, (1, 1, 1, 1))), {"B": 1, "C": 2, "H": 3, "W": 2}),
        Run("18_zero padded nothing", lambda x: (x, F.pad(x, (1, 1, 1, 1))), {"B": 1, "C": 2, "H": 0, "W": 2}),
        Run("18_zero first_last", lambda x: (x[:, 0], x[:, -1]), {"B": 2, "S": 3, "D": 2}),
        Run("18_zero total", lambda x: (x.sum(), torch.ones(0)), {"N": 0}),
        Run("18_zero parts", lambda x: x.reshape(2, 0), {"H": 0, "P": 2}),
        Run("19_strides even", lambda x: (x[:, ::2], x[:, 1::2]), {"S": 2, "I": 3}),
        Run("19_strides odd", lambda x: (x[::2], x[1::2]), {"I": 3}),
        Run("19_strides halves", lambda x: torch.stack([x[::2], x[1::2]]), {"D": 6}),
        *(Run(f"19_strides thirds {n}", lambda x: x[::3], {"N": n}) for n in (0, 1, 3, 5)),
    ]


RUNS = [*values(), *names(), *notation(), *forms(), *sizes()]


@pytest.mark.parametrize("numerics", POLICIES)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("run", [pytest.param(run, id=run.id) for run in RUNS])
def test_the_entry_gives_what_torch_gives(run: Run, target: str, numerics: str) -> None:
    assert_gives(FOLDER, run, target, numerics)


@pytest.mark.parametrize("target", TARGETS)
def test_a_generic_that_nothing_infers_is_taken_as_written(target: str) -> None:
    """Twice as many numbers are drawn as `N` says, and the same each time."""
    one = program(target, str(FOLDER / "03_generic_arguments.linnet"), {"N": 3}, entry="drawn")
    (drawn, none), _ = one.run({"key": torch.tensor([0, 7]).numpy()})
    assert drawn.shape == (6,)
    assert len(set(drawn.tolist())) == 6
    assert all(0 <= value < 1 for value in drawn.tolist())
    assert none.tolist() == [0.0] * 3


@pytest.mark.parametrize("file", [pytest.param(file, id=file.stem) for file in FILES])
def test_the_program_is_clean_and_its_plan_reads_back(file: Path) -> None:
    assert_clean(file)


def test_every_program_is_run() -> None:
    assert {run.file for run in RUNS} == {file.stem for file in FILES}


def changed(file: str, old: str, new: str, folder: Path) -> Path:
    """A copy of a program with the first `old` made `new`."""
    text = (FOLDER / f"{file}.linnet").read_text(encoding="utf-8")
    assert old in text
    path = folder / f"{file}.linnet"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


ALSO = [
    ("in generic arguments", "13_lines", "cut<Heads / Shards, H / Heads>(x)", "cut<Heads /\n Shards, H\n / Heads\n>(x)"),
    ("in a type", "13_lines", "(Heads / Shards) * (H / Heads); f32]", "(Heads /\nShards)\n* (H / Heads)\n;\nf32\n]"),
    ("after an operator", "13_lines", "y + y - y", "y +\ny -\ny"),
    ("before an operator", "13_lines", "a + b * 2", "a\n+ b\n* 2"),
    ("after a comparison", "13_lines", "c && a < b || b < x", "c &&\na <\nb\n||\nb < x"),
    ("arms on one line", "14_arms", "First => shifted[0]\n", "First => shifted[0] "),
    ("a parenthesis after the arrow", "14_arms", "First => shifted[0]", "First => (shifted)[0]"),
    ("an expression for a default", "04_defaults", "Grouped<H, T, Group>", "Grouped<H, T, 2 * Group>"),
    ("the last is inferred", "03_generic_arguments", "Heads / Shards, H / Heads, T>(x)", "Heads / Shards, H / Heads>(x)"),
    ("arithmetic on an access", "08_subscripts", "let moved[b, s] = wide[next[b, s]]", "let moved[b, s] = wide[next[b, s] - 1]"),
    ("a constant without a type", "01_literals", "const LIMIT: f32 = 0.5", "const LIMIT = 0.5"),
]


@pytest.mark.parametrize(("file", "old", "new"), [pytest.param(*case, id=name) for name, *case in ALSO])
def test_this_is_accepted_too(file: str, old: str, new: str, tmp_path: Path) -> None:
    assert_clean(changed(file, old, new, tmp_path))


REFUSED = [
    ("E2103", "a constant with a type", "01_literals", "cast<T>(LIMIT)", "LIMIT"),
    ("E2105", "no byte", "01_literals", "a & 15", "a & -1"),
    ("E2105", "a fraction beside an integer", "01_literals", "b + 1,", "b + 1.5,"),
    ("E2205", "a divisor of sizes", "02_sizes_as_values", "cast<f32>(H / Heads)", "cast<f32>(H / (Heads - 1))"),
    ("E1201", "a size that is not there", "02_sizes_as_values", "iota<i32>(N)", "iota<i32>(M)"),
    ("E2110", "nothing infers it", "03_generic_arguments", "uniform<2 * N, f32>(key)", "uniform(key)"),
    ("E2110", "only the result has it", "03_generic_arguments", "dequantize_int8<[Out], In, T>", "dequantize_int8<[Out], In>"),
    ("E2111", "a size for a shape", "03_generic_arguments", "dequantize_int8<[Out], In, T>", "dequantize_int8<Out, In, T>"),
    ("E2206", "a number that may not be", "03_generic_arguments", "round<N, 13>(x)", "round<N, 32>(x)"),
    ("E2111", "no default", "04_defaults", "Grouped<H, T>", "Grouped"),
    ("E2205", "a default that may not be", "04_defaults", "Shards > 0,\n    Group > 0", "Group > 0"),
    ("E1207", "a name of the prelude", "05_reduction_names", "let total = prod", "let max = prod\n    let total = prod"),
    ("E1101", "a value of that name indexed", "05_reduction_names", "sum < total", "any[0] < total"),
    ("E1201", "an index is gone after its statement", "06_shadowing", "some(b) => y + b", "some(b) => y + d"),
    (
        "E1201",
        "a local before it is declared",
        "06_shadowing",
        "let logits = ",
        "let y = late\n        let late = x\n        let logits = ",
    ),
    ("E1103", "self", "07_bare_names", "hidden(x)\n", "self.hidden(x)\n"),
    ("E3104", "arithmetic on an index", "08_subscripts", "table[wide[ids[b, s]], n]", "table[ids[b, s + 1], n]"),
    ("E3101", "an index nobody binds", "08_subscripts", "keys[i, j]", "keys[q, j]"),
    ("E3106", "a pack without its star", "08_subscripts", "table[ids[*s], h]", "table[ids[s], h]"),
    ("E2112", "the comparison is summed", "09_reductions", "(sum<i32>[m] hit[n, m]) > 4", "sum<i32>[m] hit[n, m] > 4"),
    ("E2116", "whole tensors", "10_logic", "a & b", "a && b"),
    ("E2201", "not provably equal", "11_ranges", "where K == N ", "where K >= N "),
    ("E2114", "no mask", "12_broadcast", "select(mask, scores, -1e30)", "select(x, scores, -1e30)"),
    ("E2103", "another dtype", "12_broadcast", "x * weight + temperature", "x * cast<f16>(weight)"),
    ("E2207", "the wrong axis", "12_broadcast", "fill<f32>([1, Q, 1], 1.0)", "fill<f32>([N, 1], 1.0)"),
    ("E1101", "a comma", "14_arms", "First => shifted[0]", "First => shifted[0],"),
    ("E1101", "an arm that begins with a parenthesis", "14_arms", "Mean => mean(shifted)", "(Mean) => mean(shifted)"),
    ("E2118", "a variant is left out", "14_arms", "First => shifted[0]", ""),
    ("E2101", "not wrapped", "15_optionals", "some(extra)", "extra"),
    ("E2102", "left out without a default", "15_optionals", "weight, bias) + added", "weight) + added"),
    ("E2108", "a child", "16_states", "y = memory.step(y, cast<i32>(i))", "memory = y"),
    ("E2109", "a part of it", "16_states", "cache = cache * 0.5", "cache = cache[0]"),
    ("E2206", "not stated where it is called", "17_where", "        S <= Max,\n        Shards == 1\n", "        S <= Max\n"),
    ("E2206", "not what is asked", "17_where", "(H / Heads) % 2 == 0", "H % 2 == 0"),
    ("E2206", "equality", "17_where", "where V == D {\n    return product", "{\n    return product"),
    ("E2209", "outside for all sizes", "18_zero", "x[:, S - 1, :]", "x[:, S, :]"),
    ("E2205", "a divisor that may be zero", "18_zero", "    P > 0,\n", ""),
    ("E2202", "one more", "19_strides", "x[1::2])\n}\n\npub entry halves", "x[::2])\n}\n\npub entry halves"),
    ("E2202", "rounded down", "19_strides", "(N + 2) / 3", "N / 3"),
]


@pytest.mark.parametrize(("code", "file", "old", "new"), [pytest.param(c, *rest, id=f"{rest[0][:2]} {name}") for c, name, *rest in REFUSED])
def test_this_is_refused(code: str, file: str, old: str, new: str, tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    package = load(str(changed(file, old, new, tmp_path)), diagnostics=diagnostics)
    if package is not None:
        check(package, diagnostics)
    assert [found.code for found in diagnostics.found] == [code]


UNBOUND = [
    pytest.param("18_zero", "first_last", {"B": 2, "S": 0, "D": 2}, id="no first position"),
    pytest.param("18_zero", "parts", {"H": 5, "P": 2}, id="no multiple"),
    pytest.param("17_where", "similarity", {"B": 2, "V": 3, "D": 4}, id="not equal"),
    pytest.param("17_where", "run", {"H": 8, "Heads": 2, "Kv": 1, "Max": 3, "S": 3}, id="the one size that may not be"),
    pytest.param("17_where", "run", {"H": 8, "Heads": 2, "Kv": 1, "Max": 4, "S": 5}, id="more than there are"),
    pytest.param("17_where", "run", {"H": 8, "Heads": 2, "Kv": 1, "Max": 4, "S": 3, "Shards": 2}, id="not one shard"),
]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("file", "entry", "bindings"), UNBOUND)
def test_these_sizes_are_refused_when_they_are_bound(file: str, entry: str, bindings: dict[str, int], target: str) -> None:
    root = "Model" if entry == "run" else None
    with pytest.raises(SourceError) as raised:
        program(target, str(FOLDER / f"{file}.linnet"), bindings, entry=entry, root=root)
    assert [found.code for found in raised.value.diagnostics] == ["E6002"]
