"""Facts and claims at random, and their truth at many sizes: what the prover is compared with.

In: a seed.  Out: a `Case`: facts, claims that follow from them more often than not, and pairs of shapes.  Everything is made as a
tree first, which `value` computes at all sizes of a `Grid` at once, with NumPy's floor division; the `Dim` is made from the same tree
by the functions under test, so what they fold is under test too.
"""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from linnet_core.shapes import Constraint, Dim, Pack, Relation, floordiv, maximum, minimum, mod

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Values = tuple[np.ndarray, np.ndarray]

NAMES = ("A", "B", "C", "N")
#: The pack `*S` stands after the generics: its size is the last line of a grid.
PACK = Pack(len(NAMES), "S")
RELATIONS: tuple[Relation, ...] = ("==", "!=", "<", "<=", ">", ">=")


class Tree(Struct, frozen=True):
    """A number (`operator` is `number`), a generic (`generic`, by its place in `NAMES`; the pack's size after them) or an operation."""

    operator: str
    number: int = 0
    left: Tree | None = None
    right: Tree | None = None

    def __add__(self, other: Tree | int) -> Tree:
        return Tree("+", 0, self, tree(other))

    def __sub__(self, other: Tree | int) -> Tree:
        return Tree("-", 0, self, tree(other))

    def __mul__(self, other: Tree | int) -> Tree:
        return Tree("*", 0, self, tree(other))

    def __floordiv__(self, other: Tree | int) -> Tree:
        return Tree("/", 0, self, tree(other))

    def __mod__(self, other: Tree | int) -> Tree:
        return Tree("%", 0, self, tree(other))

    def __str__(self) -> str:
        match self.operator:
            case "number":
                return str(self.number)
            case "generic":
                return [*NAMES, "size(*S)"][self.number]
            case "min" | "max":
                return f"{self.operator}({self.left}, {self.right})"
            case _:
                return f"({self.left} {self.operator} {self.right})"


def tree(value: Tree | int) -> Tree:
    return value if isinstance(value, Tree) else Tree("number", value)


def least(a: Tree | int, b: Tree | int) -> Tree:
    return Tree("min", 0, tree(a), tree(b))


def greatest(a: Tree | int, b: Tree | int) -> Tree:
    return Tree("max", 0, tree(a), tree(b))


class Claim(Struct, frozen=True):
    """`left relation right`, of trees."""

    relation: Relation
    left: Tree
    right: Tree

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"


class Case(Struct, frozen=True):
    """Facts, claims to be compared under them, and pairs of shapes (a unit of None is the pack)."""

    seed: int
    facts: tuple[Claim, ...]
    claims: tuple[Claim, ...]
    shapes: tuple[tuple[tuple[Tree | None, ...], tuple[Tree | None, ...]], ...]


GENERICS = tuple(Tree("generic", at) for at in range(len(NAMES)))
SIZE = Tree("generic", len(NAMES))

_MAKERS: dict[str, Callable[[Dim, Dim], Dim]] = {
    "+": Dim.__add__,
    "-": Dim.__sub__,
    "*": Dim.__mul__,
    "/": floordiv,
    "%": mod,
    "min": minimum,
    "max": maximum,
}


@cache
def dim_of(node: Tree) -> Dim:
    """The dim a program that says `node` has."""
    match node.operator:
        case "number":
            return Dim.constant(node.number)
        case "generic":
            return Dim.symbol(node.number, NAMES[node.number]) if node.number < len(NAMES) else Dim.pack_size(PACK.id, PACK.name)
        case operator:
            assert node.left is not None
            assert node.right is not None
            return _MAKERS[operator](dim_of(node.left), dim_of(node.right))


def constraint_of(claim: Claim) -> Constraint:
    return Constraint(claim.relation, dim_of(claim.left), dim_of(claim.right))


