"""`linnet inspect`: what is in a file, also when the file is wrong."""

from __future__ import annotations

import json

import pytest

BROKEN = "module m\n\nfn f(x: f32 -> f32 {\n    return x\n}\n"
NESTED = """module m

block Part<N: Dim, *S: Shape, T: Float = f32> {
    param w: Tensor[*S, 2 * N; T]
    param b: Tensor[N; T]? = none
    buffer on: Tensor[3; bool]
    state last: Tensor[N; i64]
}

block Whole<N: Dim, L: Dim> {
    sub parts: [Part<N, [N, 3], bf16>; L - 1]
    sub more: Part<N, [], f32>?
    param scale: f32

    entry f(x: Tensor[N; f32]) -> Tensor[N; f32] {
        return x * scale
    }
}

block Empty {
    fn one() -> f32 {
        return 1.0
    }
}
"""
FLAGS = "--parameters, --tokens, --ast or --core-ir"


@pytest.fixture
def nested(folder):
    (folder / "nested.linnet").write_text(NESTED)
    (folder / "broken.linnet").write_text(BROKEN)
    return folder


def test_parameters_are_symbolic_without_sizes(linnet, nested):
    done = linnet("inspect", "--parameters", "nested.linnet")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "m::Part<N, S, T>\n"
        "  param  w     T     [*S, 2 * N]\n"
        "  param  b     T     [N]               optional\n"
        "  buffer on    bool  [3]            3\n"
        "  state  last  i64   [N]\n"
        "  2 params, 1 buffer, 1 state\n"
        "\n"
        "m::Whole<N, L>\n"
        "  param  parts[*].w     bf16  [N, 3, 2 * N]  x L - 1\n"
        "  param  parts[*].b     bf16  [N]            x L - 1     optional\n"
        "  buffer parts[*].on    bool  [3]            x L - 1\n"
        "  state  parts[*].last  i64   [N]            x L - 1\n"
        "  param  more.w         f32   [2 * N]                    optional\n"
        "  param  more.b         f32   [N]                        optional\n"
        "  buffer more.on        bool  [3]                     3  optional\n"
        "  state  more.last      i64   [N]                        optional\n"
        "  param  scale          f32   []                      1\n"
        "  5 params, 2 buffers, 2 states\n"
        "\n"
        "m::Empty\n"
        "  no params, buffers or states\n"
    )


def test_parameters_are_numbers_with_sizes(linnet, nested):
    done = linnet("inspect", "--parameters", "--bind", "N=1000", "--bind", "L=3", "nested.linnet")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "m::Whole at N = 1000, L = 3\n"
        "  param  parts[*].w     bf16  [1000, 3, 2000]  x 2  12,000,000\n"
        "  param  parts[*].b     bf16  [1000]           x 2       2,000  optional\n"
        "  buffer parts[*].on    bool  [3]              x 2           6\n"
        "  state  parts[*].last  i64   [1000]           x 2       2,000\n"
        "  param  more.w         f32   [2000]                     2,000  optional\n"
        "  param  more.b         f32   [1000]                     1,000  optional\n"
        "  buffer more.on        bool  [3]                            3  optional\n"
        "  state  more.last      i64   [1000]                     1,000  optional\n"
        "  param  scale          f32   []                             1\n"
        "  3 params: 12,000,001 elements, 24,000,004 bytes (24.0 MB)\n"
        "  4 optional params: 5,000 elements, 16,000 bytes (16.0 kB)\n"
        "  2 buffers: 6 elements, 6 bytes\n"
        "  1 optional buffer: 3 elements, 3 bytes\n"
        "  2 states: 2,000 elements, 16,000 bytes (16.0 kB)\n"
        "  1 optional state: 1,000 elements, 8,000 bytes (8.0 kB)\n"
    )


def test_the_only_block_of_a_file_without_entries_takes_sizes(linnet, folder):
    (folder / "one.linnet").write_text("module m\nblock B<N: Dim> { param w: Tensor[N; f32] }\n")
    done = linnet("inspect", "--parameters", "--bind", "N=3", "one.linnet")
    assert (done.returncode, done.stderr) == (0, "")
    assert "[3]" in done.stdout
    (folder / "two.linnet").write_text("module m\nblock B<N: Dim> { param w: Tensor[N; f32] }\nblock C { param w: f32 }\n")
    done = linnet("inspect", "--parameters", "--bind", "N=3", "two.linnet")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "linnet: no block of `m` declares an entry; choose one with --root: B, C\n"


def test_the_document_holds_the_same(linnet, nested):
    arguments = ("inspect", "--parameters", "--json", "nested.linnet", "--root", "Part")
    [symbolic] = json.loads(linnet(*arguments).stdout)["blocks"]
    assert (symbolic["name"], symbolic["module"], symbolic["totals"]) == ("Part", "m", None)
    assert symbolic["generics"] == [{"name": name, "value": None} for name in ("N", "S", "T")]
    first = {"path": "w", "kind": "param", "dtype": "T", "shape": ["*S", "2 * N"], "repeat": [], "optional": False}
    assert symbolic["entries"][0] == first
    [bound] = json.loads(linnet(*arguments, "--bind", "N=5", "--bind", "S=2,3").stdout)["blocks"]
    assert bound["generics"] == [{"name": "N", "value": 5}, {"name": "S", "value": [2, 3]}, {"name": "T", "value": "f32"}]
    assert bound["entries"][0] == {**first, "dtype": "f32", "shape": [2, 3, 10]}
    assert bound["totals"][0] == {"kind": "param", "optional": False, "tensors": 1, "elements": 60, "bytes": 240}


def test_a_block_without_generics_has_totals_at_once(linnet, nested):
    done = linnet("inspect", "--parameters", "--json", "--root", "Empty", "nested.linnet")
    assert json.loads(done.stdout)["blocks"] == [{"name": "Empty", "module": "m", "generics": [], "entries": [], "totals": []}]


