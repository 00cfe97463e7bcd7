"""A readable dump's text -> records.

In: the text of a file.  Out: `Readable`.  A line that is canonical is one match of an expression; the lines between such ones go through
`pieces.py`.  The bodies of nodes are not parsed, but every name, type, count and reference is there.

Nothing is dropped: what is no record lies in the `gap` of the next one.  What is cut off, or stands outside of any record, is a problem of
the result.
"""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from linnet_core.errors import DocumentError
from linnet_ge.model import Problem
from linnet_ge.readable.pieces import Piece, pieces
from linnet_ge.readable.record_text import element_text, header_text, node_text, return_text
from linnet_ge.readable.records import ElementRecord, GraphRecord, NodeRecord, Readable, Record, ReturnRecord
from linnet_ge.readable.references import ORDINARY, Known, references
from linnet_ge.readable.spelling import PASTED, SPACES, NodeFields, has_copied_spaces, read_record
from linnet_ge.text.collector import paused_collector

#: Longer lines are read without the expressions below, which look at some lines twice.
LONG_LINE = 1 << 16
#: As many problems of one file are kept; how many more there were is said.
MOST_PROBLEMS = 100

_REFERENCE = r"(?:[^\s=%,()]+=)?%([^,()]*)"
#: What divides the inputs of a node and its attributes, and in how many places of one record it is looked at.
_BETWEEN = "), attrs = {"
MOST_DIVISIONS = 16

#: A node as nearly all are: no space in its name and nothing that stands between references, no bracket in its inputs, of which two are
#: taken apart at once.  It takes time in proportion to the line.
_USUAL = re.compile(
    r"  %([^ ,=]+) : \[#users=(0|[1-9][0-9]{0,17})\] = Node\[type=([^\]]+)\] "
    rf"\((?:inputs = \(((?:{_REFERENCE}(?:, {_REFERENCE}(, [^()]*)?)?)?)\)"
    r"(?:, attrs = \{(.+)\})?|attrs = \{(.+)\})?\)"
)
#: An output of such a node, as the emitter or the format's description spells it.
_USUAL_ELEMENT = re.compile(r"  %([^ ,=]+) : \[(#?)users=(0|[1-9][0-9]{0,17})\] = get_element\[node=%([^ ,=\]]+)\]\((0|[1-9][0-9]{0,17})\)")
_NODE = re.compile(
    r"  %(.+?) : \[#users=(0|[1-9][0-9]{0,17})\] = "
    r"(?:Node\[type=([^\]]+)\] \((?:inputs = \((.*?)\)(?:, attrs = \{(.+)\})?|attrs = \{(.+)\})?\)"
    r"|get_element\[node=%(.+)\]\((0|[1-9][0-9]{0,17})\))"
)
#: For text that was copied from a page: no line of it is taken for canonical.
_NOTHING = re.compile(r"(?!)")
_JSON = re.compile(r"\ufeff?\s*+\{\s*+\"")
_HEADER = re.compile(r'graph\("(.+)"\):')
_RETURN = re.compile(r"  return \((.*)\)")


def scan(text: str, file: str) -> Readable:
    """The records of `text`; `DocumentError` where there is not one.  `file` is what problems call the file."""
    with paused_collector():
        found = _Scan(file, "\r\n" if 2 * text.count("\r\n") > text.count("\n") else "\n").run(text)
    if not found.graphs:
        if _JSON.match(text):
            raise DocumentError(
                f"{file}:1: this is JSON and no dump; give the dump it was made from, or let `linnet dump --format ge-readable` make one"
                " of a graph document"
            )
        raise DocumentError(f'{file}:1: this is no readable dump; a line `graph("NAME"):` or `%NAME : [#users=N] = Node[...]` was expected')
    return found


class _Header(Struct, frozen=True):
    """The first line of the graph whose records are being read."""

    line: int
    name: str | None
    gap: str | None
    spelling: str | None


