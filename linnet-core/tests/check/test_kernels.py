"""Kernels: headers, launches, and the ops that name them.  Each refused program marks with `/*!*/` where its one error starts."""

from __future__ import annotations

import pytest

KERNEL = "kernel copy<N: Dim>(x: Tensor[N; f32]) -> y: Tensor[N; f32] grid(N) { let i = program_id(0) store(y[i], load(x[i])) }"


def kernel(
    params: str = "x: Tensor[4; f32]", results: str = "y: Tensor[4; f32]", launch: str = "grid(4)", body: str = "store(y[0], 1.0)"
) -> str:
    """A kernel that is right but for what is given."""
    return f"kernel k<N: Dim, *S: Shape>({params}) -> {results}\n    {launch} {{ {body} }}"


def op(header: str, body: str = "{ return x }") -> str:
    """A kernel, and an op that may name it."""
    return f"{KERNEL}\nop f{header} {body}"


REFUSED = [
    pytest.param(kernel("x: /*!*/(f32, f32)"), "E2127", "(f32, f32)", id="a tuple parameter"),
    pytest.param(kernel("x: /*!*/Tensor[4; f32]?"), "E2127", "Tensor[4; f32]?", id="an optional parameter"),
    pytest.param("struct P { a: f32 }\n" + kernel("x: /*!*/P"), "E2127", "P", id="a struct parameter"),
    pytest.param("enum E { A, B }\n" + kernel("x: /*!*/E"), "E2127", "E", id="an enum parameter"),
    pytest.param(kernel("x: /*!*/Tensor[*S; f32]"), "E2127", "Tensor[*S; f32]", id="a parameter of unknown rank"),
    pytest.param(kernel("x: f32 = /*!*/1.0"), "E2127", "1.0", id="a parameter with a default"),
    pytest.param(kernel("x: /*!*/Tnsor"), "E1201", "Tnsor", id="a parameter of an unknown type"),
    pytest.param(kernel(results="y: /*!*/f32"), "E2127", "f32", id="a scalar result"),
    pytest.param(kernel(results="y: /*!*/Tensor[*S; f32]"), "E2127", "Tensor[*S; f32]", id="a result of unknown rank"),
    pytest.param(kernel(results="(y: Tensor[4; f32], /*!*/y: Tensor[4; f32])"), "E1205", "y", id="two results of one name"),
    pytest.param(kernel("y: Tensor[4; f32]", results="/*!*/y: Tensor[4; f32]"), "E1205", "y", id="a result named as a parameter"),
    pytest.param(kernel("/*!*/load: Tensor[4; f32]"), "E1207", "load", id="a parameter named as a function of the prelude"),
    pytest.param(kernel(launch="grid(4, 4, 4, /*!*/4)"), "E2127", "4", id="four sizes"),
    pytest.param(kernel("n: i64", launch="grid(/*!*/n)"), "E2123", "n", id="a run-time size"),
    pytest.param(kernel("n: Tensor[4; i64]", launch="grid(/*!*/n)"), "E2123", "n", id="a tensor as a size"),
    pytest.param(kernel(launch="grid(/*!*/2.0)"), "E2123", "2.0", id="a float as a size"),
    pytest.param(kernel(launch="grid(/*!*/1 - 2)"), "E2208", "1 - 2", id="a negative size"),
    pytest.param(kernel(launch="grid(4 / /*!*/N)"), "E2205", "N", id="an unproved divisor"),
    pytest.param(kernel(launch="grid(4) /*!*/warps(3)"), "E2127", "warps(3)", id="warps that are no power of two"),
    pytest.param(
        kernel(launch="grid(4) /*!*/warps(9223372036854775807)"), "E2127", "warps(9223372036854775807)", id="more warps than a power of two"
    ),
    pytest.param(kernel(launch="grid(4) /*!*/warps(0)"), "E2127", "warps(0)", id="no warps"),
    pytest.param(kernel(launch="grid(4) /*!*/stages(0)"), "E2127", "stages(0)", id="no stages"),
    pytest.param(kernel(launch="grid(4) /*!*/stages(N)"), "E2127", "stages(N)", id="a hint that is no literal"),
    pytest.param(kernel(launch="grid(4) /*!*/warps(2.0)"), "E2127", "warps(2.0)", id="a hint that is no integer"),
    pytest.param(kernel(launch="grid(4) warps(2) /*!*/warps(4)"), "E2127", "warps(4)", id="a hint twice"),
    pytest.param(kernel(launch="grid(4) where N > 3, /*!*/N < 2"), "E2211", "N < 2", id="clauses that contradict each other"),
    pytest.param("block B { kernel /*!*/k() -> y: Tensor[4; f32] grid(4) { } }", "E2127", "k", id="a kernel in a block"),
    pytest.param(
        f"{KERNEL}\nfn f(x: Tensor[4; f32]) -> Tensor[4; f32] {{ return /*!*/copy(x) }}", "E2126", "copy(x)", id="a kernel called"
    ),
    pytest.param(kernel(body="let _ = /*!*/copy(1)") + "\n" + KERNEL, "E2126", "copy(1)", id="a kernel called by a kernel"),
    pytest.param(f"{KERNEL}\nfn f() -> f32 {{ return /*!*/copy }}", "E1208", "copy", id="a kernel as a value"),
    pytest.param(
        f"{KERNEL}\nfn f(x: Tensor[4; f32]) -> Tensor[4; f32] /*!*/kernel copy {{ return x }}", "E2126", "kernel copy", id="a fn names one"
    ),
    pytest.param(
        f"{KERNEL}\nentry f(x: Tensor[4; f32]) -> Tensor[4; f32] /*!*/kernel copy {{ return x }}",
        "E2126",
        "kernel copy",
        id="an entry does",
    ),
    pytest.param(
        op("<M: Dim>(z: Tensor[M; f32]) -> Tensor[M; f32] /*!*/kernel copy<M>", "{ return z }"),
        "E2126",
        "kernel copy<M>",
        id="another name",
    ),
    pytest.param(
        op("<M: Dim>(x: Tensor[M; f32], s: f32) -> Tensor[M; f32] /*!*/kernel copy<M>"), "E2126", "kernel copy<M>", id="a parameter more"
    ),
    pytest.param(
        op("() -> Tensor[4; f32] /*!*/kernel copy<4>", "{ return fill<f32>([4], 1.0) }"), "E2126", "kernel copy<4>", id="one less"
    ),
    pytest.param(op("<M: Dim>(x: Tensor[M; f32]) -> Tensor[M; f32] /*!*/kernel copy<2 * M>"), "E2126", "kernel copy<2 * M>", id="a shape"),
    pytest.param(op("<M: Dim>(x: Tensor[M; f16]) -> Tensor[M; f16] /*!*/kernel copy<M>"), "E2126", "kernel copy<M>", id="another dtype"),
    pytest.param(op("<M: Dim>(x: Tensor[M, 2; f32]) -> Tensor[M, 2; f32] /*!*/kernel copy"), "E2126", "kernel copy", id="another rank"),
    pytest.param(op("(x: f32) -> f32 /*!*/kernel copy<4>"), "E2126", "kernel copy<4>", id="a scalar for a tensor"),
    pytest.param(
        op("(x: Tensor[4; f32]) -> Tensor[2; f32] /*!*/kernel copy", "{ return x[0:2] }"), "E2126", "kernel copy", id="another result"
    ),
    pytest.param(
        op("<M: Dim>(x: Tensor[M; f32]) -> (Tensor[M; f32], f32) /*!*/kernel copy<M>", "{ return (x, 1.0) }"),
        "E2126",
        "kernel copy<M>",
        id="a result more",
    ),
    pytest.param(op("(x: Tensor[4; f32]) -> Tensor[4; f32] kernel copy<4, /*!*/5>"), "E2111", "5", id="too many arguments"),
    pytest.param(op("(x: Tensor[4; f32]) -> Tensor[4; f32] kernel copy</*!*/f32>"), "E2123", "f32", id="an argument of another kind"),
    pytest.param(
        "kernel k<N: Dim, B: Dim>(x: Tensor[N; f32]) -> y: Tensor[N; f32] grid(B) { }\n"
        "op f<M: Dim>(x: Tensor[M; f32]) -> Tensor[M; f32] /*!*/kernel k<M> { return x }",
        "E2110",
        "kernel k<M>",
        id="a generic that nothing tells",
    ),
    pytest.param(
        "kernel k<T: Float>(x: Tensor[4; T]) -> y: Tensor[4; T] grid(4) { }\n"
        "op f(x: Tensor[4; i32]) -> Tensor[4; i32] /*!*/kernel k { return x }",
        "E2112",
        "kernel k",
        id="a dtype outside its class",
    ),
    pytest.param("op f(x: f32) -> f32 kernel /*!*/g { return x }\nfn g(x: f32) -> f32 { return x }", "E1208", "g", id="a function for one"),
    pytest.param("op f(x: f32) -> f32 kernel /*!*/nope { return x }", "E1201", "nope", id="an unknown kernel"),
]


