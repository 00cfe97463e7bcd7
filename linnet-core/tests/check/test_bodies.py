"""Which bodies are checked: all of the user's text, and of the installed standard library those it reaches.

In the library of these tests three functions do not check, so that an E2101 says which bodies were.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

import linnet_core
from linnet_core.check import bodies
from linnet_core.check.check import check
from linnet_core.check.load_program import load_program
from linnet_core.check.program import Call
from linnet_core.check.walk import nodes_of
from linnet_core.errors import SourceError
from linnet_core.modules.load import load
from linnet_core.text.diagnostic import Diagnostics

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linnet_core.check.program import Expr, Function, Program, Stmt

STD = Path(linnet_core.__file__).parent / "std"
EXAMPLES = Path(__file__).parents[3] / "examples"

LIBRARY = """module std.wrong

pub fn right(x: f32) -> f32 { return x }
pub fn wrong(x: f32) -> f32 { let number: i64 = x return x }
pub fn through(x: f32) -> f32 { return wrong(x) }
pub fn by_default(x: f32 = wrong(1.0)) -> f32 { return x }
pub fn wrong_default(x: f32 = true) -> f32 { return x }

pub op by_gradient(x: Tensor[4; f32]) -> Tensor[4; f32] { return x } grad(y, dy) { let z = wrong(1.0) return dy }
kernel copy(x: Tensor[4; f32]) -> y: Tensor[4; f32] grid(4) { let i = program_id(0) store(y[i], wrong(load(x[i]))) }
pub op by_kernel(x: Tensor[4; f32]) -> Tensor[4; f32] kernel copy { return x }

