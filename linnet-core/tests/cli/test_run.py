"""`linnet run`: what it prints and writes, and that every mistake is one line with a status and leaves nothing behind."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np
import pytest

from linnet_core.cli.app import run
from linnet_core.schema.validate import validate
from linnet_core.weights.checkpoint import open_checkpoint
from linnet_core.weights.files import npz_bytes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PROGRAM = """module m

block Scale<H: Dim> {
    param w: Tensor[H; f32]
    param bias: Tensor[H; f32]? = none

    pub fn forward(x: Tensor[H; f32]) -> Tensor[H; f32] {
        let y = x * w
        return match bias {
            some(b) => y + b
            none => y
        }
    }
}

pub block Log<H: Dim> {
    sub scale: Scale<H>
    state last: Tensor[H; f32]

    pub entry step(x: Tensor[H; f32]) -> (Tensor[H; f32], Tensor[H; f32]) {
        let before = last
        last = scale.forward(x)
        return (before, last + 1.0)
    }
}

pub entry read(t: Tensor[10; f32], at: Tensor[1; i32]) -> Tensor[1; f32] {
    let y[n] = t[at[n]]
    return y
}

pub entry cell(t: Tensor[10, 3; f32], i: i32, j: i32) -> f32 { return t[i, j] }

pub entry divide(x: Tensor[4; i32], y: Tensor[4; i32]) -> (Tensor[4; i32], Tensor[4; i32]) { return (x / y, x % y) }

pub entry add(a: u8, b: u8) -> u8 { return a + b }

pub entry wide(x: Tensor[1; i64]) -> Tensor[1; i64] { return x + 4294967296 }

pub entry ramp() -> Tensor[3; i64] { return iota(3) * 3000000000 }

pub entry rewrites(x: Tensor[3; f32]) -> (Tensor[3; f32], Tensor[3; f32], Tensor[3; f32]) { return (x * 0.0, x - x, x + 0.0) }

pub entry narrow(x: Tensor[1; f64]) -> (Tensor[1; f16], Tensor[1; bf16]) { return (cast<f16>(x), cast<bf16>(x)) }

pub entry sums(x: Tensor[3; u8], p: Tensor[2; i8]) -> (Tensor[3; u8], u8, i8) { return (cumsum(x, axis = 0), sum[n] x[n], prod[n] p[n]) }

pub entry long_sums() -> (bf16, f16) {
    let x = fill<bf16>([512], 1.0)
    let h = fill<f16>([4096], 1.0)
    return (sum[n] x[n], sum[n] h[n])
}

pub entry extremes(x: Tensor[3; f32], y: Tensor[3; f32]) -> (Tensor[3; f32], Tensor[3; f32], f32) {
    return (max(x, y), min(y, x), max[n] x[n])
}

pub entry casts(x: Tensor[6; f32]) -> (Tensor[6; u8], Tensor[6; i32], Tensor[6; bool]) { return (cast<u8>(x), cast<i32>(x), cast<bool>(x)) }

pub entry shifts(a: Tensor[2; i32], b: Tensor[2; u8]) -> (Tensor[2; i32], Tensor[2; i32], Tensor[2; u8], Tensor[2; u8]) {
    return (shl(a, 32), shr(a, 33), shl(b, 8), shr(b, 8))
}

pub entry nothing<R: Dim, C: Dim>(x: Tensor[R, C; f32], k: Tensor[R, C; i32]) -> (Tensor[R; f32], Tensor[R; i32], Tensor[R; f32]) {
    let high[r] = max[c] x[r, c]
    let low[r] = min[c] k[r, c]
    let product[r] = prod[c] x[r, c]
    return (high, low, product)
}

pub entry same(x: Tensor[2; f32], b: Tensor[0; bool]) -> (Tensor[2; f32], Tensor[0; bool]) { return (x, b) }
"""


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """`linnet run m.linnet` with further arguments, in a folder of its own: status, stdout, stderr."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.linnet").write_text(PROGRAM, encoding="utf-8")

    def call(*arguments: str, path: str = "m.linnet") -> tuple[int, str, str]:
        status = run(["run", *arguments, path])
        out, err = capfd.readouterr()
        return status, out, err

    return call


