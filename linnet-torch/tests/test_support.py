"""The functions printed source may need: each comes with all it needs itself, and nothing that is not used is printed."""

from __future__ import annotations

import ast
import builtins

import pytest

from linnet_core.python_source.support import sources
from linnet_torch.support import FUNCTIONS

#: What a printed module imports, Triton where it launches kernels.
IMPORTED = {"torch", "triton", "tl"}


def _statements(tree: ast.Module) -> list[ast.stmt]:
    """Those of the module, and those that stand under a condition."""
    return [inner for node in tree.body for inner in (node.body if isinstance(node, ast.If) else [node])]


def _names(text: str) -> tuple[set[str], set[str]]:
    """(names defined at the top, names read anywhere and defined nowhere in a function)."""
    tree = ast.parse(text)
    top = {node.name for node in _statements(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    top |= {t.id for node in _statements(tree) if isinstance(node, ast.Assign) for t in node.targets if isinstance(t, ast.Name)}
    functions = [node.args for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    local = {a.arg for given in functions for a in (*given.args, *given.kwonlyargs, *([given.vararg] if given.vararg else []))}
    local |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return top, read - local - set(dir(builtins)) - IMPORTED


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_comes_with_what_it_needs(name: str) -> None:
    top, read = _names("\n".join(sources(FUNCTIONS, {name})))
    assert name in top
    assert read <= top


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_says_what_it_does(name: str) -> None:
    for text in sources(FUNCTIONS, {name}):
        functions = [node for node in _statements(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.ClassDef)]
        assert functions
        assert all(ast.get_docstring(node) for node in functions)


def test_nothing_is_printed_that_is_not_used() -> None:
    assert sources(FUNCTIONS, set()) == []
    assert len(sources(FUNCTIONS, {"_div"})) == 1
