"""How much of a program a command lowers: what speaks of one entry only what that reaches, what lists things everything."""

from __future__ import annotations

import json

import pytest

PROGRAM = """module m

fn half(x: f32) -> f32 { return x * 0.5 }
fn quarter(x: f32) -> f32 { return half(half(x)) }
fn unused(x: f32) -> f32 { return x }

block M {
    entry one(x: f32) -> f32 { return half(x) }
    entry two(x: f32) -> f32 { return quarter(x) }
}
"""

#: Runs the command of the arguments and says on the last line of stderr which functions were lowered.
COUNT = """
import json, sys
import linnet_core.ir.lower as lower, linnet_core.ir.lower_reached as reached
found = []
whole = lower.lower_function
def counted(program, function):
    found.append(function.name.removeprefix("m::"))
    return whole(program, function)
lower.lower_function = reached.lower_function = counted
from linnet_core.cli.app import run
status = run(ARGUMENTS)
print(json.dumps([status, sorted(found)]), file=sys.stderr)
"""

ONE = ["M.one", "half"]
TWO = ["M.two", "half", "quarter"]
ALL = ["M.one", "M.two", "half", "quarter", "unused"]


@pytest.mark.parametrize(
    ("arguments", "status", "lowered"),
    [
        pytest.param(["graph", "--target", "numpy", "--entry", "one"], 0, ONE, id="graph"),
        pytest.param(["graph", "--target", "numpy", "--entry", "two", "--root", "M"], 0, TWO, id="graph of another"),
        pytest.param(["numpy", "--entry", "one"], 0, ONE, id="source"),
        pytest.param(["run", "--entry", "two", "--input", "x=1.0"], 0, TWO, id="run"),
        pytest.param(["explain", "--target", "numpy", "--entry", "one"], 0, ONE, id="explain of an entry"),
        pytest.param(["explain", "--target", "numpy"], 0, ALL, id="explain of all"),
        pytest.param(["plan"], 0, ALL, id="plan"),
        pytest.param(["inspect", "--core-ir"], 0, ALL, id="core"),
        pytest.param(["graph", "--target", "numpy", "--entry", "three"], 2, ALL, id="an entry that is not there"),
    ],
)
def test_what_is_lowered(linnet, arguments, status, lowered):
    (linnet.folder / "m.linnet").write_text(PROGRAM)
    done = linnet.python(COUNT.replace("ARGUMENTS", repr([*arguments, "m.linnet"])))
    assert json.loads(done.stderr.splitlines()[-1]) == [status, lowered], done.stderr


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        pytest.param(["--entry", "three"], "block `M` has no entry `three`; there are: one, two", id="unknown"),
        pytest.param([], "block `M` has several entries; choose one with --entry: one, two", id="none"),
        pytest.param(["--root", "N"], "`m` has no block `N`; there are: M", id="unknown root"),
    ],
)
def test_whoever_names_no_entry_reads_which_there_are(linnet, options, complaint):
    (linnet.folder / "m.linnet").write_text(PROGRAM)
    done = linnet("graph", "--target", "numpy", *options, "m.linnet")
    assert (done.returncode, done.stderr) == (2, f"linnet: {complaint}\n")
