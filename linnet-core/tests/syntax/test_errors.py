"""What the parser says about programs that are wrong: code, place, what was due and what was found; and that it goes on."""

from __future__ import annotations

import pytest

from linnet_core.syntax import tree
from linnet_core.syntax.limits import MAX_ERRORS
from linnet_core.syntax.parse_file import parse
from linnet_core.text.diagnostic import Diagnostic, Diagnostics
from linnet_core.text.source import Source


def found_in(text: str) -> list[Diagnostic]:
    diagnostics = Diagnostics()
    parse(Source("t.linnet", text), diagnostics)
    return list(diagnostics.found)


def short(found: list[Diagnostic]) -> list[tuple[str, str, str]]:
    return [(d.code, d.span.text if d.span else "", d.message) for d in found]


def in_body(statement: str) -> list[tuple[str, str, str]]:
    return short(found_in(f"module m\nfn f(x: f32) -> f32 {{\n    {statement}\n    return x\n}}"))


@pytest.mark.parametrize(
    ("statement", "code", "at", "message"),
    [
        pytest.param("let y = - - x", "E1101", "-", "expected an operand after `-`, found `-`", id="two minuses"),
        pytest.param("let y = !!x", "E1101", "!", "expected an operand after `!`, found `!`", id="two nots"),
        pytest.param("let y = x +", "E1101", "return", "expected an operand, found the keyword `return`", id="no right operand"),
        pytest.param("let y = x[/2]", "E1101", "/", "expected an index or a slice, found `/`", id="no index"),
        pytest.param("let y = x[]", "E1101", "]", "expected an index or a slice, found `]`", id="empty index"),
        pytest.param("let y = x[0,]", "E1101", "]", "expected an index or a slice, found `]`", id="comma before ]"),
        pytest.param("let y = (x", "E1101", "return", "expected `)`, found the keyword `return`", id="open parenthesis"),
        pytest.param("let y = f(x", "E1101", "return", "expected `,` or `)`, found the keyword `return`", id="open call"),
        pytest.param("let y = [x; 3]", "E1101", ";", "expected `,` or `]`, found `;`", id="semicolon in a list"),
        pytest.param("let y x", "E1101", "x", "expected `:` or `=`, found the name `x`", id="no equals sign"),
        pytest.param("let y: = x", "E1101", "=", "expected a type, found `=`", id="no type"),
        pytest.param("let = x", "E1101", "=", "expected a pattern, found `=`", id="no pattern"),
        pytest.param("let while = x", "E1101", "while", "expected a pattern, found the keyword `while`", id="keyword as a name"),
        pytest.param("let ref = x", "E1004", "ref", "`ref` is a reserved word and cannot be a name", id="reserved word as a name"),
        pytest.param(
            "let y = device", "E1004", "device", "`device` is a reserved word and cannot be a name", id="reserved word as a value"
        ),
        pytest.param("let y = self.x", "E1103", "self", "`self` is reserved and has no use yet", id="self"),
        pytest.param(
            "let y = 9223372036854775808", "E1005", "9223372036854775808", "`9223372036854775808` does not fit 64 bits", id="too large"
        ),
        pytest.param(
            "let y = -9223372036854775809", "E1005", "9223372036854775809", "`9223372036854775809` does not fit 64 bits", id="too small"
        ),
        pytest.param(
            "let y = -(9223372036854775808)",
            "E1005",
            "9223372036854775808",
            "`9223372036854775808` does not fit 64 bits",
            id="the minus must be right before it",
        ),
        pytest.param(
            "let y = 1 + if x { 1 } else { 2 }", "E1101", "if", "expected an operand, found the keyword `if`", id="if as an operand"
        ),
        pytest.param("let y = if x { 1 }", "E1101", "return", "expected `else`, found the keyword `return`", id="if without else"),
        pytest.param("let y = if x { 1 } else if y { 2 } else { 3 }", "E1101", "if", "expected `{`, found the keyword `if`", id="else if"),
        pytest.param(
            "let y = if x { let z = 1 } else { 2 }",
            "E1101",
            "let",
            "expected an expression, found the keyword `let`",
            id="statement in a branch",
        ),
        pytest.param("let y = match x { }", "E1101", "}", "expected an arm (`pattern => value`), found `}`", id="no arm"),
        pytest.param(
            "let y = match x { (a, b) => a }",
            "E1101",
            "(",
            "expected an arm (`pattern => value`), found `(`",
            id="first arm with a parenthesis",
        ),
        pytest.param(
            "let y = match x { none => a (b) => c }",
            "E1101",
            "=>",
            "expected an arm (`pattern => value`), found `=>`",
            id="later arm with a parenthesis",
        ),
        pytest.param(
            "let y = match x { none => a, some(b) => c }",
            "E1101",
            ",",
            "expected an arm (`pattern => value`), found `,`",
            id="comma between arms",
        ),
        pytest.param("let y = match x { none = a }", "E1101", "=", "expected `=>`, found `=`", id="arm with ="),
        pytest.param("f(x)", "E1101", "(", "expected `=` after `f`, found `(`", id="a call alone"),
        pytest.param("x[0] = 1", "E1101", "[", "expected `=` after `x`, found `[`", id="assignment to an element"),
        pytest.param("a.b = 1", "E1101", ".", "expected `=` after `a`, found `.`", id="assignment to a member"),
        pytest.param("x += 1", "E1101", "+", "expected `=` after `x`, found `+`", id="compound assignment"),
        pytest.param("if x { 1 } else { 2 }", "E1101", "if", "expected a statement, found the keyword `if`", id="if as a statement"),
        pytest.param("let y = x;", "E1101", ";", "expected a statement, found `;`", id="semicolon"),
        pytest.param("for i in x { }", "E1101", "{", "expected `..`, found `{`", id="for over an array"),
        pytest.param("static while x { }", "E1101", "while", "expected `for`, found the keyword `while`", id="static alone"),
        pytest.param("while { }", "E1101", "{", "expected a condition, found `{`", id="while without a condition"),
        pytest.param("let y[i: f32 = x", "E1101", ":", "expected `,` or `]`, found `:`", id="open index list"),
        pytest.param("let y[i]: f32 = x", "E1101", ":", "expected `=`, found `:`", id="typed indexed let"),
        pytest.param("let (a b) = x", "E1101", "b", "expected `,` or `)`, found the name `b`", id="tuple pattern without a comma"),
        pytest.param("let some(a, b) = x", "E1101", ",", "expected `)`, found `,`", id="two things in some"),
        pytest.param("let y = sum[] x", "E1101", "]", "expected the name of an index, found `]`", id="reduction over nothing"),
        pytest.param(
            "let y = sum[i]", "E1101", "return", "expected the expression to reduce, found the keyword `return`", id="reduction of nothing"
        ),
        pytest.param("let y = x.3", "E1101", "3", "expected a name after `.`, found the number `3`", id="a number as a field"),
        pytest.param("let y = f<*S>(x)", "E1101", "*", "expected an operand, found `*`", id="a pack as an argument"),
        pytest.param("store(x[0])", "E1101", ")", "expected `,` and the value to write, found `)`", id="store of nothing"),
        pytest.param('let y = "a" "b"', "E1101", '"b"', 'expected a statement, found the string `"b"`', id="two strings"),
    ],
)
def test_a_wrong_statement_is_one_error_and_the_next_ones_are_read(statement: str, code: str, at: str, message: str) -> None:
    assert in_body(statement) == [(code, at, message)]
    assert [d[0] for d in in_body(f"{statement}\n    let = 2")] == [code, "E1101"]


