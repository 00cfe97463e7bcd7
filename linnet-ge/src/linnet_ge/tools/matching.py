"""Which node of one graph is which node of another.

In: two graphs.  Out: `Pairs`.  Nodes of one name belong together, whatever their types; the rest is told by structure: by what a node
takes, then by its neighbours.  The same graphs give the same pairs, in time in proportion to nodes and edges; nothing recurses.

Names that are a type and a number (`Cast_12`) move when a node is put in before them.  Where such names are found on one side only, and
others disagree about what they take, a numbered node belongs to the one that all the same things lead to, and to that of its name if
there is none.  Numbers that moved keep their order: what stands before most others on one side and after them on the other is not the same
for looking alike.

Structure, in rounds until nothing new is found:

1. A node's signature is its type, what tells it from its siblings, and what its inputs come from: the pair of a source that has one, else
   that source's signature.  A signature that one node has on either side makes a pair.
2. From each pair on: what stands at the same input, and the only consumer of a type at the same output and input, are pairs too, unless
   more of their own inputs disagree than agree.
3. Where several nodes have one signature they are paired in order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Literal

from msgspec import Struct

from linnet_ge.model import Graph, Node

#: What of a node, beside type and inputs, tells it from others.
Trait = Callable[[Node], Hashable]
#: What names that are a type and a number are taken for: names; numbers that moved, where something was put in before them; nothing.
Numbers = Literal["names", "moved", "dealt anew"]
#: As many rounds are made: each costs as much as reading the graphs once.
_ROUNDS = 4
#: In a signature: a source that is being worked out (a cycle), one that no node of the graph has.
_OPEN = -1
_NOWHERE = -2


class Pairs(Struct, frozen=True):
    """`pairs` are places in the two node lists, in the order of the first; what has no partner is `removed` or `added`."""

    pairs: tuple[tuple[int, int], ...]
    removed: tuple[int, ...]
    added: tuple[int, ...]


class Side:
    """One graph: its nodes, the place of each name (the first of several), what each node takes from where."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = nodes
        self.partner: list[int | None] = [None] * len(nodes)
        self.place: dict[str, int] = {}
        for at, node in enumerate(nodes):
            self.place.setdefault(node.name, at)
        self._consumers: list[list[tuple[int, int, int]]] | None = None

    def sources(self, at: int) -> list[tuple[int, int]]:
        """Place (`_NOWHERE` for a name no node has) and output of each connected input, in order."""
        place = self.place
        return [(place.get(edge.node, _NOWHERE), edge.output) for edge in self.nodes[at].inputs]

    def consumers(self, at: int) -> list[tuple[int, int, int]]:
        """Place of a consumer, output that it takes, which of its inputs takes it."""
        if self._consumers is None:
            self._consumers = [[] for _ in self.nodes]
            for place in range(len(self.nodes)):
                for slot, (source, output) in enumerate(self.sources(place)):
                    if source >= 0:
                        self._consumers[source].append((place, output, slot))
        return self._consumers[at]

    def unpaired(self) -> list[int]:
        """The places without a partner, in order."""
        return [at for at, partner in enumerate(self.partner) if partner is None]


def match(one: Graph, other: Graph, trait: Trait, keep: Callable[[Node], bool] = lambda node: True) -> tuple[Pairs, Side, Side]:
    """The pairs of two graphs' nodes for which `keep` holds, and both sides.

    Where pairs by name leave differences the graphs are matched in other ways, too, and those that leave least are taken: from the other
    side, so that two dumps differ as much in either order, and with names that are a type and a number for what they may be.
    """
    a_nodes, b_nodes = [n for n in one.nodes if keep(n)], [n for n in other.nodes if keep(n)]
    results = list(zip(one.outputs, other.outputs, strict=True)) if len(one.outputs) == len(other.outputs) else []
    names = [(a.edge.node, b.edge.node) for a, b in results]
    found = _matched(a_nodes, b_nodes, trait, names, "names")
    if found.cost().different:
        numbered = any(map(_is_numbered, a_nodes)) and any(map(_is_numbered, b_nodes))
        others: tuple[Numbers, ...] = ("moved", "dealt anew") if numbered else ()
        swapped = [(b, a) for a, b in names]
        ways = [found, *(_matched(a_nodes, b_nodes, trait, names, way) for way in others)]
        ways += [_matched(b_nodes, a_nodes, trait, swapped, way).mirrored() for way in ("names", *others)]
        found = min(ways, key=lambda way: way.cost().order)
    return found.pairs(), found.left, found.right


def _matched(a_nodes: Sequence[Node], b_nodes: Sequence[Node], trait: Trait, results: list[tuple[str, str]], numbers: Numbers) -> Matching:
    """Both sides with their partners."""
    matching = Matching(Side(a_nodes), Side(b_nodes), trait)
    matching.by_name(numbers)
    matching.by_structure(results)
    return matching