STEP = ("--entry", "step", "--bind", "H=2")


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        pytest.param(
            ("--entry", "divide", "--input", "x=[-7,7,-8,8]", "--input", "y=[2,-2,3,-3]"),
            [
                "results.0  i32[4]  min -3  max -2  mean -2.5  first -3 -3 -2 -2",
                "results.1  i32[4]  min -2  max 2  mean 0  first -1 1 -2 2",
            ],
            id="integers",
        ),
        pytest.param(
            ("--entry", "add", "--input", "a=250", "--input", "b=10"), ["results.0  u8  min 4  max 4  mean 4  first 4"], id="rank 0 wraps"
        ),
        pytest.param(
            ("--entry", "wide", "--input", "x=[1]"),
            ["results.0  i64[1]  min 4294967297  max 4294967297  mean 4.29497e+09  first 4294967297"],
            id="i64",
        ),
        pytest.param(
            ("--entry", "ramp"), ["results.0  i64[3]  min 0  max 6000000000  mean 3e+09  first 0 3000000000 6000000000"], id="iota is i64"
        ),
        pytest.param(
            ("--entry", "rewrites", "--input", "x=[inf, nan, -0.0]"),
            [
                "results.0  f32[3]  min nan  max nan  mean nan  first nan nan -0",
                "results.1  f32[3]  min nan  max nan  mean nan  first nan nan 0",
                "results.2  f32[3]  min nan  max nan  mean nan  first inf nan 0",
            ],
            id="floats are not rewritten",
        ),
        pytest.param(
            ("--entry", "narrow", "--input", "x=[1.0004882821813226]"),
            [
                "results.0  f16[1]  min 1.00098  max 1.00098  mean 1.00098  first 1.00098",
                "results.1  bf16[1]  min 1  max 1  mean 1  first 1",
            ],
            id="casts round once",
        ),
        pytest.param(
            ("--entry", "same", "--input", "x=zeros", "--input", "b=[]"),
            ["results.0  f32[2]  min 0  max 0  mean 0  first 0 0", "results.1  bool[0]"],
            id="nothing",
        ),
    ],
)
def test_a_line_for_each_result(cli: Callable[..., Any], arguments: tuple[str, ...], lines: list[str]) -> None:
    status, out, err = cli(*arguments)
    assert (status, err) == (0, "")
    assert out.splitlines() == lines


@pytest.mark.parametrize(
    ("arguments", "first"),
    [
        pytest.param(
            ("divide", "x=[-2147483648,-2147483648,5,-5]", "y=[-1,0,0,0]"),
            ["-2147483648 -1 -1 -1", "0 -2147483648 5 -5"],
            id="lowest by -1 and by zero",
        ),
        pytest.param(("sums", "x=[200,100,50]", "p=[100,3]"), ["200 44 94", "94", "44"], id="narrow sums wrap"),
        pytest.param(("long_sums",), ["512", "4096"], id="short floats accumulate in f32"),
        pytest.param(("extremes", "x=[1,nan,3]", "y=[nan,2,3]"), ["nan nan 3", "nan nan 3", "nan"], id="NaN from either side"),
        pytest.param(
            ("casts", "x=[2.9,-2.9,300.7,1e20,nan,-0.0]"),
            ["2 0 255 255 ...", "2 -2 300 2147483647 ...", "true true true true ..."],
            id="casts saturate",
        ),
        pytest.param(("shifts", "a=[1,-1]", "b=[1,255]"), ["0 0", "0 -1", "0 0", "0 0"], id="shifts by the width and more"),
    ],
)
def test_values_of_the_language(cli: Callable[..., Any], arguments: tuple[str, ...], first: list[str]) -> None:
    entry, *inputs = arguments
    status, out, err = cli("--entry", entry, *(word for text in inputs for word in ("--input", text)))
    assert (status, err) == (0, "")
    assert [line.rpartition("  first ")[2] for line in out.splitlines()] == first