class _Scan:
    """The state of one pass: the graph that is open, and the text since the last record."""

    def __init__(self, file: str, newline: str) -> None:
        self.file = file
        self.newline = newline
        self.graphs: list[GraphRecord] = []
        self.header: _Header | None = None
        self.records: list[Record] = []
        #: Where the records stand whose names or references are not ordinary, or may not be.
        self.unsure: list[int] = []
        self.between = ""
        #: Whether a record, and whether any line, came before.
        self.started = False
        self.begun = False
        self.problems: list[Problem] = []
        self.further_problems = 0
        #: The lines of records that are cut off or damaged, which has been said.
        self.damaged: set[int] = set()

    def run(self, text: str) -> Readable:
        """Read all lines."""
        lines = text.split(self.newline)
        waiting: list[str] = []
        first_waiting = 1
        number = 0
        usual, element, matched, ordinary = _USUAL.fullmatch, _USUAL_ELEMENT.fullmatch, _NODE.fullmatch, ORDINARY.findall
        #: Whether a record came last, so that a node that follows has no gap.
        plain = False
        if not text.isascii() and has_copied_spaces(text):
            usual = element = matched = _NOTHING.fullmatch
        for line in lines:
            number += 1
            match = usual(line)
            if match is not None and (plain or (not waiting and self.header is not None and not self.between)):
                name, users, kind, inputs, first, second, further, attributes, alone = match.groups()
                attributes = attributes or alone
                if attributes is None or "users=" not in attributes:
                    if second is None:
                        names = () if first is None else (first,)
                    elif further is None:
                        names = (first, second)
                    else:
                        names = tuple(ordinary(inputs))
                        if inputs.count("=%") != len(names) or inputs.count(",") + 1 != len(names):
                            self.unsure.append(len(self.records))
                    plain = True
                    self.records.append(NodeRecord(number, name, 1 if users == "1" else int(users), kind, inputs, attributes, names))
                    continue
            if match is None and plain and (match := element(line)) is not None:
                name, emitted, users, node, index = match.groups()
                self.records.append(ElementRecord(number, name, int(users), node, int(index), None, None if emitted else line[2:]))
                continue
            plain = False
            match = matched(line) if line[:3] == "  %" and len(line) < LONG_LINE and line.count("users=") == 1 else None
            if match is None:
                if line and self._other(line, number, waiting, first_waiting):
                    waiting = []
                    continue
                if not waiting:
                    first_waiting = number
                waiting.append(line)
                number += line.count("\n") if self.newline == "\r\n" else 0
                continue
            if waiting:
                self._irregular(waiting, first_waiting)
                waiting = []
            self._canonical(match, number)
        if waiting:
            self._irregular(waiting, first_waiting)
        self._close()
        return Readable(self.file, tuple(self.graphs), self.newline, self._tail(), self._all_problems())

    def _canonical(self, match: re.Match[str], number: int) -> None:
        """Take what `_NODE` matched."""
        gap = None if self.started and not self.between else self._gap("  ")
        name, users, kind, inputs, attributes, alone, node, index = match.groups()
        if kind is None:
            self._add(ElementRecord(number, name, int(users), node, int(index), gap))
        else:
            names = tuple(ORDINARY.findall(inputs)) if inputs else ()
            self._add(NodeRecord(number, name, int(users), kind, inputs, attributes or alone, names, False, gap))

    def _other(self, line: str, number: int, waiting: list[str], first: int) -> bool:
        """Take a canonical `graph` or `return` line; whether it is one."""
        if len(line) >= LONG_LINE:
            return False
        header = _HEADER.fullmatch(line) if line[:7] == 'graph("' and line.count('graph("') == 1 else None
        returned = _RETURN.fullmatch(line) if header is None and line[:10] == "  return (" and line.count("return (") == 1 else None
        if header is None and returned is None:
            return False
        if waiting:
            self._irregular(waiting, first)
        if header is not None:
            self._begin(_Header(number, header[1], self._gap("", ""), None))
        elif returned is not None:
            self._add(ReturnRecord(number, returned[1], tuple(ORDINARY.findall(returned[1])), False, self._gap("  ", self.newline)))
        return True

    def _gap(self, indent: str, extra: str = "") -> str | None:
        """The text since the last record, None where it is what canonical text has there; `extra` is the empty line before a `return`."""
        gap = self.between + (self.newline if self.begun else "") + indent
        if indent == "":
            return None if gap == self._before_graph() else gap
        return None if self.started and gap == extra + self.newline + indent else gap

    def _before_graph(self) -> str:
        return 2 * self.newline if self.started else ""

    def _add(self, record: Record) -> None:
        self.unsure.append(len(self.records))
        self.records.append(record)
        self._follow()
        if self.header is None:
            self._open(record.line)

    def _open(self, line: int) -> None:
        """Records without a `graph` line before them."""
        self._follow()
        self.header = _Header(line, None, "", "")
        self._problem(line, None, "records stand before any graph", 'a line `graph("NAME"):`')

    def _begin(self, header: _Header) -> None:
        self._close()
        self.header = header
        self._follow()

    def _follow(self) -> None:
        """What comes now follows a record."""
        self.started = self.begun = True
        self.between = ""

    def _close(self) -> None:
        if self.header is not None:
            head = self.header
            resolved, unread = _resolved(self.records, self.unsure)
            self.graphs.append(GraphRecord(head.line, head.name, resolved, head.gap, head.spelling))
            for record, rest in unread:
                if record.line not in self.damaged:
                    name = record.name if isinstance(record, NodeRecord) else None
                    self._problem(record.line, name, f"text that is no reference: {rest[:60]!r}", "`PARAMETER=%NAME` or `%NAME`")
        self.records = []
        self.unsure = []
        self.header = None

    def _irregular(self, lines: list[str], first: int) -> None:
        """Read lines that are not canonical, all those between two that are."""
        lead = self.newline if self.begun else ""
        text = lead + self.newline.join(lines)
        last, counted, line = 0, 0, first - (1 if lead else 0)
        for piece in pieces(text):
            line += text.count("\n", counted, piece.start)
            counted = piece.start
            gap = text[last : piece.start]
            if self._piece(text, piece, gap, line):
                self._stray(gap, line)
                last = piece.end
        self._outside(text[last:], first + text.count("\n", 0, last) - bool(lead))
        self.between = text[last:]
        self.begun = True

    def _stray(self, gap: str, line: int) -> None:
        """Say which text lies between two records, unless it only stands before the second one on its line, as a log puts it."""
        before, _, prefix = gap.rpartition("\n")
        if any(words and words != _visible(prefix) for words in map(_visible, before.split("\n"))):
            self._outside(before, line - gap.count("\n"))

    def _outside(self, text: str, line: int) -> None:
        """Say that text is no record; `line` is where it begins."""
        words = _visible(text)
        if words:
            at = line + text.count("\n", 0, len(text) - len(text.lstrip()))
            self._problem(at, None, f"text outside of any record: {words[:60]!r}", "a node, `return (...)` or a graph")

    def _piece(self, text: str, piece: Piece, gap: str, line: int) -> bool:
        """Add the record at a piece; whether it is one."""
        spelled = text[piece.start : piece.end]
        match piece.kind:
            case "graph":
                plain = spelled if '("' in spelled and '")' in spelled else spelled.translate(PASTED)
                name = plain[plain.index('("') + 2 : plain.rindex('")')]
                told = None if gap == self._before_graph() else gap
                self._begin(_Header(line, name, told, _unless(spelled, header_text(name))))
            case "return":
                plain = spelled.translate(SPACES) if "(" in spelled else spelled.translate(PASTED)
                outputs = plain[plain.index("(") + 1 :].removesuffix(")")
                if not piece.closed:
                    self.damaged.add(line)
                    self._problem(line, None, "the graph's `return` is cut off", "`)` after the outputs")
                told = None if gap == 2 * self.newline + "  " and self.started else gap
                self._add(ReturnRecord(line, outputs, (), False, told, _unless(spelled, return_text(outputs))))
            case "node":
                return self._node_piece(spelled, gap, line)
        return True

    def _node_piece(self, spelled: str, gap: str, line: int) -> bool:
        fields = read_record(spelled)
        if fields is None:
            return False  # said as text outside of any record
        told = None if self.started and gap == self.newline + "  " else gap
        if not isinstance(fields, NodeFields):
            canonical = element_text(fields.name, fields.users, fields.node, fields.index)
            self._add(ElementRecord(line, fields.name, fields.users, fields.node, fields.index, told, _unless(spelled, canonical)))
            return True
        if fields.missing is not None:
            self.damaged.add(line)
            self._problem(line, fields.name, "the record is cut off or damaged", fields.missing)
        canonical = node_text(fields.name, fields.users, fields.type, fields.inputs, fields.attributes)
        record = NodeRecord(line, fields.name, fields.users, fields.type, fields.inputs, fields.attributes, (), False, told)
        self._add(replace(record, spelling=_unless(spelled, canonical)))
        return True

    def _tail(self) -> str | None:
        return None if self.between == self.newline else self.between

    def _problem(self, line: int | None, node: str | None, message: str, expected: str | None = None) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(self.file, line, node, message, expected))
        else:
            self.further_problems += 1

    def _all_problems(self) -> tuple[Problem, ...]:
        if self.further_problems:
            self.problems.append(Problem(self.file, None, None, f"{self.further_problems} further problems of the kinds above"))
        return tuple(self.problems)