@pytest.mark.parametrize(
    ("text", "code", "at", "message"),
    [
        pytest.param("fn f() { return }", "E1102", "fn", "a file begins with `module` and a name, found the keyword `fn`", id="no module"),
        pytest.param("", "E1102", "", "a file begins with `module` and a name, found the end of the file", id="empty file"),
        pytest.param(
            "// only a comment", "E1102", "", "a file begins with `module` and a name, found the end of the file", id="only a comment"
        ),
        pytest.param(
            "use std.a\nmodule m", "E1102", "use", "a file begins with `module` and a name, found the keyword `use`", id="module second"
        ),
        pytest.param("module", "E1101", "", "expected the name of the module, found the end of the file", id="module without a name"),
        pytest.param("module fn", "E1101", "fn", "expected the name of the module, found the keyword `fn`", id="keyword as a module"),
        pytest.param("module a.async", "E1004", "async", "`async` is a reserved word and cannot be a name", id="reserved word as a module"),
        pytest.param(
            "module a\nmodule b", "E1101", "module", "expected an import or an item, found the keyword `module`", id="two modules"
        ),
        pytest.param("module a\nconst X = 1\nuse std.b", "E1101", "use", "expected an item, found the keyword `use`", id="late import"),
        pytest.param("module a\nuse self.b", "E1103", "self", "`self` is reserved and has no use yet", id="use self"),
        pytest.param("module a\nuse super.b::x", "E1103", "super", "`super` is reserved and has no use yet", id="use super"),
        pytest.param("module a\nuse a.b as c", "E1101", "as", "expected an import or an item, found the keyword `as`", id="module renamed"),
        pytest.param("module a\nuse a.b::{}", "E1101", "}", "expected the name of an item, found `}`", id="import of nothing"),
        pytest.param("module a\nuse a.b: :x", "E1101", ":", None, id="a space inside the path sign"),
        pytest.param("module a\nextern fn f() { return }", "E1103", "extern", "`extern` is reserved and has no use yet", id="extern"),
        pytest.param(
            "module a\npub extern fn f(x: f32) -> f32\n\npub fn g() { return }",
            "E1103",
            "extern",
            "`extern` is reserved and has no use yet",
            id="extern without a body",
        ),
        pytest.param("module a\nlet x = 1", "E1101", "let", None, id="let at module level"),
        pytest.param("module a\n}", "E1101", "}", None, id="a closing brace too many"),
        pytest.param("module a\nparam x: f32", "E1101", "param", None, id="member outside a block"),
        pytest.param("module a\npub use std.b", "E1101", "use", None, id="pub use"),
        pytest.param("module a\nblock B { pub param w: f32 }", "E1101", "param", None, id="pub member"),
        pytest.param(
            "module a\nblock B { w: f32 }",
            "E1101",
            "w",
            "expected a member, an item or `}`, found the name `w`",
            id="member without a kind",
        ),
        pytest.param(
            "module a\nblock B { buffer w: f32 = 1 }",
            "E1101",
            "=",
            "expected a member, an item or `}`, found `=`",
            id="buffer with a value",
        ),
        pytest.param("module a\nblock B { param w }", "E1101", "}", "expected `:` and a type, found `}`", id="member without a type"),
        pytest.param(
            "module a\nblock B {\n param w: f32\n",
            "E1101",
            "",
            "expected a member, an item or `}`, found the end of the file",
            id="open block",
        ),
        pytest.param(
            "module a\nstruct S { a: f32, b: f32 }", "E1101", ",", "expected a field or `}`, found `,`", id="comma between fields"
        ),
        pytest.param("module a\nenum E { A B }", "E1101", "B", "expected `,` or `}`, found the name `B`", id="no comma between variants"),
        pytest.param("module a\nop f(x: f32) { return x }", "E1101", "{", "expected `->` and a type, found `{`", id="op without a result"),
        pytest.param("module a\nfn f(x) { return }", "E1101", ")", "expected `:` and a type, found `)`", id="parameter without a type"),
        pytest.param("module a\nfn f<N>() { return }", "E1101", ">", "expected `:` and a kind, found `>`", id="generic without a kind"),
        pytest.param(
            "module a\nfn f<N: i64>() { return }", "E1101", "i64", "expected a kind, found the name `i64`", id="generic of a dtype"
        ),
        pytest.param("module a\nfn f<>() { return }", "E1101", ">", "expected the name of a generic, found `>`", id="no generics"),
        pytest.param(
            "module a\nfn f() where N { return }",
            "E1101",
            "{",
            "expected a relation (`==`, `!=`, `<`, `<=`, `>` or `>=`), found `{`",
            id="no relation",
        ),
        pytest.param(
            "module a\nfn f(x: Tensor[; f32]) { return }",
            "E1103",
            ";",
            "a tensor without axes has no type of its own",
            id="rank-0 tensor type",
        ),
        pytest.param(
            "module a\nfn f(x: Tensor[N]) { return }", "E1101", "]", "expected `;` and a dtype, found `]`", id="tensor without a dtype"
        ),
        pytest.param("module a\nfn f(x: Tensor) { return }", "E1101", ")", "expected `[`, found `)`", id="tensor without axes"),
        pytest.param("module a\nfn f(x: f32??) { return }", "E1101", "?", "expected `,` or `)`, found `?`", id="optional of optional"),
        pytest.param(
            "module a\nfn f(x: [B]) { return }",
            "E1101",
            "]",
            "expected `;` and the length of the array, found `]`",
            id="array without a length",
        ),
        pytest.param(
            "module a\nkernel k(x: f32) grid(1) { }",
            "E1101",
            "grid",
            "expected `->` and the results of the kernel, found the name `grid`",
            id="kernel without results",
        ),
        pytest.param(
            "module a\nkernel k(x: f32) -> y: f32 { }", "E1101", "{", "expected `grid(...)`, found `{`", id="kernel without a grid"
        ),
        pytest.param(
            "module a\nkernel k(x: f32) -> f32 grid(1) { }",
            "E1101",
            "grid",
            "expected `:` and a type, found the name `grid`",
            id="unnamed result",
        ),
    ],
)
def test_a_wrong_item_is_one_error(text: str, code: str, at: str, message: str | None) -> None:
    found = found_in(text)
    assert [(d.code, d.span.text if d.span else None) for d in found] == [(code, at)]
    if message is not None:
        assert found[0].message == message


