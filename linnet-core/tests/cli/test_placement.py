"""`--place`, `--offload` and `--fully-shard` on the command line: how they are read, and what a target without devices says."""

from __future__ import annotations

import pytest

from linnet_core.cli.options import slots
from linnet_core.errors import UsageError

PROGRAM = """module m
block Gate {
    param w: Tensor[2; f32]
    pub fn forward(x: Tensor[2; f32]) -> Tensor[2; f32] { return x * w }
}
block M {
    sub gate: Gate
    entry run(x: Tensor[2; f32]) -> Tensor[2; f32] { return gate.forward(x) }
}
"""


def test_a_later_slot_of_a_block_wins() -> None:
    assert slots(["a=1", "b.0= 2", "a=3"]) == {"a": 3, "b.0": 2}


@pytest.mark.parametrize("text", ["a", "=1", "", "a=", "a=x", "a=1.0", "a=²", "a=99999999999999999999"])
def test_what_is_no_block_and_slot_is_refused_by_its_flag(text: str) -> None:
    with pytest.raises(UsageError, match="--place"):
        slots([text])


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        pytest.param(
            ("--place", "gate=1"),
            1,
            ("the target `numpy` cannot place", "help: leave out --place, or use a target that can: torch"),
            id="place",
        ),
        pytest.param(
            ("--offload", "gate"),
            1,
            ("the target `numpy` cannot place", "help: leave out --offload, or use a target that can: torch"),
            id="offload",
        ),
        pytest.param(
            ("--fully-shard", "gate"),
            1,
            (
                "the target `numpy` cannot gather sharded parameters",
                "help: leave out --fully-shard, or use a target that can: jax, torch",
            ),
            id="shard",
        ),
        pytest.param(("--place", "gate"), 2, ("--place takes BLOCK=SLOT, not `gate`",), id="no-slot"),
    ],
)
def test_numpy_has_one_device_and_no_parts(linnet, arguments, status, words) -> None:
    (linnet.folder / "m.linnet").write_text(PROGRAM, encoding="utf-8")
    done = linnet("numpy", *arguments, "m.linnet")
    assert (done.returncode, done.stdout) == (status, "")
    assert [each for each in words if each not in done.stderr] == []
    assert "Traceback" not in done.stderr
