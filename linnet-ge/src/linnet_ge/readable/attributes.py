"""The text inside `attrs = {...}` as items.

In: the text, the names of the file's graphs, the attribute names that the operation is known to have.  Out: `Attribute` values in order.

Strings are not escaped, so `s: "a", k: "b"` may be two attributes or one string with a quote in it.  A string ends at a quote
that the end of the text or `, KEY: ` follows, with everything after it readable too.  Of several such quotes the first is taken and the
value is marked ambiguous, unless the keys are those of the operation and the strings hold no quote.  A list of
several strings may be one of fewer, with quotes and a comma inside, and is marked, too.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from msgspec import Struct

from linnet_ge.model import Value
from linnet_ge.readable.values import is_clean, value_of

_KEY = re.compile(r"[A-Za-z_]\w*:(?: |$)")
_SEPARATOR = re.compile(r", (?=[A-Za-z_]\w*: )")
#: Items of ordinary text: nothing in a value that could be mistaken for an end.
_ORDINARY = re.compile(r'([A-Za-z_]\w*): ([^,{}\[\]"%]+|\{[^{}"]*\}|\[[^\[\],"]*\]|"[^"]*"|%[^,"{}]+)(?:, |$)')


class Attribute(Struct, frozen=True):
    """`KEY: VALUE`."""

    key: str
    value: Value


def attributes(text: str, graphs: Collection[str] = (), keys: Collection[str] | None = None) -> tuple[Attribute, ...]:
    """The items of `text` in order; what cannot be read is of kind `unknown`, under the key before it."""
    if not text:
        return ()
    if text.count('"') <= 2:
        items = _ORDINARY.findall(text)
        if sum(len(key) + len(raw) + 4 for key, raw in items) == len(text) + 2:
            return tuple([Attribute(key, value_of(raw)) for key, raw in items])
    return tuple(Attribute(key, value_of(raw, doubt)) for key, raw, doubt in _careful(text, graphs, keys))


def _careful(text: str, graphs: Collection[str], keys: Collection[str] | None) -> list[tuple[str, str, bool]]:
    """Key, text and doubt of each item, where strings may hold what ends an item."""
    starts = [0, *(match.end() for match in _SEPARATOR.finditer(text))]
    stops = [start - 2 for start in starts]
    stops.append(len(text))
    ends = _fitting_ends(text, starts, stops, graphs)
    items: list[tuple[str, str, bool]] = []
    at = 0
    while at < len(starts):
        # what cannot be read to the end is cut at the next place where an item may begin
        chosen, several = ends[at] or (at + 1, False)
        key, raw = _split(text[starts[at] : stops[chosen]])
        items.append((key, raw, several))
        at = chosen
    if keys is not None and all(key in keys and raw.count('"') == 2 * raw.startswith('"') for key, raw, _ in items):
        return [(key, raw, False) for key, raw, _ in items]
    return [(key, raw, doubt or _unsure_graph(raw, graphs) or _unsure_list(raw)) for key, raw, doubt in items]


def _fitting_ends(text: str, starts: list[int], stops: list[int], graphs: Collection[str]) -> list[tuple[int, bool] | None]:
    """For each possible start the number of the start after it and whether there are several; None where nothing fits to the text's end.

    Worked out from the end: the value from start `i` up to start `j` fits when it is one value and something fits from `j` on.
    """
    count = len(starts)
    ends: list[tuple[int, bool] | None] = [None] * count
    #: Numbers of starts, nearest last, that a quote stands before (or a quote and `}`) and from which something fits.
    after_quote: list[int] = [count] if text.endswith('"') else []
    after_list: list[int] = [count] if text.endswith('"}') else []
    for at in range(count - 1, -1, -1):
        head = _KEY.match(text, starts[at])
        value = head.end() if head else starts[at]
        opened = text[value : value + 2]
        if head is None:
            pass
        elif opened[:1] == '"':
            ends[at] = _string_end(after_quote, stops, value + 2)
        elif opened == '{"':
            ends[at] = _string_end(after_list, stops, value + 4)
        elif opened[:1] == "%":
            ends[at] = _graph_end(text, stops, ends, at, value, graphs)
        else:
            ends[at] = _plain_end(text, stops, ends, at, value)
        if ends[at] is not None and at:
            before = stops[at]
            if text[before - 1] == '"':
                after_quote.append(at)
            elif text.endswith('"}', 0, before):
                after_list.append(at)
    return ends


def _string_end(candidates: list[int], stops: list[int], least: int) -> tuple[int, bool] | None:
    """The nearest candidate that leaves room for both quotes, and whether there is another."""
    fitting = [c for c in candidates[-3:] if stops[c] >= least]
    return (fitting[-1], len(fitting) > 1) if fitting else None


def _plain_end(text: str, stops: list[int], ends: list[tuple[int, bool] | None], at: int, value: int) -> tuple[int, bool] | None:
    """A value without quotes ends where the next item may begin."""
    fits = at + 1 == len(ends) or ends[at + 1] is not None
    return (at + 1, False) if fits and is_clean(text[value : stops[at + 1]]) else None


def _graph_end(
    text: str, stops: list[int], ends: list[tuple[int, bool] | None], at: int, value: int, graphs: Collection[str]
) -> tuple[int, bool] | None:
    """The name of a graph may hold what ends an item: of the ends that give a name of the file the longest is taken."""
    longest = max(map(len, graphs), default=0)
    fitting: list[int] = []
    to = at + 1
    while to <= len(ends) and stops[to] - value - 1 <= longest:
        if text[value + 1 : stops[to]] in graphs and (to == len(ends) or ends[to] is not None):
            fitting.append(to)
        to += 1
    return (fitting[-1], len(fitting) > 1) if fitting else _plain_end(text, stops, ends, at, value)


def _split(item: str) -> tuple[str, str]:
    head = _KEY.match(item)
    return (head[0].rstrip()[:-1], item[head.end() :]) if head else ("", item)


def _unsure_list(raw: str) -> bool:
    """Whether a list of strings can be read as one of fewer."""
    return raw.startswith('{"') and '", "' in raw


def _unsure_graph(raw: str, graphs: Collection[str]) -> bool:
    """Whether the name of a graph is one that no graph of the file has, and holds what could end it."""
    return raw.startswith("%") and "," in raw and raw[1:] not in graphs