STRUCTS = """module s

struct Losses {
    whole: f32
    parts: (Tensor[2; f32], i32)
}
struct Answer<H: Dim> {
    losses: Losses
    next: Tensor[H; f32]
}
block B {
    state seen: Tensor[2; f32]

    pub entry run(x: Tensor[2; f32]) -> (f32, Answer<2>) {
        seen = x
        return (x[0], Answer(losses = Losses(whole = x[1], parts = (x, 7)), next = x))
    }
}
"""


def test_a_result_that_is_a_field_says_which(cli: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "s.linnet").write_text(STRUCTS)
    fields = [None, "1.losses.whole", "1.losses.parts.0", "1.losses.parts.1", "1.next"]
    status, out, _ = cli("--input", "x=[1, 2]", path="s.linnet")
    assert (status, [line.partition("  ")[0] for line in out.splitlines()]) == (
        0,
        [*(f"results.{at} ({field})" if field else f"results.{at}" for at, field in enumerate(fields)), "seen"],
    )
    _, out, _ = cli("--input", "x=[1, 2]", "--json", "-o", "o.npz", path="s.linnet")
    document = json.loads(out)
    validate(document, "run-1")
    assert [result.get("field") for result in document["results"]] == fields
    with np.load("o.npz") as archive:
        assert archive.files == ["results.0", "results.1", "results.2", "results.3", "results.4", "seen"]


def test_reductions_over_an_empty_axis(cli: Callable[..., Any]) -> None:
    status, out, err = cli("--entry", "nothing", "--bind", "R=2", "--bind", "C=0", "--input", "x=zeros", "--input", "k=zeros")
    assert (status, err) == (0, "")
    assert [line.rpartition("  first ")[2] for line in out.splitlines()] == ["-inf -inf", "2147483647 2147483647", "1 1"]
    status, out, err = cli("--entry", "nothing", "--bind", "R=0", "--bind", "C=0", "--input", "x=zeros", "--input", "k=zeros")
    assert (status, err, out.splitlines()) == (0, "", ["results.0  f32[0]", "results.1  i32[0]", "results.2  f32[0]"])


