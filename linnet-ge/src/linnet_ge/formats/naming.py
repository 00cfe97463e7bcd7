"""What an operation of a protobuf dump calls its inputs, outputs and graphs, in the words of a readable dump.

In: the type of an operation, its attributes.  Out: parameters by position, links.

GE calls the inputs of a dynamic parameter `x0`, `x1` in protobuf text; what a readable dump calls them is said by
`linnet_ge.ir.operations.member_name`.  Which parameters are dynamic is said by the attributes `_ir_inputs_key` and `_ir_inputs_value` of
newer dumps, else by the table of operations.  Names of unknown operations stay as the file has them.  So it is with outputs.
"""

from __future__ import annotations

from collections.abc import Mapping

from linnet_ge.ir.operations import member_name, operation, subgraph_names
from linnet_ge.model import Link, Value

#: What GE calls an input that was made without a name, with its number.
_NO_NAME = "__input"
#: Kinds of `_ir_inputs_value` and `_ir_outputs_value`.
_KINDS = {0: "required", 1: "optional", 2: "dynamic"}


def input_parameters(kind: str, attributes: Mapping[str, Value], count: int) -> Mapping[int, str]:
    """The names of `count` inputs by position, where they are known."""
    told = desc_names(attributes)
    registered = ir_inputs(kind, attributes)
    if not told or any(name.startswith(_NO_NAME) for name in told.values()):
        return _by_position(kind, registered, count)
    dynamic = [name for name, form in registered.items() if form == "dynamic"]
    if not dynamic:
        return told
    return {place: _readable(kind, name, registered, dynamic) for place, name in told.items()}


def ir_inputs(kind: str, attributes: Mapping[str, Value]) -> dict[str, str]:
    """The parameters in the order of registration with their forms (`required`, `optional`, `dynamic`); empty for an unknown operation."""
    told = _registered(attributes, "_ir_inputs")
    if told is not None:
        return told
    found = operation(kind)
    return {parameter.name: parameter.kind for parameter in found.inputs} if found is not None else {}


def output_names(kind: str, attributes: Mapping[str, Value]) -> dict[int, str]:
    """The names of outputs by number, as far as the file says them."""
    registered = _registered(attributes, "_ir_outputs") or {}
    dynamic = [name for name, form in registered.items() if form == "dynamic"]
    return {number: _readable(kind, name, registered, dynamic) for number, name in desc_names(attributes, "_output_name").items()}


def _registered(attributes: Mapping[str, Value], stem: str) -> dict[str, str] | None:
    keys, forms = attributes.get(f"{stem}_key"), attributes.get(f"{stem}_value")
    if keys is not None and forms is not None and keys.kind == "list_string" and forms.kind == "list_int":
        return {key: _KINDS.get(form, "required") for key, form in zip(keys.value, forms.value, strict=False)}
    return None


def desc_names(attributes: Mapping[str, Value], of: str = "_input_name") -> dict[int, str]:
    """Names of inputs (or outputs, `_output_name`) by position, from the helper attributes of either age."""
    for stem in (of, f"{of}_idx"):
        if f"{stem}_key" in attributes and f"{stem}_value" in attributes:
            keys, places = attributes[f"{stem}_key"], attributes[f"{stem}_value"]
            if keys.kind == "list_string" and places.kind == "list_int":
                return dict(zip(places.value, keys.value, strict=False))
    return {}


def ir_attributes(attributes: Mapping[str, Value]) -> tuple[str, ...] | None:
    """The keys of the attributes that the operation is registered with, in that order; None where the file does not say them."""
    told = attributes.get("_ir_attr_names")
    return tuple(told.value) if told is not None and told.kind == "list_string" else None


def links_of(kind: str, graphs: list[str]) -> tuple[Link, ...]:
    """The graphs an operation runs, named by the table; an empty name is a branch that is not set."""
    found = operation(kind)
    names = subgraph_names(found, len(graphs)) if found is not None and graphs else None
    return tuple(Link(names[at] if names is not None else None, graph) for at, graph in enumerate(graphs) if graph)


def _by_position(kind: str, registered: Mapping[str, str], count: int) -> dict[int, str]:
    """Names without any help of the file: which places optional parameters have is not known.

    A dynamic parameter has what the required ones leave, where there is no other.
    """
    found: dict[int, str] = {}
    forms = list(registered.values())
    members = count - len(forms) + 1 if "optional" not in forms and forms.count("dynamic") == 1 else -1
    for name, form in registered.items():
        place = len(found)
        if form == "required":
            found[place] = name
        elif members >= 0:
            found |= {place + at: member_name(kind, name, at) for at in range(members)}
        else:
            break
    return found


def _readable(kind: str, name: str, registered: Mapping[str, str], dynamic: list[str]) -> str:
    if name in registered:
        return name
    for parameter in dynamic:
        number = name[len(parameter) :]
        if name.startswith(parameter) and number.isascii() and number.isdecimal():
            return member_name(kind, parameter, int(number))
    return name
