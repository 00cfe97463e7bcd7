"""The functions that printed source brings along: each comes with all it needs, and says what it does.

In: the table of a target that prints Python, a name in it.  Out: what is wrong with the function.
"""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING

from linnet_core.python_source.support import sources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linnet_core.python_source.support import Functions


def faults(functions: Functions, name: str, imported: frozenset[str]) -> list[str]:
    """Names that the function or one it needs reads and nothing defines, and functions without docstrings.

    `imported` are the names a printed module imports.
    """
    texts = sources(functions, {name})
    tree = ast.parse("\n".join(texts))
    missing = _read(tree) - _bound(tree) - set(dir(builtins)) - imported
    silent = [node.name for node in _at_the_top(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef) and not ast.get_docstring(node)]
    found = [f"`{each}` is defined nowhere" for each in sorted(missing)] + [f"`{each}` does not say what it does" for each in silent]
    return found if name in _bound(tree) else [*found, f"`{name}` is not among its own sources"]


def _at_the_top(tree: ast.Module) -> Iterator[ast.stmt]:
    """Statements of the module, and those under a condition of it."""
    for node in tree.body:
        yield from node.body if isinstance(node, ast.If) else (node,)


def _read(tree: ast.Module) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _bound(tree: ast.Module) -> set[str]:
    """Functions, classes, arguments and whatever is assigned, anywhere."""
    bound = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return bound | {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
