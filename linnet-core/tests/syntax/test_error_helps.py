"""What the parser suggests to write instead."""

from __future__ import annotations

import pytest

from linnet_core.syntax.parse_file import parse
from linnet_core.text.diagnostic import Diagnostic, Diagnostics
from linnet_core.text.source import Source


def found_in(text: str) -> list[Diagnostic]:
    diagnostics = Diagnostics()
    parse(Source("t.linnet", text), diagnostics)
    return list(diagnostics.found)


def test_helps_say_what_to_write_instead() -> None:
    helps = {d.help for d in found_in("module m\nfn f() {\n    x += 1\n    y[0] = 2\n    g(x)\n    return\n}\n")}
    assert helps == {
        "write `x = x + ...`",
        "one element cannot be assigned: make the whole tensor with `let y[i] = ...`, or in a kernel `store(y[i], ...)`",
        "a call alone is no statement: write `let _ = g(...)`",
    }


@pytest.mark.parametrize(
    ("text", "help"),
    [
        pytest.param("let y = x @ x", "a product of matrices is written with its indices: `sum[k] a[m, k] * b[k, n]`", id="matmul"),
        pytest.param("@fast\n    let y = x", "remove it", id="a decorator"),
        pytest.param("let y = \u201cx", 'write `"`', id="a quote of a word processor"),
        pytest.param("let y = x \u2212 1", "write `-`", id="a minus of a word processor"),
        pytest.param("let größe = x", "a name is made of the letters A to Z and a to z, digits and `_`", id="a letter beyond ASCII"),
        pytest.param("let y = x \u20ac", "remove it", id="a sign beyond ASCII"),
        pytest.param("let y = /* x", "write `*/` where it ends", id="an open comment"),
        pytest.param('let y = "\\q"', r"a backslash is written `\\`: `\\q`", id="an escape"),
        pytest.param('let y = "abc', 'end it with `"`; a line end in it is written `\\n`', id="an open string"),
        pytest.param('let y = "\x01"', "write `\\u{1}`", id="a control character"),
        pytest.param("let ref = x", "choose another name: `ref_` is one", id="a reserved word"),
        pytest.param("let mut y = x", "a local that changes is declared with `var`", id="mut"),
        pytest.param("let y = self.x", "write `x`: members and methods of a block are used by their bare names", id="a member of self"),
        pytest.param("let while = x", "a keyword is no name; `while_` is one", id="a keyword"),
        pytest.param("let y = (x", "close it: write `)` before the keyword `return`", id="an open parenthesis"),
        pytest.param("let y = f(x y)", "separate them: write `,` before the name `y`", id="no comma"),
        pytest.param("let y = [x; 3]", "write `,` in place of `;`", id="a semicolon"),
        pytest.param("let y x", "write `=` before the name `x`", id="no equals sign"),
        pytest.param("let y: x", "write `=` and a value before the keyword `return`", id="no value"),
        pytest.param("let y: = x", "a type is `f32` or another dtype, `Tensor[N; f32]`, a tuple, or a name", id="no type"),
        pytest.param("let y = x +", "write what is due here, or remove what waits for it", id="no operand"),
        pytest.param("retrun x", "did you mean `return`?", id="a misspelt keyword"),
        pytest.param("let y = x.3", "a tuple is taken apart by a pattern: `let (a, b) = x`", id="an element of a tuple"),
        pytest.param("let y = x ** 2", "there is no `**`: a square is `x * x`, a root `sqrt(x)`, one over it `rsqrt(x)`", id="a power"),
        pytest.param(
            "let y = E::A", "after a name stands a point: `E.A`; a pattern names the variant alone: `A`", id="a variant behind colons"
        ),
        pytest.param(
            "let y = match e { E::A => 1 }",
            "after a name stands a point: `E.A`; a pattern names the variant alone: `A`",
            id="colons in a pattern",
        ),
        pytest.param(
            "let y = g(x // 2)",
            "`//` begins a comment, here of what should close this line; a division is `/`, and one of sizes rounds down",
            id="a whole division",
        ),
        pytest.param(
            "let y = all[0]",
            "`all[` begins a reduction, `all[i, j] x[i, j]`; a value that is indexed needs another name",
            id="an element of a value named like a reduction",
        ),
        pytest.param(
            "let y = g(max[i])",
            "`max[` begins a reduction, `max[i, j] x[i, j]`; a value that is indexed needs another name",
            id="a value named like a reduction at a counter",
        ),
        pytest.param(
            "let y[i] = mean[j] x[i, j]",
            "`mean` is no reduction; those are `sum prod max min any all`, and a mean is `(sum[i] x[i]) / N`",
            id="a reduction there is not",
        ),
        pytest.param("let y = Pair { a = x }", "a struct is built by a call: `Pair(field = value)`", id="a struct in braces"),
        pytest.param("let y[] = sum[i] x[i]", "without an index it is a plain `let`: `let y = ...`", id="an indexed let without an index"),
        pytest.param("let y = sum[] x", "indices are listed by name: `[i, j]`", id="no index"),
        pytest.param("where x", "a statement is a `let`, `var`, assignment, loop or `return`", id="no statement"),
        pytest.param("let y = x)", "remove it: it closes nothing", id="a bracket too many"),
        pytest.param("extern x", "remove it: what runs outside is a target's own implementation of an `op`", id="extern"),
    ],
)
def test_what_helps_in_a_body(text: str, help: str) -> None:
    found = found_in(f"module m\nfn f(x: f32) -> f32 {{\n    {text}\n    return x\n}}\n")
    assert [d.help for d in found] == [help]


