"""Programs that go through the parts of the language one by one: checked, planned and read back, and run on every target.

What they must give is computed here with NumPy from what the programs say.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import ml_dtypes
import numpy as np
import pytest
from agreement import differences
from msgspec import Struct
from running import program

from linnet_core.check.check import check
from linnet_core.ir.lowered import lowered
from linnet_core.modules.load import load
from linnet_core.plan.read import read_plan
from linnet_core.plan.write import plan_document
from linnet_core.text.diagnostic import Diagnostics

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.linnet"))
SCHEMA = jsonschema_rs.validator_for(json.loads((HERE.parents[1] / "schemas" / "plan-1.schema.json").read_text(encoding="utf-8")))


class Run(Struct, frozen=True):
    """One run of an entry; results in order, and the states after it."""

    id: str
    inputs: dict[str, np.ndarray]
    results: tuple[Any, ...]
    root: str | None = None
    bindings: dict[str, int] = {}
    parameters: dict[str, np.ndarray] = {}
    states: dict[str, np.ndarray] = {}
    next_states: dict[str, np.ndarray] = {}
    optionals: str = "absent"
    tolerance: float = 2e-6

    @property
    def file(self) -> str:
        return self.id.partition(" ")[0]

    @property
    def entry(self) -> str:
        return self.id.split(" ")[1]


def numbers(*shape: int, dtype: Any = np.float32, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def scalar(value: float, dtype: Any = np.float32) -> np.ndarray:
    return np.array(value, dtype)


def sums() -> list[Run]:
    x, h, i = numbers(3, 4), numbers(4, dtype=np.float16), np.array([1, -2, 3, 4], np.int32)
    wide = np.cumsum(h.astype(np.float32)).astype(np.float16)
    empty = np.zeros((3, 0), np.int32)
    return [
        Run(
            "running_sums along",
            {"x": x, "h": h, "i": i},
            (x.cumsum(0), x.cumsum(1), wide, i.cumsum(dtype=np.int32)),
            bindings={"N": 3, "M": 4},
        ),
        Run("running_sums empty", {"x": empty}, (empty, empty.T), bindings={"N": 3}),
    ]


def structs() -> list[Run]:
    x = numbers(3, 4)
    mean, norm = x.mean(1), np.sqrt((x * x).sum(1))
    sizes = {"N": 3, "M": 4}
    seven, yes, no = scalar(7, np.int64), np.array(True), np.array(False)
    return [
        Run("structs result", {"x": x}, (norm, mean), bindings=sizes),
        Run("structs inside picked", {"x": x, "c": yes}, (mean + 3, seven, yes), bindings=sizes),
        Run("structs inside swapped", {"x": x, "c": no}, (norm, seven, no), bindings=sizes),
        *walks(),
    ]


def walks() -> list[Run]:
    """Structs and tuples, one inside the other, through run-time loops and out of an entry: flat, in the order they are declared."""
    x = numbers(4)
    one, two = np.float32(1), np.float32(2)
    fibonacci = [(1, 1), (2, 1), (3, 2), (5, 3)]  # What the mean and the one before it are multiples of.

    def walk(steps: int) -> tuple[Any, ...]:
        now, before = fibonacci[steps]
        return (now * x, scalar(steps, np.int64), np.array(steps % 2 == 1), scalar(2.0**steps, np.float32), before * x)

    path = (np.array([1, 2, 3]), np.stack([now * x for now, _ in fibonacci[1:]]))
    return [
        *[Run(f"structs until {steps}", {"x": x, "most": scalar(steps, np.int64)}, walk(steps), bindings={"N": 4}) for steps in (0, 3)],
        Run("structs along", {"x": x}, (*walk(3), *path), bindings={"N": 4, "M": 3}),
        Run("structs turns", {"a": one, "b": two}, (scalar(5, np.float32), scalar(8, np.float32)), bindings={"M": 3}),
    ]


def enums() -> list[Run]:
    x, w = numbers(4), numbers(4, seed=2)
    one, two = (x[-1] * 2 + w[-1] * 2) + 3, (x * 2 + w).max() + 3
    run = Run("enums run", {"x": x}, ((x * w).mean(), x.max() * 3, x[-1]), root="Model", parameters={"w": w}, bindings={"N": 4})
    return [run, Run("enums configure", {"x": x, "y": w}, (one, two), bindings={"N": 4})]


def optional_subs() -> list[Run]:
    own = {f"branches.{i}.own.weight": numbers(3, 3, seed=i) for i in range(2)}
    more = {
        "last.own.weight": numbers(3, 3, seed=9),
        **{f"{at}.own.bias": numbers(3, seed=n) for n, at in enumerate(("branches.0", "branches.1", "last"))},
        **{f"{at}.extra.{name}": numbers(*shape, seed=n) for n, at in enumerate(("branches.0", "branches.1", "last"))
           for name, shape in (("weight", (3, 3)), ("bias", (3,)))},
    }  # fmt: skip
    x, calls = numbers(2, 3), {"calls": np.array([4], np.float32)}

    def linear(given: dict[str, np.ndarray], at: str, v: np.ndarray) -> np.ndarray:
        return given[f"{at}.weight"] @ v + given.get(f"{at}.bias", np.float32(0))

    def branch(given: dict[str, np.ndarray], at: str, v: np.ndarray) -> np.ndarray:
        return linear(given, f"{at}.own", linear(given, f"{at}.extra", v) if f"{at}.extra.weight" in given else v)

    def model(given: dict[str, np.ndarray], v: np.ndarray, count: float) -> np.ndarray:
        for at in ("branches.0", "branches.0", "branches.1"):
            v = branch(given, at, v)
        return branch(given, "last", v) if "last.own.weight" in given else v + np.float32(count)

    shared: dict[str, Any] = {"root": "Model", "bindings": {"H": 3}, "states": calls, "tolerance": 1e-5}
    return [
        Run(
            "optional_subs run absent",
            {"x": x[0]},
            (model(own, x[0], 5),),
            parameters=own,
            next_states={"calls": np.float32([5])},
            **shared,
        ),
        Run(
            "optional_subs both absent",
            {"x": x},
            (model(own, x[0], 5) + model(own, x[1], 6),),
            parameters=own,
            next_states={"calls": np.float32([6])},
            **shared,
        ),
        Run(
            "optional_subs run present",
            {"x": x[0]},
            (model(own | more, x[0], 5),),
            parameters=own | more,
            optionals="present",
            next_states={"calls": np.float32([5])},
            **shared,
        ),
    ]  # fmt: skip


def generic_arguments() -> list[Run]:
    x, y, up, down = numbers(2, 5, 24), numbers(3, seed=2), numbers(12, 3), numbers(3, 6)
    q = numbers(3, 3).astype(ml_dtypes.bfloat16)
    once = y + y.sum()
    return [
        Run(
            "generic_arguments run",
            {"x": x, "y": y},
            (x.reshape(2, 5, 8, 3), x.sum(2) + 2, np.full(7, y.sum(), np.float32), down @ (up @ y)[:6]),
            root="Model",
            bindings={"H": 3, "B": 2, "S": 5},
            parameters={"mlp.up": up, "mlp.down": down},
        ),
        Run("generic_arguments defaults", {"y": y, "q": q}, ((y * 2 + 3) + (y * 2 + 4) + (y + 3), q.astype(np.float32)), bindings={"N": 3}),
        Run("generic_arguments alone", {"x": y}, (once,), bindings={"N": 3}),
        Run("generic_arguments twice", {"x": y}, (once + once.sum(),), bindings={"N": 3}),
    ]


def kernels() -> list[Run]:
    x, labels = numbers(3, 5), np.array([3, 1, 1, 0, 3, 3, 1], np.int32)
    e = np.exp(x - x.max(1, keepdims=True))
    counts = np.bincount(labels, minlength=4).astype(np.int32)
    return [Run("kernels run", {"x": x, "labels": labels}, (e / e.sum(1, keepdims=True), counts), bindings={"R": 3, "C": 5, "N": 7})]


RUNS = [*sums(), *structs(), *enums(), *optional_subs(), *generic_arguments(), *kernels()]


@pytest.mark.parametrize("numerics", ["exact", "equivalent"])
@pytest.mark.parametrize("target", ["numpy", "torch"])
@pytest.mark.parametrize("run", [pytest.param(run, id=run.id) for run in RUNS])
def test_the_entry_gives(target: str, numerics: Any, run: Run) -> None:
    path = str(HERE / f"{run.file}.linnet")
    exported = program(target, path, run.bindings, entry=run.entry, root=run.root, numerics=numerics, optionals=run.optionals)
    results, states = exported.run(run.inputs, run.parameters, run.states)
    assert len(results) == len(run.results)
    for given, wanted in zip(results, run.results, strict=True):
        assert differences(np.asarray(given), np.asarray(wanted), run.tolerance) is None
    assert {name: differences(np.asarray(states[name]), wanted) for name, wanted in run.next_states.items()} == dict.fromkeys(states)


@pytest.mark.parametrize("file", [pytest.param(file, id=file.stem) for file in FILES])
def test_the_program_is_clean_and_its_plan_reads_back(file: Path) -> None:
    diagnostics = Diagnostics()
    package = load(str(file), diagnostics=diagnostics)
    checked = check(package, diagnostics) if package is not None else None
    assert diagnostics.found == ()
    assert checked is not None
    for optimize in (False, True):
        document = json.loads(json.dumps(plan_document(lowered(checked, "equivalent", optimize=optimize), functions=True)))
        assert SCHEMA.is_valid(document)
        assert json.dumps(plan_document(read_plan(document), functions=True)) == json.dumps(document)


def test_every_program_is_run() -> None:
    assert {run.file for run in RUNS} == {file.stem for file in FILES}
