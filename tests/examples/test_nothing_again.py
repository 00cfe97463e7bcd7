"""What depends on no input, parameter or state is computed by `constants`, once, and not in every call of `main`.

Read off the printed source: every value that `main` computes, in its loops and the functions inside it too, must read an argument that is
no constant, if only through other values.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from linnet_core.check.load_program import load_program
from linnet_core.cli.export import export_to, target_plugin
from linnet_core.graph.export import ExportRequest
from linnet_core.ir.lowered import lowered
from linnet_core.modules.presets import preset

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = Path(__file__).parents[2] / "examples"
ENTRIES = [
    ("llama", "Model", "decode"),
    ("llama", "Model", "prefill"),
    ("llama", "Model", "generate"),
    ("llama", "Model", "generate_until"),
    ("gpt2", None, "forward"),
    ("bert", None, "forward"),
    ("whisper", None, "decode"),
    ("moe", None, "prefill"),
    ("moe", None, "prefill_slots"),
    ("unet", "Small", "forward"),
]


def computed_again(source: str) -> list[str]:
    """The assignments of `main`, or of the `step` it calls, that read constants and numbers only, as text."""
    module = ast.parse(source)
    functions = {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}
    constants: set[str] = set()
    for node in module.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "CONSTANTS":
            constants = set(ast.literal_eval(node.value))
    entry = functions.get("step", functions["main"])
    changing = {a.arg for a in entry.args.args} - constants
    return list(_again(entry.body, changing))


def _again(body: list[ast.stmt], changing: set[str]) -> Iterator[str]:
    """`changing` are the names that depend on an argument, and grow as values are made."""
    for statement in body:
        match statement:
            case ast.Assign(targets=[target], value=value):
                made = {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}
                read = {n.id for n in ast.walk(value) if isinstance(n, ast.Name)}
                if not changing.isdisjoint(read):
                    changing.update(made)
                elif not isinstance(value, (ast.Name, ast.Tuple)):
                    yield ast.unparse(statement)
            case ast.For(target=ast.Name(id=name), body=inner):
                changing.update(_carried(inner), {name})
                yield from _again(inner, changing)
            case ast.While(body=inner):
                changing.update(_carried(inner))
                yield from _again(inner, changing)
            case ast.FunctionDef(args=arguments, body=inner):
                changing.update(a.arg for a in arguments.args)
                yield from _again(inner, changing)
                changing.add(statement.name)
            case ast.If(body=then, orelse=otherwise):
                yield from _again(then, changing)
                yield from _again(otherwise, changing)


def _carried(body: list[ast.stmt]) -> set[str]:
    """The names a loop hands on: those its last statement assigns."""
    last = body[-1]
    while isinstance(last, ast.Delete):
        body = body[:-1]
        last = body[-1]
    return {n.id for n in ast.walk(last.targets[0]) if isinstance(n, ast.Name)} if isinstance(last, ast.Assign) else set()


def _source(example: str, root: str | None, entry: str, target: str) -> str:
    package, program = load_program(str(EXAMPLES / example), None)
    request = ExportRequest(root=root, entry=entry, preset=preset(package, "tiny"))
    plugin = target_plugin(target)
    return export_to(plugin, lowered(program, "equivalent", optimize=True), request, {}).target.source()


@pytest.mark.parametrize("target", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(("example", "root", "entry"), ENTRIES)
def test_main_computes_no_constant(example: str, root: str | None, entry: str, target: str) -> None:
    assert computed_again(_source(example, root, entry, target)) == []


def test_the_reading_sees_a_constant_that_is_computed_again() -> None:
    source = (
        "CONSTANTS = ['v0']\ndef main(in_x, v0):\n    v1 = v0 * 2\n    for w_number in range(3):\n        v3 = torch.arange(4)\n"
        "        w = v1 + in_x\n    return (w,)\n"
    )
    assert computed_again(source) == ["v1 = v0 * 2", "v3 = torch.arange(4)"]