@pytest.mark.parametrize(
    ("text", "help"),
    [
        pytest.param("def f() { return }", "did you mean `fn`?", id="a keyword of another language"),
        pytest.param("blok B { }", "did you mean `block`?", id="a misspelt keyword"),
        pytest.param("block B { parm w: f32 }", "did you mean `param`?", id="a misspelt member"),
        pytest.param("block B {\n param w: f32\n", "close what is open with `}`", id="an open block"),
        pytest.param("fn f() {\n return", "close what is open with `}`", id="an open body"),
        pytest.param("fn f[N: Dim]() { return }", "generics stand in `<...>`", id="generics in brackets"),
        pytest.param("use self.b", "write the path from `crate` on", id="an import from self"),
        pytest.param("struct S { a f32 }", "write its type after it: `: f32`", id="a field without a type"),
        pytest.param("block B { sub a = Linear<2, 3> }", "write `:` in place of `=`", id="a child that is assigned"),
        pytest.param("block B { sub a Linear<2, 3> }", "write its type after it: `: Linear<In, Out>`", id="a child without a colon"),
        pytest.param("block B { sub a: Linear<2, 3>[4] }", "the type of an array is written `[Layer; 4]`", id="a length behind a block"),
        pytest.param("fn f(x: f32[2]) { return }", "a tensor type is written `Tensor[dims; f32]`", id="sizes behind a dtype"),
        pytest.param("fn f() -> T[2, N] { return x }", "a tensor type is written `Tensor[dims; T]`", id="sizes behind a result"),
        pytest.param("enum E { A B }", "separate them: write `,` before the name `B`", id="variants"),
        pytest.param("fn f(x: Tensor) { return }", "a tensor type is written `Tensor[dims; dtype]`", id="a tensor without axes"),
        pytest.param("op f(x: f32) -> f32 { return x } grad(y) { return y }", "name both: `grad(y, dy)`", id="one name for a gradient"),
        pytest.param("struct S { fn f() { return } }", "close what is open with `}`", id="a function in a struct"),
        pytest.param("struct S {\n a: f32\nfn f() { return }", "close what is open with `}`", id="an open struct"),
        pytest.param(
            "kernel k(x: f32) -> y: Tensor[4; f32] grid(4 5) { }", "separate them: write `,` before the number `5`", id="sizes of a grid"
        ),
        pytest.param(
            "kernel k(x: f32) -> (y: f32 z: f32) grid(4) { }", "separate them: write `,` before the name `z`", id="results of a kernel"
        ),
        pytest.param("kernel k(x: f32) -> y: Tensor[4; f32] grid(4) foo { }", "write `{` before the name `foo`", id="a word after a grid"),
        pytest.param("fn f() { static for i in a b { } return }", "write `{` before the name `b`", id="a word after an array"),
        pytest.param("fn f(x: Tensor[3 4; f32]) { return }", "write `,` before the number `4`, or `;` and a dtype", id="two sizes"),
        pytest.param("fn f(x: Tensor[]) { return }", "a tensor type is written `Tensor[dims; dtype]`", id="no size"),
        pytest.param(
            "fn f(x: Tensor[,; f32]) { return }", "a dimension is a number, a generic, or what is computed from them", id="a size missing"
        ),
        pytest.param("fn f() -> f32, i32 { return }", "several results are a tuple: `-> (f32, i32)`", id="several results"),
        pytest.param(
            "fn f() -> Tensor[2; f32], f32, f32 where N > 1 { return }",
            "several results are a tuple: `-> (Tensor[2; f32], f32, f32)`",
            id="several results and a where",
        ),
        pytest.param("fn f() -> f32,", "several results are a tuple: `-> (f32, ...)`", id="a comma after the result"),
        pytest.param(
            "kernel k(x: f32) -> y: Tensor[4; f32] grid(4) { store(y[0], x, mask = true) }",
            "leave out `mask =`: a write is told by position, `store(y[i], value, mask)`",
            id="a mask by name",
        ),
        pytest.param(
            "kernel k(x: f32) -> y: Tensor[4; f32] grid(4) { atomic_add(y[0], value = x) }",
            "leave out `value =`: a write is told by position, `atomic_add(y[i], value, mask)`",
            id="a value by name",
        ),
        pytest.param("fn f() where N { return }", "a constraint compares two sizes: `H % N == 0`", id="no relation"),
    ],
)
def test_what_helps_in_an_item(text: str, help: str) -> None:
    assert [d.help for d in found_in(f"module m\n{text}")] == [help]


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("1_", "1"),
        ("1__0", "1_0"),
        ("0x_1", "0x1"),
        ("1.5_", "1.5"),
        ("007", "7"),
        ("00.5", "0.5"),
        (".5", "0.5"),
        ("1.", "1.0"),
        ("1e", "1"),
        ("1.5e", "1.5"),
        ("0X1F", "0x1F"),
        ("0o17", "15"),
        ("1.5f", "1.5"),
        ("1e30f", "1e30"),
        ("1e5f32", "1e5"),
        ("2L", "2"),
        ("3elements", "3"),
        ("2.5_e-1", "2.5e-1"),
    ],
)
def test_a_malformed_number_is_shown_the_one_that_is_meant(wrong: str, meant: str) -> None:
    assert [d.help for d in found_in(f"module m\nconst A = {wrong}\n")] == [f"write `{meant}`"]
    assert found_in(f"module m\nconst A = {meant}\n") == []


@pytest.mark.parametrize(
    ("header", "help"),
    [
        pytest.param("fn f() f32", "write `->` before the name `f32`", id="no arrow"),
        pytest.param("fn f() Tensor[3; f32]", "write `->` before the name `Tensor`", id="no arrow before a tensor"),
        pytest.param("entry f(): f32", "write `->` instead of `:`", id="a colon"),
        pytest.param("fn f() => f32", "write `->` instead of `=>`", id="an arrow of another language"),
        pytest.param("fn f<N: Dim>() where N > 1 -> f32", "the result stands before the `where`", id="after the where"),
        pytest.param("fn f() -> f32 return", "write `{` before the keyword `return`", id="no brace"),
    ],
)
def test_a_result_is_announced_by_an_arrow(header, help) -> None:
    found = found_in(f"module m\n{header} {{ return 1.0 }}\n")
    assert found[0].help == help
