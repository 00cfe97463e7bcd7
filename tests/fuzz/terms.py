"""What random programs are made of: terms with their text and their meaning, and the scopes they are made in.

In: nothing.  Out: `Term`, `Scope`, `Frame`, and `Draw`, which chooses.  A size is text such as `N0`, `3` or `2 * N0`; two are equal when
their texts are.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np
from meaning import FLOATS, INTEGERS, binary, number, unary
from msgspec import Struct, field

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

#: No float is allowed to reach further, so that rounding stays far below the tolerances.
REACH = 32.0


class StuckError(Exception):
    """What was drawn cannot be made here; something else is drawn."""


class Instance(Struct):
    """A block with its weights, states and children (a list of them for an array)."""

    sizes: dict[str, int]
    params: dict[str, np.ndarray] = {}
    states: dict[str, np.ndarray] = {}
    children: dict[str, Any] = {}


class Frame(Struct):
    """A call in progress: what names, sizes and indices stand for."""

    values: dict[str, Any]
    sizes: dict[str, int]
    block: Instance | None = None
    places: dict[str, int] = {}

    def size(self, text: str) -> int:
        """The number a size stands for; the texts are made here and are sums and products only."""
        return eval(text.replace("/", "//"), {}, self.sizes)

    def shape(self, sizes: Iterable[str]) -> tuple[int, ...]:
        return tuple(self.size(text) for text in sizes)


class Term(Struct, frozen=True):
    """An expression.

    `reach` bounds the magnitude of a float; `exact` says that no target may round it differently, so that it may be compared and cast
    to an integer; a `literal` has no dtype of its own.
    """

    text: str
    shape: tuple[str, ...]
    dtype: str
    value: Callable[[Frame], np.ndarray]
    reach: float = 8.0
    exact: bool = True
    literal: bool = False


class Name(Struct, frozen=True):
    """A name in scope.  `below` is the size it is an index for; `state` belongs to the block."""

    term: Term
    assignable: bool = False
    state: bool = False
    below: str | None = None

    def assign(self, frame: Frame, value: np.ndarray) -> None:
        if self.state:
            assert frame.block is not None
            frame.block.states[self.term.text] = np.array(value)
        else:
            frame.values[self.term.text] = value


class Optional(Struct, frozen=True):
    """An optional name and the type of what it may hold."""

    text: str
    shape: tuple[str, ...]
    dtype: str
    value: Callable[[Frame], np.ndarray | None]


class Method(Struct, frozen=True):
    """A function that may be called by `text`, with the types of its parameters."""

    text: str
    parameters: tuple[tuple[tuple[str, ...], str], ...]
    shape: tuple[str, ...]
    dtype: str
    reach: float
    call: Callable[[Frame, list[np.ndarray]], np.ndarray]


class Scope(Struct):
    """What may be named where a term is made; `numbers` are the sizes known while drawing."""

    sizes: tuple[str, ...]
    numbers: dict[str, int] = {}
    names: list[Name] = field(default_factory=list)
    optionals: list[Optional] = field(default_factory=list)
    methods: list[Method] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    indent: int = 1
    loops: int = 0

    def known(self, size: str) -> int | None:
        """The number of a size, where it is known: not for the generics of a function."""
        try:
            return Frame({}, self.numbers).size(size)
        except NameError:
            return None

    def count(self, shape: Iterable[str]) -> int:
        """How many elements, three for each size not known."""
        total = 1
        for size in shape:
            known = self.known(size)
            total *= 3 if known is None else known
        return total

    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)


class Draw:
    """Chooses, and numbers what it names."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.named = 0
        floats = self.pick(["f32", "f32", "f64", "bf16", "f16"])
        more = self.pick([(), (self.pick([*INTEGERS, *FLOATS]),)])
        self.dtypes = tuple(dict.fromkeys([floats, self.pick([*INTEGERS, "i64", "i32"]), "bool", *more]))
        #: Constants of the module that have a dtype, and their declarations.
        self.constants: dict[str, list[Term]] = {}
        self.declarations: list[str] = []
        for dtype in self.dtypes:
            if dtype != "bool":
                self.declare(dtype)

    def pick(self, choices: Iterable[Any]) -> Any:
        found = list(choices)
        if not found:
            raise StuckError
        return self.random.choice(found)

    def chance(self, likely: float) -> bool:
        return self.random.random() < likely

    def fresh(self, letter: str) -> str:
        self.named += 1
        return f"{letter}_{self.named}"

    def tried(self, make: Callable[[], Any], times: int = 5) -> Any:
        """The first of some attempts that is not stuck."""
        for _ in range(times):
            try:
                return make()
            except StuckError:
                continue
        raise StuckError

    def size(self, scope: Scope) -> str:
        if not scope.sizes or self.chance(0.25):
            return self.pick(["1", "2", "3"])
        return self.pick(scope.sizes)

    def shape(self, scope: Scope, ranks: Iterable[int] = (0, 1, 1, 2, 2, 3)) -> tuple[str, ...]:
        """Mostly the sizes of something there is, in some order."""
        rank = self.pick(ranks)
        like = [name.term.shape for name in scope.names if len(name.term.shape) >= rank]
        if like and self.chance(0.6):
            sizes = list(self.pick(like))
            if self.chance(0.4):
                self.random.shuffle(sizes)
            return tuple(sizes[:rank])
        return tuple(self.size(scope) for _ in range(rank))

    def literal(self, dtype: str) -> Term:
        """A number without a dtype of its own."""
        if dtype in FLOATS:
            value = self.pick([0.5, 1.5, 2.0, -0.25, 0.0, -2.0, 0.125])
        else:
            value = self.pick([0, 1, 2, 3, 5, 7] if dtype[0] == "u" else [0, 1, 2, 3, 5, -1, -2, -3])
        return Term(str(value), (), dtype, lambda _: number(value, dtype), abs(value), literal=True)

    def declare(self, dtype: str) -> None:
        """Two constants of a dtype: a number, and what is computed of it."""
        bare = self.literal(dtype)
        first = Term(f"C_{dtype}", (), dtype, bare.value, bare.reach)
        kind = self.pick(["-", "abs", "+", "*"])
        if kind in "+*":
            value, reach = lambda _: binary(kind, bare.value(_), bare.value(_)), max(bare.reach * 2, bare.reach**2)
            text = f"{first.text} {kind} {first.text}"
        else:
            value, reach = lambda _: unary(kind, bare.value(_)), bare.reach
            text = f"{kind}({first.text})"
        self.constants[dtype] = [first, Term(f"D_{dtype}", (), dtype, value, reach)]
        self.declarations += [f"const C_{dtype}: {dtype} = {bare.text}", f"const D_{dtype}: {dtype} = {text}"]

    def constant(self, dtype: str) -> Term:
        """A scalar of a dtype."""
        if dtype in self.constants and self.chance(0.5):
            return self.pick(self.constants[dtype])
        if dtype == "bool":
            value = self.chance(0.5)
            return Term(str(value).lower(), (), "bool", lambda _: np.asarray(value))
        bare = self.literal(dtype)
        return Term(f"cast<{dtype}>({bare.text})", (), dtype, bare.value, bare.reach)


def near(term: Term, reach: float = REACH) -> Term:
    """The term itself, or brought between `-reach` and `reach` if it is a float that may be further away."""
    if term.dtype not in FLOATS or term.reach <= reach:
        return term
    low, high = number(-reach, term.dtype), number(reach, term.dtype)
    text = f"max(min({term.text}, {reach}), -{reach})"
    return Term(text, term.shape, term.dtype, lambda f: binary("max", binary("min", term.value(f), high), low), reach, term.exact)