def _visible(text: str) -> str:
    """Text without white space around it, that of copied text included."""
    return text.strip() if text.isascii() else text.translate(SPACES).strip()


def _unless(spelled: str, canonical: str) -> str | None:
    return None if spelled == canonical else spelled


def _resolved(records: list[Record], unsure: list[int]) -> tuple[tuple[Record, ...], list[tuple[NodeRecord | ReturnRecord, str]]]:
    """The records of a graph with their references told apart by the names of the graph, where commas do not tell; what is no reference.

    All names but those at `unsure` are ordinary, and so are all references while the other names are, too.
    """
    joined = "\n".join(record.name for at in unsure if not isinstance(record := records[at], ReturnRecord))
    awkward = "," in joined or "=%" in joined
    known: Known | None = None
    unread: list[tuple[NodeRecord | ReturnRecord, str]] = []
    for at in range(len(records)) if awkward else unsure:
        record = records[at]
        if isinstance(record, ElementRecord):
            continue
        text = record.outputs if isinstance(record, ReturnRecord) else record.inputs
        if text is None or (not awkward and _is_ordinary(text, len(record.references))):
            continue
        known = known or Known.of(frozenset(record.name for record in records if not isinstance(record, ReturnRecord)))
        several = False
        if isinstance(record, NodeRecord) and _BETWEEN in joined:
            record, several = _divided(record, known)
            text = record.inputs or ""
        parts, rest = references(text, known)
        doubt = several or any(part.ambiguous for part in parts)
        records[at] = record = replace(record, references=tuple(part.name for part in parts), doubtful=doubt)
        if rest:
            unread.append((record, rest))
    return tuple(records), unread


def _divided(record: NodeRecord, known: Known) -> tuple[NodeRecord, bool]:
    """A record whose inputs end where all of them have names that are known, and whether they may end in several such places."""
    if record.inputs is None or record.attributes is None:
        return record, False
    whole = f"{record.inputs}{_BETWEEN}{record.attributes}"
    places = [found.start() for found in re.finditer(re.escape(_BETWEEN), whole)]
    fitting = [place for place in places[:MOST_DIVISIONS] if _are_known(whole[:place], known)] if len(places) > 1 else []
    if not fitting:
        return record, False
    inputs, attributes = whole[: fitting[0]], whole[fitting[0] + len(_BETWEEN) :]
    return replace(record, inputs=inputs, attributes=attributes), len(fitting) > 1


def _are_known(text: str, known: Known) -> bool:
    parts, rest = references(text, known)
    return not rest and all(part.name in known.names for part in parts)


def _is_ordinary(text: str, count: int) -> bool:
    """Whether each comma of `text` ends one of its `count` references, which all have a parameter, or none has."""
    return text.count(",") + 1 == count and (text.count("=%") == count or (text[:1] == "%" and text.count(", %") + 1 == count))