pub block Child {
    param weight: f32
    pub fn right() -> f32 { return weight }
    pub fn wrong() -> f32 { let number: i64 = weight return weight }
    pub fn by_method() -> f32 { return wrong() }
}
"""
USES = "module m\nuse std.wrong::{right, wrong, through, by_default, wrong_default, by_gradient, by_kernel, Child}\n"


def found_in(text: str, folder: Path, *, named: bool, whole: bool = False) -> list[tuple[str, str]]:
    """Code and place of what is found in a program beside that library, which the user named or which is the installed one."""
    (folder / "std").mkdir(exist_ok=True)
    (folder / "std" / "wrong.linnet").write_text(LIBRARY, encoding="utf-8")
    (folder / "m.linnet").write_text(USES + text, encoding="utf-8")
    diagnostics = Diagnostics()
    package = load(str(folder / "m.linnet"), std=str(folder / "std"), diagnostics=diagnostics)
    assert package is not None
    assert package.std_named
    check(replace(package, std_named=named), diagnostics, whole=whole)
    return [(one.code, one.span.text if one.span else "") for one in diagnostics.ordered() if one.severity == "error"]


UNREACHED = [
    pytest.param("", id="nothing is named"),
    pytest.param("fn f(x: f32) -> f32 { return right(x) }", id="another is called"),
    pytest.param("block B { sub child: Child fn f() -> f32 { return child.right() } }", id="another method is called"),
    pytest.param("fn f(x: Tensor[4; f32]) -> Tensor[4; f32] { return x + 1.0 }", id="no function of the library is called"),
]
REACHED = [
    pytest.param("fn f(x: f32) -> f32 { return wrong(x) }", id="a call"),
    pytest.param("fn f(x: f32) -> f32 { return through(x) }", id="a call by a function of the library"),
    pytest.param("fn f(x: f32 = wrong(1.0)) -> f32 { return x }", id="a default"),
    pytest.param("fn f() -> f32 { return by_default() }", id="a default of a function of the library"),
    pytest.param("fn f(x: Tensor[4; f32]) -> Tensor[4; f32] { let y[i] = wrong(x[i]) return y }", id="index notation"),
    pytest.param("fn f(x: Tensor[4; f32]) -> f32 { return sum[i] wrong(x[i]) }", id="a reduction"),
    pytest.param("fn f(x: f32) -> f32 { return if x > 0.0 { right(x) } else { wrong(x) } }", id="an arm"),
    pytest.param("fn f(x: f32?) -> f32 { return match x { some(y) => wrong(y) none => 0.0 } }", id="a match"),
    pytest.param("fn f(x: f32) -> f32 { var y = x while y < 1.0 { y = wrong(y) } return y }", id="a loop"),
    pytest.param("struct S { a: f32 }\nfn f(x: f32) -> S { return S(a = wrong(x)) }", id="a field"),
    pytest.param("op f(x: Tensor[4; f32]) -> Tensor[4; f32] { return x } grad(y, dy) { return dy * wrong(1.0) }", id="a grad clause"),
    pytest.param("fn f(x: Tensor[4; f32]) -> Tensor[4; f32] { return by_gradient(x) }", id="a grad clause of the library"),
    pytest.param("kernel k() -> y: Tensor[4; f32] grid(4) { store(y[program_id(0)], wrong(1.0)) }", id="a kernel that no op names"),
    pytest.param("fn f(x: Tensor[4; f32]) -> Tensor[4; f32] { return by_kernel(x) }", id="a kernel of the library"),
    pytest.param("block B { sub child: Child fn f() -> f32 { return child.wrong() } }", id="a method of a child"),
    pytest.param("block B { sub child: Child fn f() -> f32 { return child.by_method() } }", id="a method by a method"),
    pytest.param(
        "block B { sub all: [Child; 2] fn f() -> f32 { var y: f32 = 0.0 static for child in all { y = y + child.wrong() } return y } }",
        id="a method of each of an array",
    ),
]
WRONG = [("E2101", "x"), ("E2101", "true"), ("E2101", "weight")]


@pytest.mark.parametrize("text", UNREACHED)
def test_a_body_of_the_installed_library_that_nothing_reaches_is_not_checked(text: str, tmp_path: Path) -> None:
    assert found_in(text, tmp_path, named=False) == []


@pytest.mark.parametrize("text", REACHED)
def test_a_body_of_the_installed_library_that_is_reached_is_checked(text: str, tmp_path: Path) -> None:
    assert found_in(text, tmp_path, named=False) == [WRONG[2] if "child" in text else WRONG[0]]


def test_a_default_that_stands_in_a_call_is_checked(tmp_path: Path) -> None:
    assert found_in("fn f() -> f32 { return wrong_default() }", tmp_path, named=False) == [WRONG[1]]


@pytest.mark.parametrize("text", [UNREACHED[0], REACHED[0]])
def test_a_library_that_the_user_named_is_checked_wholly(text: str, tmp_path: Path) -> None:
    assert found_in(text, tmp_path, named=True) == WRONG


def test_a_library_that_the_environment_names_is_checked_wholly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found_in("", tmp_path, named=False) == []
    monkeypatch.setenv("LINNET_STD", str(tmp_path / "std"))
    with pytest.raises(SourceError) as raised:
        load_program(str(tmp_path / "m.linnet"), whole=False)
    assert len(raised.value.diagnostics) == len(WRONG)


def test_a_file_of_the_library_that_is_asked_for_is_checked_wholly(tmp_path: Path) -> None:
    assert found_in("", tmp_path, named=False) == []
    diagnostics = Diagnostics()
    package = load(str(tmp_path / "std" / "wrong.linnet"), diagnostics=diagnostics)
    assert package is not None
    check(package, diagnostics, whole=False)
    assert len(diagnostics.found) == len(WRONG)


def test_a_function_of_the_user_that_nothing_calls_is_checked(tmp_path: Path) -> None:
    assert found_in("fn f(x: f32) -> i64 { return x }", tmp_path, named=False) == [("E2101", "x")]


def test_who_asks_for_the_whole_program_has_every_body_checked(tmp_path: Path) -> None:
    assert found_in("", tmp_path, named=False, whole=True) == WRONG


def test_of_the_installed_library_two_bodies_are_checked_for_a_call_of_silu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`silu` calls `sigmoid`; the rest of its module is not looked into."""
    names: list[str] = []
    real = bodies.check_function
    monkeypatch.setattr(bodies, "check_function", lambda info, checker: names.append(info.qualified) or real(info, checker))
    file = tmp_path / "m.linnet"
    text = "module m\nuse std.nn.activations::silu\nfn f(x: Tensor[4; f32]) -> Tensor[4; f32] { return silu(x) }\n"
    file.write_text(text, encoding="utf-8")
    program = load_program(str(file), whole=False)[1]
    assert names == ["m::f", "std.nn.activations::silu", "std.nn.activations::sigmoid"]
    assert list(program.functions) == ["std.nn.activations::sigmoid", "std.nn.activations::silu", "m::f"]


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir()))
def test_what_is_left_of_a_program_is_as_it_is_in_the_whole_and_calls_nothing_else(name: str) -> None:
    package = load(str(EXAMPLES / name), diagnostics=Diagnostics())
    assert package is not None
    reached, whole = (check(package, Diagnostics(), whole=asked) for asked in (False, True))
    assert reached is not None
    assert whole is not None
    assert list(reached.functions) == [name for name in whole.functions if name in reached.functions]
    assert all(function == whole.functions[name] for name, function in reached.functions.items())
    assert set(named_by(reached)) <= set(reached.functions)
    assert all(name.startswith("std.") for name in whole.functions.keys() - reached.functions.keys())


def named_by(program: Program) -> Iterator[str]:
    """Every function that a function of the program calls, and every kernel that one names."""
    for function in program.functions.values():
        yield from (node.callee for node in nodes_of(parts(function)) if isinstance(node, Call))
        if function.kernel is not None:
            yield function.kernel.kernel


def parts(function: Function) -> tuple[Expr | Stmt, ...]:
    """Everything that is computed in a function."""
    defaults = tuple(param.default for param in function.params if param.default is not None)
    return (*defaults, *function.body, *(() if function.grad is None else function.grad.body))
