"""Kernels that printed JAX launches compute what their ops do, in Pallas's interpreter; none is run on a GPU here."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[2] / "linnet-core" / "tests" / "kernels"))

from kernel_programs import PROGRAMS, SOFTMAX, program
from kernel_tests import FOREIGN, check, check_contradicted, check_decline, check_foreign, check_gradients, run_all

from linnet_core.graph.export import ExportRequest, export
from linnet_jax.target import JaxTarget

_ATOMIC = "Pallas combines nothing with what a result holds at first, which `atomic_{}` needs"
#: What is not launched, and why.
DECLINED: dict[str, list[str | None]] = {
    "a tile of seven": ["a tile is [7], and Pallas's sizes are powers of two"],
    "atomic additions": [_ATOMIC.format("add")],
    "atomic ends of floats": [_ATOMIC.format("max")],
    "atomic ends of integers": [_ATOMIC.format("max")],
    "case: atomics": [_ATOMIC.format("add")],
    "case: a package": [None, _ATOMIC.format("add")],
    "case: a condition that does not": ["`N % 8 == 0` of kernel `program::rows` does not hold: 4 == 0 is false"],
}
LAUNCHED: dict[str, list[str | None]] = {"case: a package": [None, None]}


@pytest.fixture(scope="module")
def runs() -> dict[str, Any]:
    pytest.importorskip("jax", reason="JAX is not installed, and Pallas with it")
    return run_all("jax")


@pytest.mark.parametrize("case", PROGRAMS)
def test_a_kernel_computes_what_its_op_does(runs: dict[str, Any], case: str) -> None:
    check(runs[case], case, DECLINED.get(case) or LAUNCHED.get(case, [None]))


def test_each_kernel_that_is_written_is_launched(runs: dict[str, Any]) -> None:
    launched = [refusal for case in PROGRAMS for refusal in runs[case]["refusals"] if refusal is None]
    assert runs["ran"] == len(launched)


def test_gradients_are_those_of_the_body_or_of_the_op(runs: dict[str, Any]) -> None:
    check_gradients(runs["gradients"])


def target() -> JaxTarget:
    return JaxTarget("equivalent")


def test_a_kernel_that_cannot_be_written_is_a_decline_in_the_document() -> None:
    check_decline(target)


@pytest.mark.parametrize(("field", "value"), [*FOREIGN, pytest.param("body", "v0 = m0_x[0]\nimport os", id="import")])
def test_text_that_no_writer_writes_is_not_printed(field: str, value: Any) -> None:
    check_foreign(target, field, value)


def test_a_document_that_says_otherwise_than_the_target_is_refused() -> None:
    check_contradicted(target)


def test_on_a_gpu_a_kernel_is_chosen_where_the_call_is_lowered(monkeypatch: pytest.MonkeyPatch) -> None:
    jax = pytest.importorskip("jax", reason="JAX is not installed, and Pallas with it")
    module = program(SOFTMAX)
    printed = target()
    export(module, ExportRequest(bindings={"R": 3, "C": 8}), printed)
    names: dict[str, Any] = {}
    exec(compile(printed.source(), "printed", "exec"), names)
    x = jax.numpy.arange(24, dtype=jax.numpy.float32).reshape(3, 8)
    assert "pallas_call" not in str(jax.make_jaxpr(names["main"])(x))
    monkeypatch.setattr(jax, "default_backend", lambda: "gpu")
    assert "pallas_call" in str(jax.make_jaxpr(lambda x: names["main"](x))(x))
    (found,) = jax.jit(lambda x: names["main"](x))(x)  # lowered for this CPU
    assert jax.numpy.allclose(found, jax.nn.softmax(x, axis=1), rtol=1e-6)