def test_a_file_of_weights_that_is_written_over_stays_what_it_was_for_who_has_it_open(cli: Callable[..., Any], tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    path = tmp_path / "w.safetensors"
    save_file({"scale.w": np.array([3, 5], np.float32)}, str(path))
    mapped = open_checkpoint(str(path)).array("scale.w")
    status, _, err = cli(*STEP, "--input", "x=[1, 2]", "--weights", str(path), "-o", str(path))
    assert (status, err) == (0, "")
    assert mapped.tolist() == [3, 5]
    with np.load(path) as archive:
        assert archive["last"].tolist() == [3, 10]


def test_states_and_weights(cli: Callable[..., Any], tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    save_file({"scale.w": np.array([3, 5], np.float32)}, str(tmp_path / "w.safetensors"))
    (tmp_path / "s.npz").write_bytes(npz_bytes({"last": np.array([10, 20], np.float32)}))
    status, out, err = cli(*STEP, "--input", "x=[1,2]", "--weights", "w.safetensors", "--state", "s.npz", "-o", "out.npz")
    assert (status, err) == (0, "")
    assert [line.split("  ")[-1] for line in out.splitlines()] == ["first 10 20", "first 4 11", "first 3 10"]
    with np.load(tmp_path / "out.npz") as archive:
        assert {name: archive[name].tolist() for name in archive.files} == {"results.0": [10, 20], "results.1": [4, 11], "last": [3, 10]}
    # what was written is the state of the next call
    status, out, _ = cli(*STEP, "--input", "x=[1,2]", "--weights", "w.safetensors", "--state", "out.npz")
    assert out.splitlines()[0].endswith("first 3 10")


@pytest.mark.parametrize(
    ("stored", "extra", "first"),
    [
        pytest.param({"scale.w": 3}, (), "4 7", id="absent as in the file"),
        pytest.param({"scale.w": 3, "scale.bias": 10}, (), "14 17", id="present as in the file"),
        pytest.param({"scale.w": 3, "scale.bias": 10}, ("--optionals", "absent"), "4 7", id="absent as asked"),
    ],
)
def test_optionals_follow_the_file(
    cli: Callable[..., Any], tmp_path: Path, stored: dict[str, int], extra: tuple[str, ...], first: str
) -> None:
    from safetensors.numpy import save_file

    save_file({name: np.full(2, value, np.float32) for name, value in stored.items()}, str(tmp_path / "w.safetensors"))
    status, out, err = cli(*STEP, "--input", "x=[1,2]", "--weights", "w.safetensors", *extra)
    assert status == 0
    assert out.splitlines()[1].endswith(f"first {first}")
    assert err == ("" if "--optionals" not in extra else "linnet: w.safetensors: `scale.bias` is used by no parameter of this model\n")


def test_many_tensors_that_nothing_takes_are_one_line(cli: Callable[..., Any], tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    names = ["scale.w", *(f"extra.{i}" for i in range(8))]
    save_file({name: np.ones(2, np.float32) for name in names}, str(tmp_path / "w.safetensors"))
    status, _, err = cli(*STEP, "--input", "x=[1,2]", "--weights", "w.safetensors")
    assert status == 0
    shown = ", ".join(f"`extra.{i}`" for i in range(5))
    assert err == f"linnet: w.safetensors: {shown} and 3 more are used by no parameter of this model\n"


def test_optionals_that_the_file_lacks_are_a_problem_when_asked_for(cli: Callable[..., Any], tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    save_file({"other": np.zeros(2, np.float32)}, str(tmp_path / "w.safetensors"))
    status, out, err = cli(*STEP, "--input", "x=[1,2]", "--weights", "w.safetensors", "--optionals", "present")
    assert (status, out) == (1, "")
    assert err.splitlines() == [
        "linnet: w.safetensors does not fit the model:",
        "  `scale.w` (f32[2]) is missing",
        "  `scale.bias` (f32[2]) is missing",
        "  the file also holds `other`",
    ]


def test_json_follows_its_schema(cli: Callable[..., Any]) -> None:
    status, out, err = cli("--entry", "rewrites", "--input", "x=[inf, nan, -0.0]", "--json")
    assert (status, err) == (0, "")
    document = json.loads(out, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    validate(document, "run-1")
    assert document["results"][2] == {
        "name": "results.2", "dtype": "f32", "shape": [3], "first": ["inf", "nan", 0.0], "min": "nan", "max": "nan", "mean": "nan"
    }  # fmt: skip
    status, out, _ = cli(*STEP, "--input", "x=[1,2]", "--weights", "random", "--json")
    document = json.loads(out)
    validate(document, "run-1")
    assert [s["name"] for s in document["states"]] == ["last"]


def test_npy_inputs_in_any_order(cli: Callable[..., Any], tmp_path: Path) -> None:
    grid = np.arange(30, dtype=np.float32).reshape(10, 3)
    np.save(tmp_path / "c.npy", grid)
    np.save(tmp_path / "f.npy", np.asfortranarray(grid))
    given = [cli("--entry", "cell", "--input", f"t={order}.npy", "--input", "i=4", "--input", "j=2") for order in "cf"]
    assert given[0] == given[1]
    assert given[0][1] == "results.0  f32  min 14  max 14  mean 14  first 14\n"


def test_random_buffers_are_not_negative_and_random_params_are_of_both_signs(linnet: Any) -> None:
    text = (
        "module m\nblock Norm {\n    param weight: Tensor[64; f32]\n    buffer variance: Tensor[64; f32]\n"
        "    pub fn forward() -> Tensor[64; f32] { return sqrt(variance) }\n}\n"
        "block M {\n    sub norm: Norm\n"
        "    entry run() -> (Tensor[64; f32], Tensor[64; f32]) { return (norm.weight * 1.0, norm.forward()) }\n}\n"
    )
    (linnet.folder / "m.linnet").write_text(text, encoding="utf-8")
    done = linnet("run", "--weights", "random", "-o", "out.npz", "m.linnet")
    assert done.returncode == 0, done.stderr
    found = np.load(linnet.folder / "out.npz")
    assert found["results.0"].min() < 0 < found["results.0"].max()
    assert found["results.1"].min() > 0


def test_random_inputs_and_weights_are_the_same_each_time(cli: Callable[..., Any]) -> None:
    arguments = (*STEP, "--input", "x=random", "--weights")
    first, again, other = (cli(*arguments, weights) for weights in ("random", "random:0", "random:1"))
    assert first == again
    assert first[1] != other[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ("--entry", "read", "--input", "t=zeros", "--input", "at=[-1]"),
            "numpy: index -1 is outside an axis of 10",
            id="before the start",
        ),
        pytest.param(
            ("--entry", "read", "--input", "t=zeros", "--input", "at=[12]"), "numpy: index 12 is outside an axis of 10", id="past the end"
        ),
        pytest.param(
            ("--entry", "cell", "--input", "t=zeros", "--input", "i=0", "--input", "j=12"),
            "numpy: index 12 is outside an axis of 3",
            id="past its own axis",
        ),
    ],
)
def test_an_index_outside_its_axis_is_one_line_and_status_1(
    cli: Callable[..., Any], tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    assert cli(*arguments, "-o", "out.npz") == (1, "", f"linnet: {message}\n")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["m.linnet"]


ADD = ("--entry", "add", "--input", "a=1")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(ADD, "no value for `b` (u8); give --input NAME=FILE.npy, zeros, random or a literal", id="an input missing"),
        pytest.param((*ADD, "--input", "c=1"), "there is no input `c`; there are: a, b", id="an input too many"),
        pytest.param((*ADD, "--input", "b=1", "--input", "a=1"), "--input gives `a` twice", id="an input twice, of one value"),
        pytest.param((*ADD, "--input", "b=1", "--input", "b=2"), "--input gives `b` twice", id="an input twice"),
        pytest.param((*ADD, "--input", "b"), "--input takes NAME=VALUE, not `b`", id="no value"),
        pytest.param((*ADD, "--input", "b=256"), "--input b: 256 does not fit u8", id="too large"),
        pytest.param((*ADD, "--input", "b=[1]"), "--input b: u8 is wanted, the literal has more axes", id="another shape"),
        pytest.param((*ADD, "--input", "b=gone.npy"), "gone.npy: No such file or directory", id="no such file"),
        pytest.param((*ADD, "--input", "b=."), "--input b: `.` is no file that exists, and no number or list of numbers", id="a folder"),
        pytest.param(("--entry", "ramp", "--input", "x=1"), "there is no input `x`; the entry takes none", id="no inputs"),
        pytest.param(
            (*STEP, "--input", "x=zeros"),
            "the entry has 1 parameters; give --weights FILE.safetensors or --weights random",
            id="no weights",
        ),
        pytest.param(
            (*STEP, "--input", "x=zeros", "--weights", "random:x"),
            "--weights random:SEED takes a number that is not negative, not `x`",
            id="seed",
        ),
        pytest.param(
            (*STEP, "--input", "x=zeros", "--weights", "random:" + "9" * 5000),
            "--weights random:SEED takes a number of 38 digits at most, not one of 5000",
            id="a seed of many digits",
        ),
        pytest.param(
            (*STEP, "--input", "x=[\x1b[31m]"), r"--input x: `[\x1b[31m]` is no file that exists", id="an input with control characters"
        ),
        pytest.param((*STEP, "--input", "x=zeros", "--weights", "gone"), "gone: No such file or directory", id="no such weights"),
        pytest.param((*STEP, "--input", "x=zeros", "--weights", "."), ".: a directory without .safetensors files", id="a bare folder"),
        pytest.param(
            (*STEP, "--input", "x=zeros", "--weights", "random", "--state", "gone.npz"), "gone.npz: No such file", id="no such states"
        ),
        pytest.param(
            (*STEP, "--input", "x=zeros", "--weights", "random", "-o", "no/out.npz"), "cannot write no/out.npz", id="no such folder"
        ),
        pytest.param(
            (*STEP, "--input", "x=zeros", "--weights", "random", "-o", "."), "cannot write .: it is a directory", id="output is a folder"
        ),
        pytest.param((*ADD, "--target", "nothing"), "the target `nothing` is not installed", id="no such target"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(cli: Callable[..., Any], tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    status, out, err = cli(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"linnet: {message}")
    assert len(err.splitlines()) == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["m.linnet"]


def test_an_output_that_stands_there_is_replaced_whole_or_kept(cli: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "out.npz").write_text("kept")
    assert cli("--entry", "read", "--input", "t=zeros", "--input", "at=[12]", "-o", "out.npz")[0] == 1
    assert (tmp_path / "out.npz").read_text() == "kept"
    assert cli("--entry", "ramp", "-o", "out.npz")[0] == 0
    with np.load(tmp_path / "out.npz") as archive:
        assert archive["results.0"].tolist() == [0, 3000000000, 6000000000]


def test_a_state_that_an_entry_does_not_touch_is_written_again(cli: Callable[..., Any], tmp_path: Path) -> None:
    members = "    state a: Tensor[1; f32]\n    state b: Tensor[1; f32]\n"
    entries = "".join(
        f"    pub entry add_{name}(x: Tensor[1; f32]) -> Tensor[1; f32] {{\n        {name} = {name} + x\n        return x\n    }}\n"
        for name in "ab"
    )
    (tmp_path / "two.linnet").write_text(f"module two\n\npub block Two {{\n{members}{entries}}}\n")
    state: tuple[str, ...] = ()
    for entry, amount in (("add_a", 1), ("add_b", 10), ("add_a", 2)):
        status, _, err = cli("--entry", entry, "--input", f"x=[{amount}]", *state, "-o", "s.npz", path="two.linnet")
        assert (status, err) == (0, "")
        state = ("--state", "s.npz")
    with np.load(tmp_path / "s.npz") as archive:
        assert {name: archive[name].tolist() for name in archive.files} == {"a": [3.0], "b": [10.0], "results.0": [2.0]}


def test_bf16_states_go_through_an_archive(cli: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "b.linnet").write_text(
        "module b\n\npub block Keep {\n    state s: Tensor[2; bf16]\n\n"
        "    pub entry add(x: Tensor[2; bf16]) -> Tensor[2; bf16] {\n        s = s + x\n        return s\n    }\n}\n",
        encoding="utf-8",
    )
    for turn in (1, 2):
        state = ("--state", "s.npz") if turn == 2 else ()
        status, out, err = cli("--entry", "add", "--input", "x=[0.1, 1]", "-o", "s.npz", *state, path="b.linnet")
        assert (status, err) == (0, "")
    tenth = np.float32(0.1).astype(ml_dtypes.bfloat16)
    assert (
        out.splitlines()[1]
        == f"s  bf16[2]  min {float(tenth) * 2:.6g}  max 2  mean {(float(tenth) * 2 + 2) / 2:.6g}  first {float(tenth) * 2:.6g} 2"
    )


def test_weights_in_a_directory_under_other_names(cli: Callable[..., Any], tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    (tmp_path / "w").mkdir()
    save_file({"model.scale": np.full(2, 3, np.float32)}, str(tmp_path / "w" / "a.safetensors"))
    save_file({"model.bias": np.full(2, 10, np.float32)}, str(tmp_path / "w" / "b.safetensors"))
    (tmp_path / "names.json").write_text('{"scale.w": "model.scale", "scale.bias": "model.bias"}')
    status, out, err = cli(*STEP, "--input", "x=[1,2]", "--weights", "w", "--bindings", "names.json")
    assert (status, err) == (0, "")
    assert out.splitlines()[1].endswith("first 14 17")


def test_bindings_without_a_file_of_weights(cli: Callable[..., Any]) -> None:
    status, _, err = cli(*STEP, "--input", "x=[1,2]", "--weights", "random", "--bindings", "names.json")
    assert (status, err) == (2, "linnet: --bindings names the tensors of --weights FILE; there is no such file\n")
