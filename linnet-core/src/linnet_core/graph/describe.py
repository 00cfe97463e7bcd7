"""What the attributes of nodes mean, in words.

In: the structs of `calls/`.  Out: a description for each attribute, for the JSON Schema and the documentation; and the reference section
of the documentation page, a heading a node kind.  A test holds that every attribute has a description and none has two.
"""

from __future__ import annotations

from inspect import getdoc
from typing import TYPE_CHECKING

from linnet_core.graph.calls import KINDS
from linnet_core.graph.nodes import attribute_names

if TYPE_CHECKING:
    from linnet_core.graph.calls import Call

#: By attribute, or by `op.attribute` where one kind means something of its own.
DESCRIPTIONS: dict[str, str] = {
    "input.name": "The argument's name in the program.",
    "path": "The dotted member path, such as layers.3.mlp.up.weight.",
    "shape": "The sizes of the result's axes, outermost first.",
    "dtype": "The result's dtype.",
    "literal": "The constant's value.",
    "elementwise.kind": "Which function of one or two operands.",
    "compare.kind": "Which comparison.",
    "reduce.kind": "Which reduction.",
    "permutation": "Result axis i is operand axis permutation[i].",
    "dims": "Operand axis i becomes result axis dims[i]; result axes that are not named are new.",
    "reduce.dims": "The axes that are reduced: the last ones, ascending, possibly none.",
    "starts": "The first position of each axis.",
    "limits": "The position of each axis that is not reached any more.",
    "strides": "The step of each axis.",
    "axis": "The axis, counted from the front.",
    "length": "The number of elements.",
    "lhs_axes": "The grid axis of each axis of the first operand.",
    "rhs_axes": "The grid axis of each axis of the second operand.",
    "out_axes": "The grid axis of each axis of the result; the others are summed over.",
    "implementation": "The library call, as the plan spells it.",
    "generics": "The op's dimension generics, by name.",
    "slots": "The number of devices.",
    "slot": "The device.",
    "start": "The first index.",
    "stop": "The index that is not reached any more.",
    "arguments": "How many operands are the op's tensor arguments; the body's result follows them.",
    "callee": "The op, as module::name.",
    "launch_kernel.name": "The kernel, as module::name.",
    "program": "The kernel's text on this target.",
    "grid": "How many programs run along each of one to three axes.",
    "result_shapes": "The shape of each result.",
    "result_dtypes": "The dtype of each result.",
    "warps": "The hint for warps, a power of two; 0 when there is none.",
    "stages": "The hint for pipeline stages; 0 when there is none.",
    "module": "The root file's module path.",
    "block": "The root block's name; empty for a module-level entry.",
    "entry": "The entry's name.",
    "returns": "How many operands are results of the entry; final states follow them.",
    "states": "The paths of the final states, in the order of their operands.",
    "gradients": "With --grad: of which parameter or input each result after the loss is the gradient.",
}


def description(op: str, attribute: str) -> str:
    """What an attribute of a node kind means."""
    return DESCRIPTIONS.get(f"{op}.{attribute}") or DESCRIPTIONS[attribute]


def reference() -> str:
    """A Markdown section for each node kind, in the order of the format, taken from its struct."""
    return "\n".join(_section(kind) for kind in KINDS)


def _section(kind: type[Call]) -> str:
    op = str(kind.__struct_config__.tag)
    lines = [f"### `{op}`", "", *_paragraphs(kind), ""]
    names = attribute_names(kind)
    if names:
        lines += ["| attribute | meaning |", "|---|---|"]
        lines += [f"| `{name}` | {description(op, name)} |" for name in names]
        if op == "finish":
            lines.append(f"| `gradients` | {description(op, 'gradients')} |")
        lines.append("")
    facts = [f"operands: {_count(kind.operand_count)}", f"results: {_count(kind.result_count)}"]
    if kind.may_decline:
        facts.append("may be declined")
    return "\n".join([*lines, f"{'; '.join(facts)}.".capitalize(), ""])


def _paragraphs(kind: type[Call]) -> list[str]:
    """The docstring, a line a paragraph."""
    lines: list[str] = []
    for paragraph in (getdoc(kind) or "").split("\n\n"):
        lines += [" ".join(paragraph.split()), ""]
    return lines[:-1]


def _count(bounds: tuple[int, int | None]) -> str:
    least, most = bounds
    if most is None:
        return f"{least} or more" if least else "any number"
    return str(least) if least == most else f"{least} or {most}"
