"""The names that are made up: by the emitter of outputs of nodes, of results, and of what an operation's registration has no name for; and
by us where one is taken.

In: a number, or a name.  Out: the name; or whether a name is such a one.
"""

from __future__ import annotations

import re

_ELEMENT = re.compile(r"ret(?:_[0-9]+)?")
_INPUT = re.compile(r"_input_[0-9]+")
_GRAPH = re.compile(r"_graph_[0-9]+")


def element_name(number: int) -> str:
    """What a graph's output number `number`, of all outputs of nodes with several, is called: `ret`, `ret_1`, `ret_2`, ..."""
    return f"ret_{number}" if number else "ret"


def is_element_name(name: str) -> bool:
    """Whether `element_name` could have made it."""
    return _ELEMENT.fullmatch(name) is not None


def result_name(position: int) -> str:
    """What one of several results of a graph is called: `output_0`, `output_1`, ..."""
    return f"output_{position}"


def fallback_input(position: int) -> str:
    """What an input is called whose name is not known: `_input_0`, `_input_1`, ..."""
    return f"_input_{position}"


def is_fallback_input(name: str) -> bool:
    """Whether `fallback_input` could have made it."""
    return _INPUT.fullmatch(name) is not None


def fallback_graph(position: int) -> str:
    """What a graph is called whose name in the operation is not known: `_graph_0`, `_graph_1`, ..."""
    return f"_graph_{position}"


def is_fallback_graph(name: str) -> bool:
    """Whether `fallback_graph` could have made it."""
    return _GRAPH.fullmatch(name) is not None


def unused_name(name: str, taken: set[str]) -> str:
    """The name, or the first of `NAME_1`, `NAME_2`, ... that is not `taken`; it is from now on."""
    found, number = name, 1
    while found in taken:
        found, number = f"{name}_{number}", number + 1
    taken.add(found)
    return found
