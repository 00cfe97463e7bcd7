"""Words that several rooms have to know are the same in all of them."""

from __future__ import annotations

from typing import get_args, get_type_hints

import pytest

from linnet_core.check import program
from linnet_core.check.kernel_memory import ATOMIC_DTYPES
from linnet_core.check.prelude import _CHECKS
from linnet_core.check.reserved import FUNCTIONS, KINDS
from linnet_core.graph.calls.elementwise import BINARY_KINDS, UNARY_KINDS, CompareKind
from linnet_core.graph.calls.reduce import ReduceKind
from linnet_core.ir import ops
from linnet_core.ir.verify_kernels import _ATOMIC
from linnet_core.syntax import parse_types


def kinds(node: type) -> set[str]:
    """The words the field `kind` of a node may be."""
    return set(get_args(get_type_hints(node)["kind"]))


@pytest.mark.parametrize(
    "rooms",
    [
        pytest.param([KINDS, parse_types.KINDS], id="kinds of generics"),
        pytest.param([FUNCTIONS, _CHECKS], id="functions of the prelude"),
        pytest.param([kinds(program.Unary), ops.UNARY_KINDS, UNARY_KINDS], id="one operand"),
        pytest.param([kinds(program.Binary), ops.BINARY_KINDS, BINARY_KINDS], id="two operands"),
        pytest.param([kinds(program.Compare), ops.WORDS["compare"], get_args(CompareKind)], id="comparisons"),
        pytest.param([kinds(program.Reduce), ops.WORDS["reduce"], get_args(ReduceKind)], id="reductions"),
        pytest.param([ATOMIC_DTYPES, _ATOMIC], id="dtypes of atomic writes"),
    ],
)
def test_all_rooms_know_the_same_words(rooms: list[set[str]]) -> None:
    assert all(set(words) == set(rooms[0]) for words in rooms[1:])