class Cost(Struct, frozen=True):
    """How many nodes differ from their partner by more than the name, or have none; and what puts ways of matching in order.

    The order is that of four times that number with one for each new name, then of how far nodes moved, then of the places of pairs: the
    same whichever of the graphs comes first.
    """

    different: int
    order: tuple[int, int, list[tuple[int, int]]]


class Matching:
    """The state of one comparison."""

    def __init__(self, left: Side, right: Side, trait: Trait) -> None:
        self.left = left
        self.right = right
        self.trait = trait
        self.waiting: deque[tuple[int, int]] = deque()

    def pairs(self) -> Pairs:
        """What was found."""
        found = tuple((at, partner) for at, partner in enumerate(self.left.partner) if partner is not None)
        return Pairs(found, tuple(self.left.unpaired()), tuple(self.right.unpaired()))

    def pair(self, a: int, b: int) -> None:
        """Make a pair; its neighbours are looked at later."""
        self.left.partner[a] = b
        self.right.partner[b] = a
        self.waiting.append((a, b))

    def by_name(self, numbers: Numbers) -> None:
        """The first node of a name with the first of that name, the second with the second, and so on."""
        places: dict[str, list[int]] = {}
        for at in range(len(self.right.nodes) - 1, -1, -1):
            places.setdefault(self.right.nodes[at].name, []).append(at)
        named = [(at, places[node.name].pop()) for at, node in enumerate(self.left.nodes) if places.get(node.name)]
        numbered = [(a, b) for a, b in named if _is_numbered(self.left.nodes[a]) or _is_numbered(self.right.nodes[b])]
        leave = frozenset(numbered) if numbers != "names" else ()
        for a, b in named:
            if (a, b) not in leave:
                self.pair(a, b)
        if numbers == "moved":
            self._past_numbers(numbered)

    def mirrored(self) -> Matching:
        """The same with the sides exchanged."""
        return Matching(self.right, self.left, self.trait)

    def cost(self) -> Cost:
        """What the pairs leave."""
        different, renamed, moved = len(self.right.unpaired()), 0, 0
        places: list[tuple[int, int]] = []
        for a, b in enumerate(self.left.partner):
            if b is None:
                different += 1
                continue
            one, other = self.left.nodes[a], self.right.nodes[b]
            takes = [(s if s < 0 else self.left.partner[s], output) for s, output in self.left.sources(a)]
            different += one.type != other.type or takes != self.right.sources(b) or self.trait(one) != self.trait(other)
            renamed += one.name != other.name
            moved += abs(a - b)
            places.append((min(a, b), max(a, b)))
        return Cost(different, (4 * different + renamed, moved, sorted(places)))

    def _past_numbers(self, numbered: list[tuple[int, int]]) -> None:
        """Pair numbered nodes that have inputs by all that leads to them, and only then by name."""
        by_name = dict(numbered)
        alike = [
            pair
            for a_places, b_places in self._signatures()
            if self.left.nodes[a_places[0]].inputs
            for pair in _same_signature(a_places, b_places, by_name)
        ]
        for a, b in _rising(alike):
            self.pair(a, b)
        self._spread()
        for a, b in numbered:
            if self.left.partner[a] is None and self.right.partner[b] is None:
                self.pair(a, b)

    def by_structure(self, results: Iterable[tuple[str, str]]) -> None:
        """Pair what is left; `results` names the nodes that give the same result of the two graphs."""
        if not (self.left.unpaired() and self.right.unpaired()):
            return
        for _ in range(_ROUNDS):
            before = len(self.left.unpaired())
            groups = self._signatures()
            for a_places, b_places in groups:
                if len(a_places) == len(b_places) == 1:
                    self.pair(a_places[0], b_places[0])
            for a_name, b_name in results:
                self._try(self.left.place.get(a_name, _NOWHERE), self.right.place.get(b_name, _NOWHERE), taken=True)
            self._spread()
            for a_places, b_places in groups:
                self._in_order(a_places, b_places)
            self._spread()
            left = len(self.left.unpaired())
            if left == before or not left or not self.right.unpaired():
                return

    def _in_order(self, a_places: list[int], b_places: list[int]) -> None:
        a_left = [at for at in a_places if self.left.partner[at] is None]
        b_left = [at for at in b_places if self.right.partner[at] is None]
        for a, b in zip(a_left, b_left, strict=False):
            self.pair(a, b)

    def _signatures(self) -> list[tuple[list[int], list[int]]]:
        """Places without partners by signature, those of the left and those of the right, for signatures that both have."""
        known: dict[Hashable, int] = {}
        left, right = self._signed(self.left, known, mirrored=False), self._signed(self.right, known, mirrored=True)
        return [(places, right[signature]) for signature, places in left.items() if signature in right]

    def _signed(self, side: Side, known: dict[Hashable, int], *, mirrored: bool) -> dict[int, list[int]]:
        """The places of each signature; `known` numbers signatures, so that one holds numbers and not whole trees."""
        signed: dict[int, int] = {}
        for start in side.unpaired():
            stack = [start]
            while stack:
                at = stack[-1]
                if signed.get(at, _OPEN) != _OPEN:
                    stack.pop()
                    continue
                sources = side.sources(at)
                missing = [s for s, _ in sources if s >= 0 and side.partner[s] is None and s not in signed]
                if missing and at not in signed:
                    signed[at] = _OPEN
                    stack.extend(missing)
                    continue
                signed[at] = _OPEN
                takes = tuple((*_source(side, source, signed, mirrored), output) for source, output in sources)
                node = side.nodes[at]
                signed[at] = known.setdefault((node.type, self.trait(node), takes), len(known))
                stack.pop()
        found: dict[int, list[int]] = {}
        for at in sorted(signed):
            found.setdefault(signed[at], []).append(at)
        return found

    def _spread(self) -> None:
        """From pairs to their neighbours, until there is nothing new."""
        while self.waiting:
            a, b = self.waiting.popleft()
            a_sources, b_sources = self.left.sources(a), self.right.sources(b)
            if len(a_sources) == len(b_sources):
                for (a_source, a_output), (b_source, b_output) in zip(a_sources, b_sources, strict=True):
                    if a_output == b_output:
                        self._try(a_source, b_source, taken=True)
            self._consumers(a, b)

    def _consumers(self, a: int, b: int) -> None:
        a_only, b_only = self._single_consumers(self.left, a), self._single_consumers(self.right, b)
        for key, place in a_only.items():
            other = b_only.get(key)
            if place is not None and other is not None:
                self._try(place, other)

    def _single_consumers(self, side: Side, at: int) -> dict[tuple[str, int, int], int | None]:
        """Consumers without a partner, by type, output and input; None where there are several."""
        found: dict[tuple[str, int, int], int | None] = {}
        for place, output, slot in side.consumers(at):
            if side.partner[place] is None:
                key = (side.nodes[place].type, output, slot)
                found[key] = place if key not in found else None
        return found

    def _try(self, a: int, b: int, *, taken: bool = False) -> None:
        """Make a pair of two nodes that stand at the same place, unless more speaks against it; `taken` by a pair, that speaks for it."""
        if a < 0 or b < 0 or self.left.partner[a] is not None or self.right.partner[b] is not None:
            return
        if self.left.nodes[a].type != self.right.nodes[b].type:
            return
        agree, disagree = int(taken), 0
        for (a_source, a_output), (b_source, b_output) in zip(self.left.sources(a), self.right.sources(b), strict=False):
            if a_source < 0 or b_source < 0 or (self.left.partner[a_source] is None and self.right.partner[b_source] is None):
                continue  # neither is known
            if self.left.partner[a_source] == b_source and a_output == b_output:
                agree += 1
            else:
                disagree += 1
        if agree >= disagree:
            self.pair(a, b)


