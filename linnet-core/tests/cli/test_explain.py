"""`linnet explain`: which library calls are taken and why, in words."""

from __future__ import annotations

import json

import pytest

PROGRAM = """module m

use std.nn.softmax::{softmax}
use std.nn.attention::{causal_mask}

block M<N: Dim, T: Float = f32> {
    param w: Tensor[N; T]

    entry scores(x: Tensor[N; T]) -> Tensor[N; T] {
        return softmax(softmax(x) * w)
    }

    entry mask() -> Tensor[N, N; bool] {
        return causal_mask<N, N>()
    }
}

entry fixed(x: Tensor[3; f32]) -> Tensor[3; f32] {
    return softmax(x)
}
"""


@pytest.fixture
def program(folder):
    (folder / "m.linnet").write_text(PROGRAM)
    (folder / "fixed.linnet").write_text("module m\n\nuse std.nn.softmax::{softmax}\n" + PROGRAM[PROGRAM.index("\nentry fixed") :])
    return folder


def explained(linnet, *arguments: str):
    done = linnet("explain", "--json", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_with_sizes_the_target_answers(linnet, program):
    done = linnet("explain", "--target", "numpy", "--numerics", "fast", "--entry", "scores", "--root", "M", "--bind", "N=4", "m.linnet")
    assert (done.returncode, done.stderr) == (0, "")
    refusal = "the reference computes the body, but for a few library calls that give its own bits"
    lines = [
        "entry M.scores on numpy under `fast`, N = 4, T = f32",
        "",
        "m.linnet:10:24: std.nn.softmax::softmax in m::M.scores",
        "  -> the body: the target refuses every library call it is offered",
        f"     refused       torch.softmax (input dtype)  approximate (the last axis; computed in the operands' dtype): {refusal}",
        f"     refused       torch.softmax                numerically-equivalent (the last axis; accumulated in f32): {refusal}",
        "",
        "m.linnet:10:16: std.nn.softmax::softmax in m::M.scores",
    ]
    assert done.stdout.splitlines()[: len(lines)] == lines
    assert done.stdout.endswith("\n\n2 calls of ops that have library calls: 0 by a library call, 2 by the op's body\n")


def test_without_sizes_the_generics_are_named(linnet, program):
    done = linnet("explain", "--target", "numpy", "m.linnet")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("entries M.scores, M.mask, fixed on numpy under `equivalent`\n\n")
    assert "  -> decided by the target; it depends on N, T\n     not admitted  torch.softmax (input dtype)" in done.stdout
    assert "  -> decided by the target; alike at all sizes\n" in done.stdout
    assert done.stdout.endswith("\n\n4 calls of ops that have library calls; --bind or --preset gives the target's answers\n")


def test_an_entry_whose_generics_have_values_needs_no_sizes(linnet, program):
    found = explained(linnet, "--target", "numpy", "fixed.linnet")
    assert (found["entries"], found["generics"], found["calls"][0]["candidates"][1]["answer"]) == (["fixed"], {}, "refused")


def test_the_policy_is_that_of_the_targets_own_command(linnet, program):
    assert explained(linnet, "--target", "numpy", "m.linnet")["numerics"] == "equivalent"
    assert explained(linnet, "--target", "numpy", "--numerics", "exact", "m.linnet")["numerics"] == "exact"


@pytest.mark.parametrize(
    ("options", "answer", "reason"),
    [
        pytest.param(["--numerics", "exact"], "not admitted", "the policy admits none of its library calls", id="exact"),
        pytest.param(["--numerics", "fast", "--no-library"], "not asked", "library calls are switched off", id="no library"),
    ],
)
@pytest.mark.parametrize("sizes", [[], ["--bind", "N=4"]], ids=["without sizes", "with sizes"])
def test_what_is_decided_without_the_target_is_said_in_both_forms(linnet, program, options, answer, reason, sizes):
    for call in explained(linnet, "--target", "numpy", "--root", "M", "--entry", "scores", *options, *sizes, "m.linnet")["calls"]:
        assert {candidate["answer"] for candidate in call["candidates"]} == {answer}
        assert call["reason"] == reason


def test_a_file_without_entries_is_explained_by_its_functions(linnet, program):
    (program / "f.linnet").write_text(
        PROGRAM[: PROGRAM.index("use std.nn.att")] + "pub fn g(x: Tensor[3; f32]) -> Tensor[3; f32] {\n    return softmax(x)\n}\n"
    )
    [call] = explained(linnet, "--target", "numpy", "f.linnet")["calls"]
    assert (call["caller"], call["depends_on"]) == ("m::g", [])


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        pytest.param(["--bind", "N=3", "m.linnet"], 2, "choose one with --entry", id="which entry"),
        pytest.param(["--entry", "nope", "m.linnet"], 2, "`nope`", id="unknown entry"),
        pytest.param(["--target", "nope", "m.linnet"], 2, "the target `nope` is not installed", id="unknown target"),
        pytest.param(["--root", "M", "--entry", "mask", "--bind", "T=f16", "m.linnet"], 1, "needs a value for `N`", id="a missing size"),
        pytest.param(["bad.linnet"], 1, "E3101", id="a wrong program"),
    ],
)
def test_what_cannot_be_explained_is_said(linnet, program, arguments, status, words):
    options = [] if "--target" in arguments else ["--target", "numpy"]
    done = linnet("explain", *options, *arguments)
    assert (done.returncode, done.stdout) == (status, "")
    assert words in done.stderr