def test_an_error_in_one_item_leaves_the_others_in_the_tree() -> None:
    text = """module m
fn a(x: ) -> f32 { return x }
block B<N Dim> {
    param w: f32
    pub fn f() -> f32 { return w }
}
pub fn good() { return }
struct S { x: }
const C = 1
enum E { A, 3 }
fn h() { return (1 + }
op last() -> f32 { return 1.0 }
"""
    diagnostics = Diagnostics()
    source = Source("t.linnet", text)
    file = parse(source, diagnostics)
    assert [source.position(d.span.start).line for d in diagnostics.found if d.span] == [2, 3, 8, 10, 11]
    assert [item.name.text for item in file.items] == ["good", "C", "h", "last"]


def test_an_error_in_one_member_leaves_the_others_in_the_tree() -> None:
    text = """module m
block B {
    param a: f32 f32
    param b f32
    sub c: [L; 3]
    pub fn f( { return }
    state d: Tensor[3; f32]
    pub fn g() { return }
}
const AFTER = 1
"""
    diagnostics = Diagnostics()
    source = Source("t.linnet", text)
    file = parse(source, diagnostics)
    assert [source.position(d.span.start).line for d in diagnostics.found if d.span] == [3, 4, 6]
    block = file.items[0]
    assert isinstance(block, tree.Block)
    assert [m.name.text for m in block.members] == ["a", "c", "d"]
    assert [i.name.text for i in block.items] == ["g"]
    assert len(file.items) == 2


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("module m\nfn f() {\n    let a = 1\n\nfn g() {\n    return\n}\n", id="a body without its brace"),
        pytest.param("module m\nfn f() {\n    while x {\n    return\n}\n\nfn g() { return }\n", id="a loop without its brace"),
        pytest.param(
            "module m\nblock B {\n    fn f() {\n        return\n\n    fn g() { return }\n}\nfn h() { return }\n",
            id="a method without its brace",
        ),
        pytest.param("module m\nblock B {\n    param w: f32\n\nfn h() { return }\n", id="a block without its brace"),
        pytest.param("module m\nfn f() { let a = (1 + 2 return }\nfn h() { return }\n", id="a parenthesis that stays open"),
        pytest.param(
            "module m\nfn f() { let a = if x { 1 ] else { 2 } return }\nfn h() { return }\n", id="a wrong bracket inside a branch"
        ),
        pytest.param("module m\nfn f(x: Tensor[N, M; f32) { return }\nfn h() { return }\n", id="an open type"),
    ],
)
def test_a_missing_bracket_is_one_error(text: str) -> None:
    assert [d.code for d in found_in(text)] == ["E1101"]