def _source(side: Side, source: int, signed: dict[int, int], mirrored: bool) -> tuple[bool, int]:
    """Whether a source has a partner; then the place of the pair on the left, else its signature so far."""
    if source < 0:
        return True, _NOWHERE
    partner = side.partner[source]
    if partner is not None:
        return True, partner if mirrored else source
    return False, signed.get(source, _OPEN)


def _same_signature(a_places: list[int], b_places: list[int], by_name: dict[int, int]) -> list[tuple[int, int]]:
    """Those that have one name, too; then what is left if it is one on either side."""
    inside = set(b_places)
    found = [(a, by_name[a]) for a in a_places if by_name.get(a) in inside]
    a_left = sorted(set(a_places).difference(a for a, _ in found))
    b_left = sorted(inside.difference(b for _, b in found))
    return [*found, (a_left[0], b_left[0])] if len(a_left) == len(b_left) == 1 else found


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The most of the pairs that stand in one order on both sides."""
    ordered = sorted(pairs)
    #: The least right place that a run of each length ends at, and which pair that is.
    ends: list[int] = []
    last: list[int] = []
    before: list[int | None] = []
    for at, (_, b) in enumerate(ordered):
        length = bisect_left(ends, b)
        before.append(last[length - 1] if length else None)
        ends[length : length + 1] = [b]
        last[length : length + 1] = [at]
    found: list[tuple[int, int]] = []
    at = last[-1] if last else None
    while at is not None:
        found.append(ordered[at])
        at = before[at]
    return found[::-1]


def _is_numbered(node: Node) -> bool:
    """Whether a node is called by its type and a number."""
    stem, _, number = node.name.rpartition("_")
    return stem == node.type and number.isascii() and number.isdecimal()
