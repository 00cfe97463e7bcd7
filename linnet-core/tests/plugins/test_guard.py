"""A target that raises while it is used is named; nothing of it is taken for a fault of linnet."""

from __future__ import annotations

import pytest

PROGRAM = "module m\n\nentry f(x: Tensor[2; f32]) -> Tensor[2; f32] {\n    return x + 1.0\n}\n"

TARGET = """
from linnet_core.errors import RuntimeFailure
from linnet_core.graph.target import Capabilities, Declined
from linnet_core.plugins import TargetPlugin, hookimpl

class Weak:
    name = "weak"
    capabilities = Capabilities()
    def emit(self, call, regions=None):
        EMIT
        return tuple("abc"[: len(call.result_types())])
    def begin_call(self, header): pass
    def end_call(self, results): pass
    def source(self):
        SOURCE
        return "source"

def make(options):
    MAKE
    return Weak()

def run(source, inputs, parameters, states):
    RUN
    return inputs

@hookimpl
def linnet_targets():
    return [TargetPlugin("weak", "a target that fails", ".txt", make, run=run)]
"""

PLACES = ["MAKE", "EMIT", "SOURCE", "RUN"]


def weak(distribution, **statements: str) -> None:
    text = TARGET
    for place in PLACES:
        text = text.replace(place, statements.get(place, "pass"))
    distribution("linnet-weak", "weak = weak_hooks", {"weak_hooks": text})


def run(linnet, **options):
    (linnet.folder / "m.linnet").write_text(PROGRAM)
    return linnet("run", "--target", "weak", "--input", "x=zeros", "m.linnet", **options)


def test_a_target_that_does_not_fail_runs(linnet, distribution):
    weak(distribution)
    assert run(linnet).returncode == 0


@pytest.mark.parametrize("place", PLACES)
def test_a_target_that_raises_is_named(linnet, distribution, place):
    weak(distribution, **{place: "raise KeyError('oops')"})
    done = run(linnet)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "linnet: the target `weak` failed: KeyError: 'oops'\n"


def test_a_target_that_gives_too_few_arrays_is_named(linnet, distribution):
    weak(distribution, RUN="return []")
    assert run(linnet).stderr.startswith("linnet: the target `weak` failed: ValueError: ")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        pytest.param("None", "answered NoneType to `input`, not a tuple of names", id="no answer"),
        pytest.param("'v'", "answered str to `input`, not a tuple of names", id="a name alone"),
        pytest.param("()", "answered 0 names to `input`, for 1 results", id="too few names"),
        pytest.param("([],)", "answered [] as a name, which is no text", id="a name that is a list"),
        pytest.param("(3,)", "answered 3 as a name, which is no text", id="a name that is a number"),
        pytest.param("Declined('busy')", "declined `input`, which may not be declined: busy", id="declined"),
    ],
)
def test_a_target_that_answers_what_it_may_not_is_named(linnet, distribution, answer, said):
    weak(distribution, EMIT=f"return {answer}")
    done = run(linnet)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"linnet: the target `weak` {said}\n")


@pytest.mark.parametrize(
    ("place", "statement", "said"),
    [
        pytest.param("SOURCE", "return 3", "answered int for its source, not text", id="source that is no text"),
        pytest.param("RUN", "return ['v']", "answered str for `results.0`, not an array of NumPy", id="a result that is no array"),
        pytest.param("MAKE", "return 3", "failed: AttributeError: 'int' object has no attribute 'name'", id="no target"),
        pytest.param(
            "MAKE",
            "del Weak.capabilities",
            "failed: AttributeError: 'Weak' object has no attribute 'capabilities'",
            id="no word of what it can",
        ),
    ],
)
def test_a_target_that_is_or_gives_something_else_is_named(linnet, distribution, place, statement, said):
    weak(distribution, **{place: statement})
    done = run(linnet)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"linnet: the target `weak` {said}\n")


def test_a_target_whose_plugin_failed_is_not_to_be_installed(linnet, distribution):
    distribution("linnet-weak", "weak = weak_hooks", {"weak_hooks": "raise ValueError('no')"})
    done = run(linnet)
    assert done.returncode == 2
    assert "plugin `weak` of linnet-weak is left out: ValueError: no" in done.stderr
    last = done.stderr.rstrip("\n").rpartition("\n")[2]
    assert last.startswith("linnet: the plugin `weak` gives no target that can be used. Installed: ")
    assert {"numpy"} <= set(last.rpartition(": ")[2].split(", "))  # beside whatever else is installed
    assert "pip install" not in done.stderr


def test_what_a_target_says_for_people_is_said_as_it_is(linnet, distribution):
    weak(distribution, RUN="raise RuntimeFailure('the device is asleep')")
    assert run(linnet).stderr == "linnet: the device is asleep\n"


def test_its_own_error_is_shown_to_whoever_asks(linnet, distribution):
    weak(distribution, EMIT="raise KeyError('oops')")
    done = run(linnet, env={"LINNET_RAISE_PLUGIN_ERRORS": "1", "LINNET_TRACEBACK": "1"})
    assert "weak_hooks.py" in done.stderr
    assert "KeyError: 'oops'" in done.stderr
