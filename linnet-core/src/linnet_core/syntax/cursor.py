"""The place in the tokens where the parser stands.

In: the tokens of a `Source`.  Out: `Cursor`: look, take, demand, complain.  A complaint that ends the construct being read is
raised as `SourceError`; whoever can recover catches it, keeps its diagnostic and goes on where `recovery.py` says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from linnet_core.errors import SourceError
from linnet_core.syntax.layout import Layout
from linnet_core.syntax.limits import MAX_CHAIN, MAX_NESTING
from linnet_core.syntax.tokens import END, FLOAT, IDENT, INTEGER, KEYWORDS, MALFORMED, REFUSED, RESERVED_WORD, STRING, Token
from linnet_core.syntax.tree.node import Name
from linnet_core.text.diagnostic import Diagnostic, Label
from linnet_core.text.span import Span

if TYPE_CHECKING:
    from linnet_core.syntax.tree.types import Arg
    from linnet_core.text.source import Source


class Cursor:
    """Stands before one token; `kind` is that token's kind and `end` the offset after the token before it."""

    __slots__ = (
        "args_read",
        "at",
        "depth",
        "end",
        "errors",
        "failed_args",
        "height",
        "kind",
        "layout",
        "recovered",
        "reserved",
        "source",
        "token",
        "tokens",
        "trying",
    )

    def __init__(self, source: Source, tokens: list[Token], errors: list[Diagnostic]) -> None:
        """`tokens` end with `END`; complaints are added to `errors`."""
        self.source = source
        self.tokens = tokens
        self.errors = errors
        self.layout = Layout(source, tokens)
        self.at = 0
        self.token = tokens[0]
        self.kind = self.token.kind
        self.end = 0
        #: Constructs that are open around the cursor.
        self.depth = 0
        #: Links of the longest chain in the expression read last.
        self.height = 0
        #: Above 0 while something is read that may turn out to be something else.
        self.trying = 0
        #: Generic arguments read while trying, by the index of their `<`: a list is never read twice.
        self.args_read: dict[int, tuple[tuple[Arg, ...], int, list[Diagnostic], int] | SourceError] = {}
        #: The generic arguments that were last read as a comparison because of an error in them: their `<`, and the error.
        self.failed_args: tuple[int, SourceError] | None = None
        #: Whether an error made the parser skip tokens, so that a bracket may be missing on its account.
        self.recovered = False
        #: Reserved words that were reported as names; where they are used they are not reported again.
        self.reserved: set[str] = set()

    # looking and taking

    def advance(self) -> Token:
        """Take the current token; the end of the file is never passed."""
        token = self.token
        if token.kind is not END:
            self.at += 1
            self.end = token.start + len(token.text)
            self.token = self.tokens[self.at]
            self.kind = self.token.kind
        return token

    def go_to(self, index: int) -> None:
        """Stand before the token at `index`."""
        self.at = index
        self.token = self.tokens[index]
        self.kind = self.token.kind
        self.end = self.tokens[index - 1].end if index else 0

    def peek(self, ahead: int = 1) -> Token:
        """The token `ahead` places further."""
        index = self.at + ahead
        return self.tokens[index] if index < len(self.tokens) else self.tokens[-1]

    def accept(self, kind: str) -> bool:
        """Take the current token if it is of `kind`."""
        if self.kind == kind:
            self.advance()
            return True
        return False

    def take_half(self) -> None:
        """Take the `>` of a `>=`, so that it closes generic arguments and `=` stays."""
        start = self.token.start
        self.tokens[self.at] = self.token = Token("=", "=", start + 1)
        self.kind = "="
        self.end = start + 1

    def is_word(self, word: str) -> bool:
        """Whether the current token is the ordinary name `word`."""
        return self.kind == IDENT and self.token.text == word

    def adjoins_next(self) -> bool:
        """Whether nothing stands between the current token and the next one."""
        return self.token.end == self.peek().start

    # spans

    def span(self, start: int) -> Span:
        """From the offset `start` to the end of the token taken last."""
        return Span(self.source, start, max(start, self.end))

    def here(self) -> Span:
        """The current token; at the end of the file the place after the last token."""
        if self.kind == END:
            return Span(self.source, self.end, self.end)
        return Span(self.source, self.token.start, self.token.end)

    # demanding

    def expect(self, kind: str, opener: Span | None = None) -> Token:
        """Take a token of `kind` or fail; `opener` is the bracket that waits for it."""
        if self.kind != kind:
            self.fail(f"`{kind}`", related=self.waiting(opener) if opener is not None else ())
        return self.advance()

    def open(self, kind: str) -> Span:
        """Take the opening bracket `kind`; its span is what `expect` needs for the closing one."""
        token = self.expect(kind)
        return Span(self.source, token.start, token.end)

    def close(self, kind: str, opener: Span) -> None:
        """Take the bracket `kind` that ends a list between commas."""
        if self.kind != kind:
            self.fail(f"`,` or `{kind}`", related=self.waiting(opener))
        self.advance()

    def name(self, what: str = "a name") -> Name:
        """Take a name where one is due; a reserved or refused word is reported and taken as one."""
        token = self.token
        if self.kind == IDENT:
            self.advance()
        elif self.kind == RESERVED_WORD:
            self.refuse_reserved()
        elif self.kind in REFUSED:
            self.refuse()
        else:
            self._fail_at_name(what)
        return Name(Span(self.source, token.start, token.end), token.text)

    def _fail_at_name(self, what: str) -> NoReturn:
        """Give up because there is no name; a keyword on the same line was meant as one, so reading goes on after it."""
        try:
            self.fail(what)
        finally:
            if self.kind in KEYWORDS and not self.trying and not self.layout.begins_line(self.at):
                self.advance()

    def refuse_reserved(self) -> None:
        """Report a reserved word and go on as if it were a name."""
        word = self.token.text
        help = "a local that changes is declared with `var`" if word == "mut" else f"choose another name: `{word}_` is one"
        self.report("E1004", f"`{word}` is a reserved word and cannot be a name", self.here(), help=help)
        self.reserved.add(word)
        self.advance()

    def refuse(self) -> None:
        """Report `self`, `super` or `extern` and go on as if it were a name."""
        self.errors.extend(self._refusal().diagnostics)
        self.advance()

    def _refusal(self) -> SourceError:
        """E1103 for the `self`, `super` or `extern` that stands here."""
        helps = {
            "self": "members and methods of a block are used by their bare names",
            "super": "write the path from `crate` on",
            "extern": "remove it: what runs outside is a target's own implementation of an `op`",
        }
        word, before = self.token.text, self.tokens[self.at - 1].kind
        if word == "self" and before == "use":
            helps["self"] = helps["super"]
        elif word == "self" and self.peek().kind == "." and self.peek(2).kind == IDENT:
            helps["self"] = f"write `{self.peek(2).text}`: {helps['self']}"
        return SourceError((Diagnostic("E1103", f"`{word}` is reserved and has no use yet", self.here(), help=helps[word]),))

    # nesting

    def enter(self, levels: int = 1) -> None:
        """One more construct is open; `leave` closes it (recovery restores `depth` by itself)."""
        self.depth += levels
        if self.depth > MAX_NESTING:
            self.stop("E1104", f"nested more than {MAX_NESTING} levels deep", self.here(), help="give inner parts a name with `let`")

    def leave(self, levels: int = 1) -> None:
        """The construct opened last is closed."""
        self.depth -= levels

    def check_chain(self, links: int) -> None:
        """Fail when an expression has more than `MAX_CHAIN` links."""
        if links > MAX_CHAIN:
            message = f"more than {MAX_CHAIN} operations follow each other in one expression"
            self.stop("E1104", message, self.here(), help="split the expression with `let`")

    # complaining

    def report(self, code: str, message: str, span: Span, *, label: str | None = None, help: str | None = None) -> None:
        """Add a diagnostic and go on."""
        self.errors.append(Diagnostic(code, message, span, label, help=help))

    def stop(self, code: str, message: str, span: Span, *, related: tuple[Label, ...] = (), help: str | None = None) -> NoReturn:
        """Give up the construct being read."""
        raise SourceError((Diagnostic(code, message, span, None, related, help=help),))

    def fail(self, expected: str, *, related: tuple[Label, ...] = (), help: str | None = None) -> NoReturn:
        """Give up because `expected` (in words) is not what stands here."""
        if self.kind in REFUSED and not self.trying:
            raise self._refusal()
        from linnet_core.syntax.repairs import of_expected  # a file that can be read needs no repairs

        found = self.describe()
        help = self._habit(expected) or help or of_expected(expected, self.kind, found)
        self.stop("E1101", f"expected {expected}, found {found}", self.here(), related=related, help=help)

    def _habit(self, expected: str) -> str | None:
        """The help where what stands here is a habit of another language: a power, sizes behind a type, colons, a whole division."""
        before, following = self.tokens[self.at - 1], self.peek()
        if self.kind == "*" and before.kind == "*" and before.end == self.token.start:
            return "there is no `**`: a square is `x * x`, a root `sqrt(x)`, one over it `rsqrt(x)`"
        if self.kind == "[" and before.end == self.token.start:
            if before.kind == IDENT and self.tokens[self.at - 2].kind in (":", "->"):
                return f"a tensor type is written `Tensor[dims; {before.text}]`"
            if before.kind == ">" and expected == "a member, an item or `}`":
                return "the type of an array is written `[Layer; 4]`"
        colons = self.kind == ":" and following.kind == ":" and self.adjoins_next()
        if colons and before.kind == IDENT and self.peek(2).kind == IDENT and expected != "an import or an item":
            name = self.peek(2).text
            return f"after a name stands a point: `{before.text}.{name}`; a pattern names the variant alone: `{name}`"
        rest, _, _ = self.source.text[self.end : self.token.start].partition("\n")
        if rest.lstrip(" \t").startswith("//") and any(closing in rest for closing in ")]}"):
            return "`//` begins a comment, here of what should close this line; a division is `/`, and one of sizes rounds down"
        return None

    def describe(self) -> str:
        """The current token in words."""
        kind, text = self.kind, self.token.text
        shown = text if len(text) <= 40 else f"{text[:30]}..."
        if kind == END:
            return "the end of the file"
        if kind in KEYWORDS:
            return f"the keyword `{text}`"
        if kind == RESERVED_WORD:
            return f"the reserved word `{text}`"
        if kind in (INTEGER, FLOAT, MALFORMED):
            return f"the number `{shown}`"
        if kind == STRING:
            return f"the string `{shown}`"
        return f"the name `{shown}`" if kind == IDENT else f"`{shown}`"

    def waiting(self, opener: Span) -> tuple[Label, ...]:
        """The bracket that waits to be closed, when it stands on another line: then showing it says something."""
        line_of = self.source.line_of
        return (Label(opener, "opened here"),) if line_of(opener.start) != line_of(self.here().start) else ()

    def keep(self, error: SourceError) -> None:
        """Keep what a failed construct complained about; reading goes on elsewhere."""
        self.recovered = True
        self.errors.extend(error.diagnostics)
