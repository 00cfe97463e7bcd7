"""What every stage makes of a program, in the order of the data.

In: the path of a program and the sizes it is run with.  Out: the text of each stage, by the name of its file in a story.
"""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

from printing import dense_json, tree_lines
from running import program

from linnet_core.check.load_program import load_program
from linnet_core.graph.document import encode
from linnet_core.ir.lowered import lowered
from linnet_core.ir.show import show
from linnet_core.plan.write import plan_document
from linnet_core.syntax.lexer import lex
from linnet_core.syntax.parse_file import parse
from linnet_core.syntax.show import show_tokens, show_tree
from linnet_core.text.diagnostic import Diagnostics
from linnet_core.text.source import read
from linnet_core.weights.arrays import Wanted
from linnet_core.weights.random import random_array

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

#: The sizes of every story.
SIZES = {"Batch": 2, "Window": 3, "H": 4}


def tokens(path: Path) -> str:
    """One line a token, as `linnet inspect --tokens` prints them."""
    source = read(str(path))
    return show_tokens(source, lex(source, []))


def tree(path: Path) -> str:
    """The syntax tree, as `linnet inspect --ast` prints it."""
    return show_tree(parse(read(str(path)), Diagnostics()))


def checked(path: Path) -> str:
    """The checked program's own declarations, every expression with its type."""
    _, found = load_program(str(path), None)
    [module] = [m for m in found.modules if m.path == str(path)]
    parts = [*module.constants, *module.structs, *module.enums, *module.blocks, *module.functions]
    return "\n\n".join("\n".join(tree_lines(part)) for part in parts) + "\n"


def core(path: Path) -> str:
    """The Core IR after the passes."""
    return show(lowered(load_program(str(path), None)[1], "equivalent", optimize=True))


def plan(path: Path) -> str:
    """The plan."""
    return dense_json(plan_document(lowered(load_program(str(path), None)[1], "exact", optimize=True))) + "\n"


def graph(path: Path) -> str:
    """The graph of its entry, as PyTorch is fed it."""
    return dense_json(json.loads(encode(program("torch", str(path), SIZES, optionals="present").graph))) + "\n"


def source(target: str, path: Path) -> str:
    """The source of its entry."""
    return program(target, str(path), SIZES, optionals="present").source


def run(path: Path) -> str:
    """Results and states of a run on the reference target, with values at random."""
    one = program("numpy", str(path), SIZES, optionals="present")
    leaves = [
        dict(zip(names, [random_array(0, each) for each in wanted], strict=True))
        for names, wanted in (
            ([c.name for c in one.inputs], [Wanted(c.name, c.shape, c.dtype) for c in one.inputs]),
            ([c.path for c in one.parameters], [Wanted(c.path, c.shape, c.dtype) for c in one.parameters]),
            ([c.path for c in one.states], [Wanted(c.path, c.shape, c.dtype) for c in one.states]),
        )
    ]
    results, states = one.run(*leaves)
    named = [*((f"results.{i}", array) for i, array in enumerate(results)), *states.items()]
    lines = []
    for name, array in named:
        lines += [f"{name} {array.dtype}{list(array.shape)}", *(f"  {value:.4g}" for value in array.flat)]
    return "\n".join(lines) + "\n"


#: Name of the file in a story -> what makes it of the program.
STAGES: dict[str, Callable[[Path], str]] = {
    "10-tokens.txt": tokens,
    "20-tree.txt": tree,
    "30-checked.txt": checked,
    "40-core.txt": core,
    "50-plan.json": plan,
    "60-graph.json": graph,
    "70-torch.py": partial(source, "torch"),
    "71-numpy.py": partial(source, "numpy"),
    "80-run.txt": run,
}
MODEL = "00-model.linnet"