@pytest.mark.parametrize(("text", "code", "words"), REFUSED)
def test_refused(check_text, marked, text, code, words):
    checked = check_text(text)
    assert checked.spot == (code, words, *marked(text))
    assert code != "E2127" or None not in (checked.only.help, checked.only.label)
    assert checked.only.help is not None or code not in ("E2126", "E2127")


ACCEPTED = [
    pytest.param(op("<M: Dim>(x: Tensor[M; f32]) -> Tensor[M; f32] kernel copy<M>"), id="arguments written"),
    pytest.param(op("(x: Tensor[4; f32]) -> Tensor[4; f32] kernel copy"), id="arguments inferred"),
    pytest.param(
        "kernel k<N: Dim, B: Dim = 8, T: Float = f32>(x: Tensor[N; T]) -> y: Tensor[N; T] grid((N + B - 1) / B) where B > 0 { }\n"
        "op f<M: Dim>(x: Tensor[M; bf16]) -> Tensor[M; bf16] kernel k { return x }",
        id="arguments by default",
    ),
    pytest.param(
        "kernel k<N: Dim>(x: Tensor[N; f32]) -> y: Tensor[N; f32] grid(1) where N % 8 == 0 { }\n"
        "op f<M: Dim>(x: Tensor[M; f32]) -> Tensor[M; f32] kernel k<M> { return x }",
        id="a where that the op does not prove",
    ),
    pytest.param(
        "op f(x: Tensor[4; f32], s: f32) -> (Tensor[4; f32], Tensor[2; i32]) kernel k where 3 > 2 "
        "{ return (x, fill<i32>([2], 0)) } grad(y, dy) { return dy }\n"
        "kernel k(x: Tensor[4; f32], s: f32) -> (y: Tensor[4; f32], z: Tensor[2; i32]) grid(4) { }",
        id="declared after the op, two results",
    ),
    pytest.param(kernel(launch="grid(N, 2, 3) stages(3) warps(1)"), id="three sizes and hints in any order"),
    pytest.param(kernel(results="y: Tensor[4; f16]", body="atomic_add(y[0], 1.0)"), id="atomic_add of f16"),
    pytest.param(kernel(body=""), id="a result that nothing writes"),
    pytest.param(kernel("_: f32, _: Tensor[4; f32]"), id="parameters without a name"),
    pytest.param(KERNEL + "\npub fn grid(warps: f32) -> f32 { let store = warps let stages = store return stages }", id="words elsewhere"),
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepted(check_text, text):
    found = [(found.code, found.message) for found in check_text(text).found]
    assert found == ([] if "grad" not in text else [("E2125", found[0][1])])


def test_a_kernel_of_another_module_is_named_by_its_import(check_package):
    files = {
        "lib.linnet": "module demo\nuse crate.tiles::{copy}\npub op f(x: Tensor[4; f32]) -> Tensor[4; f32] kernel copy { return x }\n",
        "tiles.linnet": f"module demo.tiles\npub {KERNEL}\n",
    }
    checked = check_package(files)
    assert checked.found == ()
    assert checked.program.functions["demo::f"].kernel.kernel == "demo.tiles::copy"
    private = check_package({**files, "tiles.linnet": f"module demo.tiles\n{KERNEL}\n"})
    assert [found.code for found in private.found] == ["E1203"]


def test_what_a_kernel_is_launched_with(check_text):
    text = kernel(params="", launch="grid(N, (N + 3) / 4) warps(8) stages(2)")
    function = check_text(text).program.functions["test::k"]
    launch = function.launch
    assert (function.kind, [str(size) for size in launch.grid], launch.warps, launch.stages) == ("kernel", ["N", "(N + 3) / 4"], 8, 2)
    assert [local.name for local in launch.outputs] == ["y"]


def test_the_help_offers_no_number_that_does_not_fit(check_text):
    assert check_text(kernel(launch="grid(4) warps(9223372036854775807)")).only.help == "write `warps(4611686018427387904)`"