def test_the_bracket_that_waits_is_shown_when_it_is_on_another_line() -> None:
    (found,) = found_in("module m\nfn f() {\n    let a = g(\n        1,\n        2\n    return\n}\n")
    assert [(label.span.text, label.text) for label in found.related] == [("(", "opened here")]


def test_every_error_of_a_file_is_reported_lexical_ones_included() -> None:
    text = (
        'module m\nconst A = 1__0\nconst B = "\\q"\nfn f() {\n    let = 1\n    let b = 2 $\n    c +\n    return (\n}\nconst ref = 3 /* open'
    )
    assert [d.code for d in found_in(text)] == ["E1005", "E1003", "E1101", "E1001", "E1101", "E1101", "E1004", "E1002"]


def test_more_errors_than_the_limit_end_with_a_line_that_says_so() -> None:
    found = found_in("module m\n" + "fn f() { let = 1 }\n" * (MAX_ERRORS + 10))
    assert len(found) == MAX_ERRORS + 1
    assert found[-1].code == "E6003"


def test_a_reserved_word_is_reported_where_it_is_declared_and_again_only_where_it_is_declared() -> None:
    found = found_in("module m\nfn f(ref: f32) -> f32 {\n    let mut = ref + 1.0\n    return ref * mut\n}")
    assert [(d.code, d.span.text if d.span else "") for d in found] == [("E1004", "ref"), ("E1004", "mut")]