class Grid:
    """Sizes: one line a generic, one column an assignment.  All small ones, and larger ones at random that divide each other often."""

    def __init__(self) -> None:
        numbers = np.random.Generator(np.random.PCG64(0))
        small = np.stack(np.meshgrid(*[np.arange(4)] * 4, np.arange(3), indexing="ij")).reshape(5, -1)
        middle = numbers.integers(0, 10, (5, 500))
        some = np.array([0, 0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 31, 32, 33, 48, 63])
        large = some[numbers.integers(0, len(some), (5, 700))]
        self.sizes = np.concatenate([small, middle, large], axis=1)
        self.known: dict[Tree, Values] = {}

    def value(self, node: Tree) -> Values:
        """The number at every assignment, and where it is defined."""
        found = self.known.get(node)
        if found is None:
            found = self.known[node] = self._value(node)
        return found

    def _value(self, node: Tree) -> Values:
        everywhere = np.ones(self.sizes.shape[1], bool)
        if node.left is None or node.right is None:
            return (np.full(everywhere.shape, node.number) if node.operator == "number" else self.sizes[node.number]), everywhere
        (left, left_defined), (right, right_defined) = self.value(node.left), self.value(node.right)
        defined = left_defined & right_defined
        match node.operator:
            case "+":
                return left + right, defined
            case "-":
                return left - right, defined
            case "*":
                return left * right, defined
            case "min":
                return np.minimum(left, right), defined
            case "max":
                return np.maximum(left, right), defined
            case "/":
                return left // np.where(right == 0, 1, right), defined & (right != 0)
            case _:
                return left % np.where(right == 0, 1, right), defined & (right != 0)

    def holds(self, claim: Claim) -> Values:
        """Where a claim is true, and where it is defined."""
        (left, left_defined), (right, right_defined) = self.value(claim.left), self.value(claim.right)
        defined = left_defined & right_defined
        found = {
            "==": np.equal,
            "!=": np.not_equal,
            "<": np.less,
            "<=": np.less_equal,
            ">": np.greater,
            ">=": np.greater_equal,
        }[claim.relation](left, right)
        return found & defined, defined

    def admitted(self, facts: Sequence[Claim]) -> np.ndarray:
        """Where all facts are defined and true."""
        where = np.ones(self.sizes.shape[1], bool)
        for fact in facts:
            where = where & self.holds(fact)[0]
        return where


