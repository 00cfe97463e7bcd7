"""The tokens of a file on their way to events.

In: a `Source` with its tokens and comments.  Out: `Writer`: it hands out the tokens one by one, each with the comments that
belong to it, while the modules beside it say where lines may end.  Nothing is left out and nothing changes places, except
that a comment which must end a line and stands where none may end moves on to the next place where one may.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import InternalError
from linnet_core.syntax.format.comments import CLOSERS, OPENERS, Run, gaps, line_ends
from linnet_core.syntax.format.events import Event, Line, Mark, Remark
from linnet_core.syntax.tokens import Token

if TYPE_CHECKING:
    from linnet_core.syntax.tokens import Tokens
    from linnet_core.text.source import Source


class Writer:
    """Stands before one token; what stands before it is in `events`."""

    def __init__(self, source: Source, tokens: Tokens) -> None:
        """`tokens` are those of a file without errors."""
        self._source = source
        self._tokens = [*tokens.tokens]
        self._gaps = gaps(source, self._tokens, tokens.comments)
        self._at = 0
        #: Comments that end the line at the next place where one may end.
        self._waiting: list[Run] = []
        #: Whether a block comment was printed last, whether a space or line end was, and whether a space was before the comment.
        self._after_comment = False
        self._after_space = True
        self._spaced = False
        #: The last token whose own lines of comments are printed.
        self._placed = -1
        self._index_of = {token.start: index for index, token in enumerate(self._tokens)}
        self.events: list[Event] = []

    # tokens

    @property
    def kind(self) -> str:
        """The kind of the next token."""
        return self._tokens[self._at].kind

    @property
    def start(self) -> int:
        """The offset of the next token."""
        return self._tokens[self._at].start

    def follows_parenthesis(self, start: int) -> bool:
        """Whether the token at the offset `start` comes right after a `(`."""
        return self._tokens[self._index_of[start] - 1].kind == "("

    def take(self, kind: str | None = None) -> None:
        """Print the next token, which is of `kind`, with the comments around it."""
        token = self._tokens[self._at]
        self._comments_before()
        if self._after_comment and (token.kind not in CLOSERS or self._spaced):
            self.events.append(" ")
        self._after_comment = self._spaced = False
        if kind is not None and token.kind != kind:
            self._take_half(token, kind)
            return
        self.events.append(token.text)
        self._after_space = token.kind in OPENERS
        self._at += 1
        self._comments_after()

    def _take_half(self, token: Token, kind: str) -> None:
        """Print the `>` of a `>=` that closes generic arguments; the `=` stays."""
        if token.kind != kind + "=":
            raise InternalError(f"the formatter expected `{kind}` and found `{token.text}` at offset {token.start}")
        self.events.append(kind)
        self._tokens[self._at] = Token("=", "=", token.start + 1)
        self._gaps.pop(self._at, None)

    def take_to(self, end: int) -> None:
        """Print the tokens up to the offset `end`, with nothing between them."""
        while self.start < end:
            self.take()

    # words and groups

    def space(self) -> None:
        """Print a space."""
        self.events.append(" ")
        self._after_space, self._after_comment, self._spaced = True, False, True

    def open(self, *, indent: bool = True) -> None:
        """Begin a group."""
        self.events.append(Mark.OPEN)
        if indent:
            self.events.append(Mark.INDENT)

    def indent(self) -> None:
        """Lines that begin from here on stand further right, up to the next `close`."""
        self.events.append(Mark.INDENT)

    def close(self, *, indent: bool = True) -> None:
        """End the group begun last."""
        if indent:
            self.events.append(Mark.DEDENT)
        self.events.append(Mark.CLOSE)

    # line ends

    def line(self, flat: str = " ", *, hard: bool = False, keep: bool = False, blank: bool = False) -> None:
        """A place where a line may end, and must end when comments stand here.

        With `keep` an empty line of the source stays; with `blank` there is one in any case.
        """
        place = len(self.events)
        hard |= self._own_lines(keep)
        self.events.append(Line(flat, hard, keep and self._is_blank()))
        self._after_space, self._after_comment, self._spaced = True, False, False
        if blank and not any(isinstance(event, Line) and event.blank for event in self.events[place:]):
            self._set_blank(place, blank=True)

    def first_line(self, flat: str = " ", *, hard: bool = False) -> None:
        """`line` after an opening bracket: no empty line comes first, those between comments stay."""
        place = len(self.events)
        self.line(flat, hard=hard, keep=True)
        self._set_blank(place, blank=False)

    def last_line(self, flat: str = " ", *, hard: bool = False, first: bool = False) -> None:
        """`line` before a closing bracket: comments before it are indented like what is inside, the bracket is not.

        `first`: nothing but comments stands in the brackets.
        """
        place = len(self.events)
        hard |= self._own_lines(keep=True)
        if first:
            self._set_blank(place, blank=False)
        self.events.append(Mark.DEDENT)
        self.events.append(Line(flat, hard))
        self._after_space, self._after_comment, self._spaced = True, False, False

    def begin(self) -> None:
        """The comments before the first token of the file."""
        gap = self._gaps.get(0)
        if gap is None or not gap.own:
            return
        for index, run in enumerate(gap.own):
            if index:
                self.events.append(Line("", True, run.blank))
            self.events.append(Remark(run.text, run.indent))
        self._placed = 0
        self.events.append(Line("", True, gap.blank))

    def end(self) -> None:
        """The comments after the last token."""
        self._own_lines(keep=True)

    @property
    def must_end_line(self) -> bool:
        """Whether a comment stands here that a line ends after."""
        gap = self._gaps.get(self._at)
        return bool(self._waiting) or (gap is not None and bool(gap.own))

    def _is_blank(self) -> bool:
        """Whether an empty line stands right before the next token."""
        gap = self._gaps.get(self._at)
        if gap is not None:
            return gap.blank
        before = self._tokens[self._at - 1].end if self._at else 0
        return line_ends(self._source.text[before : self.start]) > 1

    def _set_blank(self, place: int, *, blank: bool) -> None:
        """Whether the first line end from the event at `place` on leaves an empty line."""
        for index in range(place, len(self.events)):
            event = self.events[index]
            if isinstance(event, Line):
                self.events[index] = Line(event.flat, event.hard, blank)
                return

    # lists

    def open_list(self, *, flat: str = "", group: bool = True) -> None:
        """Print an opening bracket; what follows stands on its line or each part on its own."""
        self.take()
        if group:
            self.events.append(Mark.OPEN)
        self.events.append(Mark.INDENT)
        self.first_line(flat)

    def next_part(self) -> None:
        """The comma between two parts of a list."""
        self.take(",")
        self.line(keep=True)

    def end_parts(self, *, comma: bool = True, keeps: bool = True, flat: str = "", hard: bool = False) -> None:
        """What stands before a closing bracket: a comma there keeps each part on its own line.

        `comma`: whether the last part may have one.  `keeps` is False where the comma means something else.
        `hard`: the closing bracket begins a line in any case.
        """
        written = self.kind == ","
        if written:
            self.take()
        elif comma:
            self.events.append(Mark.COMMA)
        self.last_line(flat, hard=hard or (written and keeps))

    def close_list(self, closer: str, *, comma: bool = True, keeps: bool = True, flat: str = "", group: bool = True) -> None:
        """Print what stands before a closing bracket, and the bracket."""
        self.end_parts(comma=comma, keeps=keeps, flat=flat)
        self.take(closer)
        if group:
            self.events.append(Mark.CLOSE)

    def empty_list(self, closer: str) -> None:
        """Brackets with nothing in them but perhaps comments."""
        self.take()
        if self.must_end_line:
            self.open()
            self.last_line("", first=True)
            self.take(closer)
            self.close(indent=False)
        else:
            self.take(closer)

    # comments

    def _comments_before(self) -> None:
        """The comments before the next token that no line end has taken."""
        gap = self._gaps.get(self._at)
        if gap is None:
            return
        if self._placed < self._at:
            for run in gap.own:
                self._displace(run)
        if gap.before:
            self._inline(gap.before)

    def _comments_after(self) -> None:
        """The comments right after the token that was printed."""
        gap = self._gaps.get(self._at)
        if gap is None:
            return
        if gap.after:
            self._inline(gap.after)
        if gap.ending is not None:
            self._waiting.append(gap.ending)

    def _displace(self, run: Run) -> None:
        """Comments on lines of their own where no line may end."""
        if run.inline:
            self._inline(run.text)
        else:
            self._waiting.append(Run(run.text, False))

    def _inline(self, text: str) -> None:
        """Block comments inside a line, unless others wait that come first."""
        if self._waiting:
            self._waiting.append(Run(text, True))
            return
        self.events.append(text if self._after_space else f" {text}")
        self._after_space, self._after_comment = False, True

    def _own_lines(self, keep: bool) -> bool:
        """Print the comments that wait and those on lines of their own before the next token; whether there were any."""
        found = bool(self._waiting)
        self._print_waiting()
        gap = self._gaps.get(self._at)
        if gap is None or not gap.own or self._placed >= self._at:
            return found
        for run in gap.own:
            self.events.append(Line("", True, keep and run.blank))
            self.events.append(Remark(run.text, run.indent))
        self._placed = self._at
        return True

    def _print_waiting(self) -> None:
        """Print the comments that wait, on this line as long as something can follow them, the others on lines of their own."""
        words: list[str] = []
        first = True
        for index, run in enumerate(self._waiting):
            words.append(run.text)
            if run.inline and index + 1 < len(self._waiting):
                continue
            text = " ".join(words)
            if first:
                self.events.append(f" {text}" if run.inline else Remark(f" {text}"))
            else:
                self.events += (Line("", True), Remark(text))
            first, words = False, []
        self._waiting = []