def test_a_thousand_errors_are_all_reported_in_order() -> None:
    found = found_in("module m\n" + "fn f() { let = 1 return }\n" * 1000)
    assert [d.code for d in found] == ["E1101"] * 1000
    assert [d.span.start for d in found if d.span] == sorted(d.span.start for d in found if d.span)


@pytest.mark.parametrize("below", ["return x", "// why\n    return x"])
def test_what_a_wrong_character_breaks_in_the_line_below_is_not_told_again(below: str) -> None:
    assert [d.code for d in found_in(f"module m\nfn f(x: f32) -> f32 {{\n    let y = x @ x\n    {below}\n}}")][:1] == ["E1001"]
    assert [d.code for d in found_in("module m\nfn f(x: f32) -> f32 {\n    let y = x @ x\n    return x\n    let = 1\n}")] == [
        "E1001",
        "E1101",
    ]


def test_a_misspelt_module_line_is_shown_the_word() -> None:
    assert [(d.code, d.help) for d in found_in("modul m\nconst A = 1\n")] == [("E1102", "did you mean `module`?")]


@pytest.mark.parametrize(
    ("statement", "at"),
    [
        pytest.param("let y = f<A B, C>(x, x)", "B", id="generic arguments without a comma"),
        pytest.param("let y = f<A, , C>(x, x)", ",", id="a generic argument that is missing"),
        pytest.param("let y = f<A B, C>(\n        x,\n        x,\n    )", "B", id="arguments on lines of their own"),
        pytest.param("let y = f(let, x)", "let", id="a keyword for an argument"),
        pytest.param("let y = var[i] x[i]", "var", id="a keyword for a reduction"),
        pytest.param("let y = g(x, [0, return, 1])", "return", id="a keyword in a list"),
    ],
)
def test_what_is_wrong_inside_a_statement_is_told_once_where_it_is(statement: str, at: str) -> None:
    assert [(d[0], d[1]) for d in in_body(statement)] == [("E1101", at)]


@pytest.mark.parametrize(
    ("line", "code", "at"),
    [
        pytest.param("let a = 'encoder'", "E1001", "'", id="single quotes"),
        pytest.param("let a = “encoder”", "E1001", "“", id="typographic quotes"),
        pytest.param("let a = 1 # it's $5", "E1001", "#", id="a comment of another language"),
        pytest.param('let a = f("encoder)', "E1003", '"encoder)', id="a string that hides a bracket"),
        pytest.param("let a = 1 $ 2 let b = 1 @ 2", "E1001 E1001", "$@", id="two characters of no language"),
    ],
)
def test_what_a_line_has_from_another_language_is_one_error(line: str, code: str, at: str) -> None:
    found = in_body(line)
    assert [each[0] for each in found] == code.split()
    assert "".join(each[1] for each in found) == at


def test_an_import_as_in_another_language_is_one_error() -> None:
    (found,) = found_in("module a\nuse std::nn::linear::Linear\nfn f() { return }\n")
    assert (found.code, found.help) == ("E1101", "modules are joined with points, and `::` stands once: `use std.nn::...`")