class Source:
    """Makes cases from a seed."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.random = random.Random(seed)

    def case(self) -> Case:
        facts = tuple(fact for _ in range(self.random.choice((0, 1, 1, 2, 2, 3, 4))) for fact in self.fact())
        claims = tuple(self.claim(facts) for _ in range(8))
        return Case(self.seed, facts, claims, tuple(self.shapes(facts) for _ in range(2)))

    # Trees.

    def constant(self) -> Tree:
        return tree(self.random.choice((0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 7, 8, 16, 32, -1, -1, -2, -3)))

    def generic(self) -> Tree:
        return self.random.choice((*GENERICS, *GENERICS, *GENERICS, SIZE))

    def leaf(self) -> Tree:
        return self.generic() if self.random.random() < 0.65 else self.constant()

    def divisor(self) -> Tree:
        """What real models divide by: a number, a generic, a product or a sum of two."""
        match self.random.randrange(8):
            case 0 | 1 | 2:
                return tree(self.random.choice((1, 2, 2, 2, 3, 4, 8, 32)))
            case 3 | 4 | 5:
                return self.generic()
            case 6:
                return self.generic() * self.random.choice((tree(2), tree(4), self.generic()))
            case _:
                return self.generic() + self.leaf()

    def combined(self, left: Tree, right: Tree) -> Tree:
        match self.random.randrange(12):
            case 0 | 1 | 2:
                return left + right
            case 3 | 4:
                return left - right
            case 5 | 6 | 7:
                return left * right
            case 8 | 9:
                return left // self.divisor()
            case 10:
                return left % self.divisor()
            case _:
                return self.random.choice((least, greatest))(left, right)

    def small(self) -> Tree:
        return self.combined(self.leaf(), self.leaf()) if self.random.random() < 0.6 else self.leaf()

    def middle(self) -> Tree:
        return self.combined(self.small(), self.small()) if self.random.random() < 0.7 else self.small()

    def nest(self) -> Tree:
        """Minima and maxima in and beside each other."""
        choose = (least, greatest)
        inner = self.random.choice(choose)(self.small(), self.leaf())
        outer = self.random.choice(choose)(inner, self.small())
        return outer if self.random.random() < 0.7 else self.random.choice(choose)(self.leaf(), outer)

    def length(self) -> Tree:
        """The length of a strided slice or of a convolution, or of one after another."""
        total = self.generic() * self.random.choice((1, 1, 1, 2, 4))
        for _ in range(self.random.choice((1, 1, 2))):
            kernel, stride, pad = self.random.choice((1, 2, 3, 3, 7)), self.random.choice((1, 2, 2, 3, 4)), self.random.choice((0, 1, 3))
            total = (total + (2 * pad - kernel)) // stride + 1
        return total

    # Facts.

    def fact(self) -> tuple[Claim, ...]:
        match self.random.randrange(14):
            case 0 | 1 | 2:
                return (Claim(">", self.generic(), tree(0)),)
            case 3 | 4:
                divisor = self.divisor()
                return (Claim(">", divisor, tree(0)), Claim("==", self.small() % divisor, tree(0)))
            case 5 | 6:
                return (Claim("==", self.small() % self.divisor(), tree(0)),)
            case 7 | 8:
                return (Claim(self.random.choice(("<=", "<", ">=")), self.small(), self.small()),)
            case 9 | 10:
                return (Claim("==", self.generic(), self.small()),)
            case 11:
                return (Claim(self.random.choice(RELATIONS), self.middle(), self.small()),)
            case 12:
                return (Claim("<=", self.generic(), self.random.choice((least, greatest))(self.small(), self.leaf())),)
            case _:
                least_size = self.random.randrange(1, 6)
                return (
                    Claim(">=", self.generic(), tree(least_size)),
                    Claim("<", self.generic(), tree(least_size + self.random.randrange(-1, 6))),
                )

    # Claims.

    def claim(self, facts: Sequence[Claim]) -> Claim:
        kinds = (self.free, self.identity, self.identity, self.order, self.order, self.sizes, self.choice)
        made = self.random.choice((*kinds, *[lambda: self.consequence(facts)] * 4) if facts else kinds)()
        return self.missed(made) if self.random.random() < 0.2 else made

    def missed(self, claim: Claim) -> Claim:
        """A claim beside it, which is mostly false."""
        match self.random.randrange(3):
            case 0:
                return Claim(claim.relation, claim.left, claim.right + self.random.choice((-1, 1)))
            case 1:
                return Claim(self.random.choice(RELATIONS), claim.left, claim.right)
            case _:
                return Claim(claim.relation, claim.left, claim.right * self.leaf())

    def free(self) -> Claim:
        return Claim(self.random.choice(RELATIONS), self.middle(), self.middle())

    def identity(self) -> Claim:
        x, y, z, d, e = self.small(), self.small(), self.leaf(), self.divisor(), self.divisor()
        return self.random.choice(
            (
                Claim("==", (x // d) * d, x),
                Claim("==", d * (x // d) + x % d, x),
                Claim("==", (x // d) // e, x // (d * e)),
                Claim("==", (x * d) // d, x),
                Claim("==", (x * d + y) // d, x + y // d),
                Claim("==", (x * d) // (d * e), x // e),
                Claim("==", x * y * (z // d) * d, z * y * x),
                Claim("==", (x + y) * z, z * y + x * z),
                Claim("==", x % (d * e) % d, x % d),
                Claim("==", (x % d + y % d) % d, (x + y) % d),
                Claim("==", ((x // d) * y) % y, tree(0)),
                Claim("==", (x + (d - 1)) // d, (x - 1) // d + 1),
                Claim("==", (d - 1 - x % d) // d, tree(0)),
                Claim("==", x // d + y // d, (x + y) // d),
                Claim("==", (x % d) // d, tree(0)),
                Claim("==", (x // d) % e, (x % (d * e)) // d),
            )
        )

    def order(self) -> Claim:
        x, y, z, w, d, e = self.small(), self.small(), self.leaf(), self.leaf(), self.divisor(), self.divisor()
        return self.random.choice(
            (
                Claim("<=", x // d, x),
                Claim("<=", x // (d * e), x // d),
                Claim("<", x % d, d),
                Claim("<=", x % d, x),
                Claim("<=", (x // d) * d, x),
                Claim(">=", ((x + d - 1) // d) * d, x),
                Claim("<=", (x + d - 1) // d, x),
                Claim("<=", x, x * d),
                Claim("<=", x * z, x * (z + w)),
                Claim(">=", x * x + y * y, x * y * 2),
                Claim(">=", x * x, x),
                Claim("<=", z // (d + w), z // d),
                Claim("<=", x // d + y // d, (x + y) // d),
                Claim(">=", x // d + y // d + 1, (x + y) // d),
                Claim("<=", z * (w // d), (z * w) // d),
                Claim("<", self.length(), self.length() + z),
                Claim("<=", x - y, x),
            )
        )

    def sizes(self) -> Claim:
        """What reshapes, slices, joins and convolutions ask."""
        x, d, p, q = self.generic(), self.divisor(), self.generic(), self.leaf()
        return self.random.choice(
            (
                Claim("==", self.length(), self.length()),
                Claim("==", p * (x // d) * d, x * p),
                Claim("==", (x + p) - x, p),
                Claim("==", (x - x // d) + x // d, x),
                Claim("==", (x - q + d - 1) // d + (q + d - 1) // d, (x + d - 1) // d),
                Claim("==", (x * d - q + d - 1) // d, x),
                Claim("<=", x // d + q, x + q),
                Claim(">=", x - x // d, tree(0)),
                Claim(">=", self.length(), tree(self.random.choice((0, 1)))),
                Claim("==", x * (p // d) % p, tree(0)),
                Claim("==", (x // d) * (p // q), (x * p) // (d * q)),
            )
        )

    def choice(self) -> Claim:
        """Minima and maxima."""
        x, y, z, w, d = self.small(), self.small(), self.leaf(), self.leaf(), self.divisor()
        return self.random.choice(
            (
                Claim("==", least(x + z, y + z), least(y, x) + z),
                Claim("==", least(x, y) + greatest(x, y), y + x),
                Claim("==", least(x, y) * greatest(x, y), x * y),
                Claim("==", greatest(x, least(y, x)), x),
                Claim("==", least(x, greatest(y, z)), greatest(least(x, y), least(x, z))),
                Claim("==", least(x, least(y, least(z, w))), least(least(w, z), least(y, x))),
                Claim("==", greatest(x - y, tree(0)) + least(x, y), x),
                Claim("==", least(x * d, y * d), least(x, y) * d),
                Claim("==", least(x // d, y // d), least(x, y) // d),
                Claim("==", greatest(z, tree(1)), z),
                Claim("<=", least(x, y), greatest(z, y)),
                Claim("<=", least(x, y) // d, x // d),
                Claim("<=", greatest(x, y), x + y),
                Claim(self.random.choice(RELATIONS), self.nest(), self.nest()),
                Claim(self.random.choice(("<=", "==")), self.nest(), self.small()),
            )
        )

    def consequence(self, facts: Sequence[Claim]) -> Claim:
        """What one fact says in other words, or two say together."""
        one, other, factor, d = self.random.choice(facts), self.random.choice(facts), self.leaf(), self.divisor()
        match self.random.randrange(9):
            case 0:
                return Claim(one.relation, one.left * factor, one.right * factor)
            case 1:
                return Claim(one.relation, one.left - one.right, tree(0))
            case 2:
                return Claim(one.relation, one.left + other.left, one.right + other.right)
            case 3:
                return Claim(self.random.choice(("==", "<=", ">=")), one.left // d, one.right // d)
            case 4:
                return Claim(one.relation, greatest(one.left, factor), greatest(one.right, factor))
            case 5 if one.left.operator == "%" and one.left.left is not None and one.left.right is not None:
                return Claim("==", one.left.right * (one.left.left // one.left.right), one.left.left)
            case 6 if one.left.operator == "%" and one.left.left is not None and one.left.right is not None:
                return Claim("==", (one.left.left * factor) % one.left.right, tree(0))
            case 7:
                return Claim(self.random.choice(RELATIONS), one.left, other.left)
            case _:
                return Claim(one.relation, one.right * other.left, one.right * other.right)

    def shapes(self, facts: Sequence[Claim]) -> tuple[tuple[Tree | None, ...], tuple[Tree | None, ...]]:
        """Two shapes that often agree from the right: the same axes, axes a fact makes equal, ones, packs."""
        left: list[Tree | None] = []
        right: list[Tree | None] = []
        for _ in range(self.random.randrange(1, 4)):
            a, b = self.small(), self.small()
            equal = [(fact.left, fact.right) for fact in facts if fact.relation == "=="]
            pair: tuple[Tree | None, Tree | None] = self.random.choice(
                ((a, a), (a, tree(1)), (tree(1), b), (None, None), (a + b, b + a), (a, b), (None, a), *equal)
            )
            left.insert(0, pair[0])
            right.insert(0, pair[1])
        for shape in (left, right):
            if self.random.random() < 0.3:
                shape.insert(0, self.leaf())
        return tuple(left), tuple(right)