def test_a_file_without_blocks_has_no_parameters(linnet, folder):
    (folder / "f.linnet").write_text("module m\n\nfn f(x: f32) -> f32 {\n    return x\n}\n")
    assert linnet("inspect", "--parameters", "f.linnet").stdout == "no block\n"
    assert json.loads(linnet("inspect", "--parameters", "--json", "f.linnet").stdout) == {"version": 1, "blocks": []}


def test_a_preset_may_say_more_than_the_block_needs(linnet, folder):
    manifest = folder / "pack" / "linnet.toml"
    manifest.write_text(manifest.read_text() + "\n[presets.half]\nN = 4\nT = 'f16'\n")
    done = linnet("inspect", "--parameters", "--preset", "half", "pack")
    assert "1 param: 4 elements, 8 bytes\n" in done.stdout
    assert linnet("inspect", "--parameters", "--preset", "half", "--bind", "N=5", "pack").stdout.count("5") >= 2


@pytest.mark.parametrize(
    ("flag", "words"),
    [
        pytest.param("--parameters", "m::M<N, T>", id="parameters"),
        pytest.param("--tokens", "  3:7   M  (name)", id="tokens"),
        pytest.param("--ast", "File name=m", id="tree"),
        pytest.param("--core-ir", "entry m::M.scale<N, T>", id="Core IR"),
    ],
)
@pytest.mark.parametrize("path", ["good.linnet", "pack", "-", "/dev/stdin"])
def test_a_file_a_package_and_stdin_are_read(linnet, folder, flag, words, path):
    if flag == "--core-ir":
        words = "m::M.scale"
    done = linnet("inspect", flag, path, stdin=(folder / "good.linnet").read_bytes())
    assert (done.returncode, done.stderr) == (0, "")
    assert words in done.stdout


def test_the_core_ir_is_shown_before_and_after_the_passes(linnet, folder):
    (folder / "twice.linnet").write_text("module m\n\nentry f(x: f32) -> f32 {\n    let unused = x * x\n    return x\n}\n")
    before, after = (linnet("inspect", "--core-ir", *more, "twice.linnet").stdout for more in ([], ["-O"]))
    assert (" mul " in before, " mul " in after) == (True, False)


@pytest.mark.parametrize(
    ("flag", "words"),
    [pytest.param("--tokens", "4:5   return", id="tokens"), pytest.param("--ast", "name=m", id="tree")],
)
def test_what_could_be_read_of_a_wrong_file_is_printed(linnet, nested, flag, words):
    done = linnet("inspect", flag, "broken.linnet")
    assert done.returncode == 1
    assert words in done.stdout
    assert "error E1101" in done.stderr


@pytest.mark.parametrize("flag", ["--tokens", "--ast"])
@pytest.mark.parametrize("data", [b"", b"\x00\xff\x00\xff" * 50, b"module m\n" + b"(" * 5000], ids=["empty", "binary", "parentheses"])
def test_a_file_that_is_no_program_is_no_crash(linnet, folder, flag, data):
    (folder / "odd.linnet").write_bytes(data)
    done = linnet("inspect", flag, "odd.linnet")
    assert done.returncode == 1
    assert done.stderr.startswith("error E1")
    assert "internal error" not in done.stderr


@pytest.mark.parametrize("flag", ["--parameters", "--core-ir"])
def test_a_program_that_does_not_check_has_no_parameters_and_no_core_ir(linnet, folder, flag):
    done = linnet("inspect", flag, "bad.linnet")
    assert (done.returncode, done.stdout) == (1, "")
    assert "error E3101" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["good.linnet"], f"inspect takes one of {FLAGS}", id="none"),
        pytest.param(["--ast", "--tokens", "good.linnet"], f"one of {FLAGS}, not --tokens and --ast", id="two"),
        pytest.param(["--ast", "-O", "good.linnet"], "-O belongs to --core-ir, not to --ast", id="-O"),
        pytest.param(["--tokens", "--json", "good.linnet"], "--json belongs to --parameters, not to --tokens", id="JSON"),
        pytest.param(["--core-ir", "--root", "M", "good.linnet"], "--root belongs to --parameters", id="root"),
        pytest.param(["--ast", "--bind", "N=3", "good.linnet"], "--bind belongs to --parameters", id="bind"),
        pytest.param(["--parameters", "--root", "X", "good.linnet"], "no block `X`", id="unknown root"),
        pytest.param(["--parameters", "--bind", "M=3", "good.linnet"], "block `M` has no generic `M`", id="unknown generic"),
        pytest.param(["--parameters", "--preset", "x", "pack"], "there are: tiny", id="unknown preset"),
        pytest.param(["--ast", "gone.linnet"], "gone.linnet", id="no such file"),
        pytest.param(["--ast", "--std", "gone", "pack"], "gone", id="no such library"),
    ],
)
def test_a_usage_error_is_one_line(linnet, folder, arguments, words):
    done = linnet("inspect", *arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert words in done.stderr


@pytest.mark.parametrize(
    ("bind", "words"),
    [
        pytest.param(["N=1"], "block `Whole` needs a value for `L`", id="missing"),
        pytest.param(["N=1", "L=0"], "the length `L - 1` of `parts` is -1 at these sizes\n\n  --> nested.linnet:11:", id="negative length"),
    ],
)
def test_sizes_that_do_not_fit_are_said(linnet, nested, bind, words):
    done = linnet("inspect", "--parameters", *(part for one in bind for part in ("--bind", one)), "nested.linnet")
    assert (done.returncode, done.stdout) == (1, "")
    assert "error E6002" in done.stderr
    assert words in done.stderr
