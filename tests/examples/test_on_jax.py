"""Every entry of the examples at `tiny` on jax, under every policy: what NumPy gives, states included."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from agreement import differences
from running import program
from tiny import ENTRIES, EXAMPLES, inputs_of, named, values

if TYPE_CHECKING:
    from running import Program

    Arrays = dict[str, np.ndarray]

pytest.importorskip("jax", reason="jax is not installed here; the environments `jax` and `all` have it")

F32, BF16 = 1e-5, 2e-2
POLICIES = ["exact", "equivalent", "fast"]
CASES = [pytest.param(package, entry, inputs, id=f"{package}-{entry}") for package, entry, inputs in ENTRIES]
#: In short floats another token or expert may be chosen; see test_values.py and test_short_floats.py.
SHORT = [case for case in CASES if "generate" not in str(case.id) and not str(case.id).startswith(("unet", "moe"))]


def _tiny(target: str, package: str, entry: str, **options: Any) -> Program:
    return program(target, str(EXAMPLES / package), options.pop("bindings", None), preset="tiny", **named(entry), **options)


#: Results by the source that gave them: what two policies print alike is run once, since XLA compiles each anew.
_RESULTS: dict[tuple[str, str, str], tuple[list[np.ndarray], Arrays]] = {}


def _run(one: Program, inputs: Arrays) -> tuple[list[np.ndarray], Arrays]:
    return one.run(inputs_of(one, inputs), values(one.parameters), values(one.states))


def _run_once(one: Program, package: str, entry: str, inputs: Arrays) -> tuple[list[np.ndarray], Arrays]:
    """`_run` on the inputs of this entry in `ENTRIES`, which are always the same."""
    key = (package, entry, one.source)
    if key not in _RESULTS:
        _RESULTS[key] = _run(one, inputs)
    return _RESULTS[key]


def _assert_agree(given: tuple[list[np.ndarray], Arrays], wanted: tuple[list[np.ndarray], Arrays], tolerance: float) -> None:
    assert len(given[0]) == len(wanted[0])
    assert list(given[1]) == list(wanted[1])
    for a, b in zip(given[0] + list(given[1].values()), wanted[0] + list(wanted[1].values()), strict=True):
        assert differences(np.asarray(a), np.asarray(b), tolerance) is None


@pytest.mark.parametrize("numerics", POLICIES)
@pytest.mark.parametrize(("package", "entry", "inputs"), CASES)
def test_jax_agrees_with_numpy(package: str, entry: str, inputs: Arrays, numerics: str) -> None:
    wanted = _run(_tiny("numpy", package, entry), inputs)
    _assert_agree(_run_once(_tiny("jax", package, entry, numerics=numerics), package, entry, inputs), wanted, F32)


@pytest.mark.parametrize("numerics", POLICIES)
@pytest.mark.parametrize(("package", "entry", "inputs"), SHORT)
def test_jax_agrees_with_numpy_in_bf16(package: str, entry: str, inputs: Arrays, numerics: str) -> None:
    bf16 = {"T": "bf16"}
    wanted = _run(_tiny("numpy", package, entry, bindings=bf16), inputs)
    one = _tiny("jax", package, entry, bindings=bf16, numerics=numerics)
    _assert_agree(_run_once(one, package, entry, inputs), wanted, BF16)


@pytest.mark.parametrize(("package", "entry", "inputs"), [case for case in CASES if str(case.id).startswith(("llama", "rnn", "gpt2"))])
def test_op_by_op_it_is_the_same(package: str, entry: str, inputs: Arrays) -> None:
    """Without jit, with loops and conditionals in Python."""
    import jax

    one = _tiny("jax", package, entry)
    wanted = _run(_tiny("numpy", package, entry), inputs)
    given, weights, states = inputs_of(one, inputs), values(one.parameters), values(one.states)
    leaves = [given[leaf.name] for leaf in one.inputs] + [weights[leaf.path] for leaf in one.parameters]
    leaves += [states[leaf.path] for leaf in one.states]
    module: dict[str, Any] = {}
    exec(one.source, module)
    with jax.disable_jit():
        found = [np.asarray(a) for a in module["main"](*map(jax.numpy.asarray, leaves), *module["constants"]())]
    count = one.finish.returns
    _assert_agree((found[:count], dict(zip(one.finish.states, found[count:], strict=True))), wanted, F32)


@pytest.mark.parametrize("entry", ["decode", "prefill", "decode_rows"])
def test_nothing_of_llama_needs_64_bits(entry: str) -> None:
    assert "enable_x64" not in _tiny("jax", "llama", entry).source
