"""Patterns of paths and of names of tensors, in which marks stand for numbers.

In: paths and names with as many marks each.  Out: `Patterns`, which answers the name of a path that fits.  `[*]` is a dot and a number, as
in a manifest, `{*}` a number alone, as in `weight_ih_l{*}`.  A number is a whole run of digits, so a path fits a pattern in one way or in
none, and is found by the text around its numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.errors import DocumentError
from linnet_core.text.cells import show_inline

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: What stands for `.N`, and what for `N`.
ELEMENT = "[*]"
NUMBER = "{*}"


class Pattern(Struct, frozen=True):
    """`numbers` are those in the path, None for a mark; `name` is the text around the marks of the name."""

    path: str
    numbers: tuple[str | None, ...]
    name: tuple[str, ...]

    def fits(self, numbers: Sequence[str | None]) -> bool:
        """Whether a path with the same text around its numbers is one of the pattern's."""
        return all(own is None or own == other for own, other in zip(self.numbers, numbers, strict=True))

    def filled(self, numbers: Sequence[str | None]) -> str:
        """The name, with the numbers that the marks of the path stand for."""
        marked = [str(other) for own, other in zip(self.numbers, numbers, strict=True) if own is None]
        return self.name[0] + "".join(number + text for number, text in zip(marked, self.name[1:], strict=True))


class Patterns(Struct, frozen=True):
    """Patterns by the text around the numbers of their paths, those of `[*]` alone first; `paths` are all in the order they were given."""

    by_text: dict[tuple[str, ...], list[Pattern]] = {}
    paths: tuple[str, ...] = ()

    def name(self, path: str) -> str | None:
        """The name of a path; None where it fits no pattern."""
        pattern, numbers = self._fitting(path)
        return None if pattern is None else pattern.filled(numbers)

    def fit(self, path: str) -> bool:
        """Whether a path fits a pattern."""
        return self._fitting(path)[0] is not None

    def unmet(self, paths: Iterable[str]) -> list[str]:
        """The patterns that none of the paths fits."""
        met: set[str] = set()
        for path in paths if self.paths else ():
            texts, numbers = _apart(path)
            met.update(pattern.path for pattern in self.by_text.get(tuple(texts), ()) if pattern.fits(numbers))
        return [path for path in self.paths if path not in met]

    def _fitting(self, path: str) -> tuple[Pattern | None, list[str | None]]:
        if not self.paths:
            return None, []
        texts, numbers = _apart(path)
        return next((pattern for pattern in self.by_text.get(tuple(texts), ()) if pattern.fits(numbers)), None), numbers


def has_mark(path: str) -> bool:
    """Whether a path is a pattern."""
    return ELEMENT in path or NUMBER in path


def patterns(names: Sequence[tuple[str, str]]) -> Patterns:
    """The patterns of paths and names; `DocumentError` where one has more marks than the other, or a mark runs into a number."""
    by_text: dict[tuple[str, ...], list[Pattern]] = {}
    for path, name in sorted(names, key=lambda pair: NUMBER in pair[0]):
        around, parts = _around_marks(path), _around_marks(name)
        if len(around) != len(parts):
            said = f"`{show_inline(path)}` and its tensor `{show_inline(name)}`"
            raise DocumentError(f"{said} differ in how many numbers (`{ELEMENT}`, `{NUMBER}`) they have")
        texts, numbers = _apart(around[0])
        for part in around[1:]:
            more = _apart(part)
            texts += more[0]
            numbers += [None, *more[1]]
        by_text.setdefault(tuple(texts), []).append(Pattern(path, tuple(numbers), tuple(parts)))
    return Patterns(by_text, tuple([path for path, _ in names]))


def _around_marks(text: str) -> list[str]:
    """The text around the marks, the dot of `[*]` being text."""
    parts = text.replace(ELEMENT, f".{NUMBER}").split(NUMBER)
    before, after, between = parts[:-1], parts[1:], parts[1:-1]
    if "" in between or any(map(_is_digit, [*(part[-1:] for part in before), *(part[:1] for part in after)])):
        raise DocumentError(f"`{show_inline(text)}`: a number stands right beside `{NUMBER}`, so that nobody could say where it ends")
    return parts


def _apart(text: str) -> tuple[list[str], list[str | None]]:
    """(the text around the numbers, the numbers), of which there is one less."""
    texts: list[str] = []
    numbers: list[str | None] = []
    inside, start = False, 0
    for at, sign in enumerate(text):
        if _is_digit(sign) != inside:
            (numbers if inside else texts).append(text[start:at])
            inside, start = not inside, at
    (numbers if inside else texts).append(text[start:])
    return ([*texts, ""] if inside else texts), numbers


def _is_digit(sign: str) -> bool:
    return "0" <= sign <= "9"
