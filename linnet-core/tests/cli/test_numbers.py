"""Numbers a reader of JSON may spoil, and depth a validator may not bear: from source to plan, graph and validation."""

from __future__ import annotations

import json

import pytest

#: 2^53 + 1, which an f64 does not hold.
LARGE = 9007199254740993

PROGRAM = f"""module n

entry f(x: Tensor[2; i64], y: Tensor[2; f32]) -> (Tensor[2; i64], Tensor[2; f32]) {{
    let low = max[i] y[i]
    return (x + {LARGE}, select(y > 0.0, y, fill([2], low)))
}}
"""
EMPTY = """module n

block M<N: Dim> {
    entry f(y: Tensor[N; f32]) -> f32 {
        return max[i] y[i]
    }
}
"""


@pytest.fixture
def number_file(linnet):
    (linnet.folder / "n.linnet").write_text(PROGRAM)
    (linnet.folder / "e.linnet").write_text(EMPTY)
    return linnet.folder


def test_a_large_integer_keeps_its_digits_everywhere(linnet, number_file):
    for arguments in (["plan", "--functions"], ["graph", "--target", "numpy"], ["numpy"], ["graph", "--target", "numpy", "--replay"]):
        done = linnet(*arguments, "n.linnet")
        assert (done.returncode, done.stderr) == (0, "")
        assert str(LARGE) in done.stdout, arguments


@pytest.mark.parametrize("indent", [[], ["--indent"]], ids=["compact", "indented"])
def test_no_document_holds_a_bare_nan_or_infinity(linnet, number_file, indent):
    def refuse(word: str) -> None:
        raise AssertionError(word)

    for arguments in (["plan", *indent], ["graph", "--target", "numpy", "--bind", "N=0", *indent]):
        done = linnet(*arguments, "e.linnet")
        assert done.returncode == 0, done.stderr
        json.loads(done.stdout, parse_constant=refuse)


def test_the_summary_of_a_run_spells_infinity(linnet, number_file):
    done = linnet("run", "--bind", "N=0", "--input", "y=zeros", "--json", "e.linnet")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["results"][0]["first"] == ["-inf"]


FAULTS = [
    pytest.param('"axis":1', '"axis":1.0', "axis", id="1.0 for an integer"),
    pytest.param('"axis":1', '"axis":true', "axis", id="true for an integer"),
    pytest.param('"axis":1', '"axis":NaN', "NaN is no JSON number", id="NaN"),
    pytest.param('"axis":1', '"axis":1e999', "1e999", id="beyond every number"),
    pytest.param('"axis":1', '"axis":1,"axis":1', "stands twice", id="a key twice"),
]


@pytest.mark.parametrize(("old", "new", "words"), FAULTS)
def test_a_spoilt_number_is_refused(linnet, old, new, words):
    (linnet.folder / "c.linnet").write_text(
        "module c\n\nentry f(x: Tensor[2, 3; f32]) -> Tensor[2, 6; f32] {\n    return concat(x, x, axis = 1)\n}\n"
    )
    text = linnet("graph", "--target", "numpy", "c.linnet").stdout
    assert text.count(old) == 1
    (linnet.folder / "good.json").write_text(text)
    (linnet.folder / "bad.json").write_text(text.replace(old, new))
    assert linnet("validate", "good.json").returncode == 0
    done = linnet("validate", "bad.json")
    assert done.returncode == 1
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def chain(length: int) -> str:
    """`link0` calls `link1` calls ... the last of `length` functions."""
    head = "module deep\n\nentry main(x: f32) -> f32 {\n    return link0(x)\n}\n"
    links = "".join(f"\nfn link{i}(x: f32) -> f32 {{\n    return link{i + 1}(x)\n}}\n" for i in range(length - 1))
    return f"{head}{links}\nfn link{length - 1}(x: f32) -> f32 {{\n    return x + 1.0\n}}\n"


def test_250_calls_inside_each_other_are_exported_and_validated(linnet):
    (linnet.folder / "deep.linnet").write_text(chain(250))
    done = linnet("graph", "--target", "numpy", "deep.linnet", "-o", "deep.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert linnet("validate", "deep.json").stdout == "deep.json: graph-1\n"


def test_more_calls_inside_each_other_than_the_limit_are_a_diagnostic(linnet):
    (linnet.folder / "deep.linnet").write_text(chain(400))
    assert linnet("check", "deep.linnet").returncode == 0
    done = linnet("graph", "--target", "numpy", "deep.linnet")
    assert (done.returncode, done.stdout) == (1, "")
    assert "error E6003" in done.stderr
