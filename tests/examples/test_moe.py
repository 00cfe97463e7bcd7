"""`examples/moe` agrees with loops over tokens, heads and experts in NumPy; its choice of experts is a sorted one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from agreement import differences
from moe_numpy import Moe
from running import program, source_file
from tiny import EXAMPLES, MOE_INPUTS, values

PATH = str(EXAMPLES / "moe")
SIZES = {"Heads": 4, "KvHeads": 2, "HeadDim": 16, "TopK": 2, "Layers": 4, "Window": 4}


def assert_agree(entry: str, target: str, sizes: dict[str, int], inputs: dict[str, np.ndarray]) -> None:
    """Results and caches alike."""
    one = program(target, PATH, sizes, entry=entry, preset="tiny")
    weights, states = values(one.parameters), values(one.states)
    (given,), after = one.run(inputs, weights, states)
    loops = Moe(weights, states, {**SIZES, **sizes})
    wanted: Any = getattr(loops, entry)(**{name: value if value.ndim else int(value) for name, value in inputs.items()})
    assert differences(np.asarray(given), wanted.astype(np.float32), 1e-5) is None
    for path, cache in after.items():
        assert differences(np.asarray(cache), loops.caches[path].astype(np.float32), 1e-5) is None


class OtherResults(Moe):
    """Loops that are off by a thousandth in what they give."""

    def decode(self, **inputs: Any) -> np.ndarray:
        return super().decode(**inputs) * 1.001


class OtherCaches(Moe):
    """Loops that leave another cache."""

    def decode(self, **inputs: Any) -> np.ndarray:
        result = super().decode(**inputs)
        self.caches = {path: cache + 0.001 for path, cache in self.caches.items()}
        return result


@pytest.mark.parametrize("wrong", [OtherResults, OtherCaches])
def test_loops_that_differ_are_seen(wrong: type[Moe], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "Moe", wrong)
    with pytest.raises(AssertionError, match="differs by"):
        assert_agree("decode", "numpy", {}, MOE_INPUTS["decode"])


@pytest.mark.parametrize("target", ["numpy", "torch"])
@pytest.mark.parametrize("entry", list(MOE_INPUTS))
def test_every_entry_agrees_with_loops(entry: str, target: str) -> None:
    assert_agree(entry, target, {}, MOE_INPUTS[entry])


@pytest.mark.parametrize(
    "sizes",
    [
        pytest.param({"Experts": 3, "TopK": 3}, id="every expert is chosen"),
        pytest.param({"TopK": 1, "Window": 1}, id="one expert, a window of one"),
        pytest.param({"Experts": 1, "TopK": 1, "Heads": 3, "KvHeads": 1, "HeadDim": 6, "Layers": 2}, id="one expert there is"),
        pytest.param({"H": 32, "Inner": 96, "TopK": 4}, id="other widths"),
    ],
)
@pytest.mark.parametrize("entry", ["forward", "decode"])
def test_other_sizes_agree_with_loops(entry: str, sizes: dict[str, int]) -> None:
    assert_agree(entry, "torch", sizes, MOE_INPUTS[entry])


CHOICE = """
pub entry choose<R: Dim, E: Dim, K: Dim>(x: Tensor[R, E; f32]) -> (Tensor[R, K; i64], Tensor[R, K; f32]) {
    return highest<R, E, K, f32>(x)
}
"""


@pytest.mark.parametrize("target", ["numpy", "torch"])
def test_the_experts_are_those_of_a_stable_sort(target: str) -> None:
    """Also where scores are equal: the first of them comes first."""
    router = (EXAMPLES / "moe" / "src" / "router.linnet").read_text(encoding="utf-8")
    alone = source_file(router + CHOICE)
    x = np.random.default_rng(2).integers(0, 4, (50, 7)).astype(np.float32)
    one = program(target, alone, {"R": 50, "E": 7, "K": 5}, entry="choose")
    (experts, scores), _ = one.run({"x": x})
    wanted = np.argsort(-x, axis=1, kind="stable")[:, :5]
    assert np.array_equal(experts, wanted)
    assert np.array_equal(scores, np.take_along_axis(x, wanted, 1))
