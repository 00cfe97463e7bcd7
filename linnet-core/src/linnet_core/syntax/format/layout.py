"""Events to text: which groups fit on their line.

In: the events of a file in order.  Out: its text.  A group is broken when something in it must end a line, or when what it
holds and what follows up to the next place where a line may end reaches past the last column.  Every event is looked at a
fixed number of times.
"""

from __future__ import annotations

from linnet_core.syntax.format.events import Event, Line, Mark, Remark

#: Columns of a line.
COLUMNS = 100
#: Columns of one level.
STEP = 4


def lay_out(events: list[Event]) -> str:
    """The text of `events`, ended by one line end."""
    flat_widths, reaches = _measure(events)
    parts: list[str] = []
    add = parts.append
    broken: list[bool] = [True]
    indent = margin = column = 0
    fresh = True
    for index, event in enumerate(events):
        if isinstance(event, str):
            if fresh:
                add(" " * margin)
                column, fresh = margin, False
            add(event)
            column += len(event)
        elif isinstance(event, Line):
            if broken[-1] or event.hard:
                add("\n\n" if event.blank else "\n")
                margin = column = indent
                fresh = True
            else:
                add(event.flat)
                column += len(event.flat)
        elif isinstance(event, Remark):
            if fresh:
                add(" " * margin)
                fresh = False
            add(_moved(event, margin))
        elif event is Mark.OPEN:
            broken.append(broken[-1] and (flat_widths[index] < 0 or column + reaches[index] > COLUMNS))
        elif event is Mark.CLOSE:
            broken.pop()
        elif event is Mark.INDENT:
            indent += STEP
        elif event is Mark.DEDENT:
            indent -= STEP
        elif broken[-1]:
            add(",")
            column += 1
    add("\n")
    return "".join(parts)


def _measure(events: list[Event]) -> tuple[dict[int, int], dict[int, int]]:
    """By the index of each `OPEN`: its width on one line (-1 when it has none), and that with what follows on the same line."""
    tails = _tails(events)
    flat_widths: dict[int, int] = {}
    reaches: dict[int, int] = {}
    opened: list[tuple[int, int, int]] = []
    width = hard = 0
    for index, event in enumerate(events):
        if isinstance(event, str):
            width += len(event)
        elif isinstance(event, Line):
            width += len(event.flat)
            hard += event.hard
        elif event is Mark.OPEN:
            opened.append((index, width, hard))
        elif event is Mark.CLOSE:
            start, width_before, hard_before = opened.pop()
            flat_widths[start] = width - width_before if hard == hard_before else -1
            reaches[start] = width - width_before + tails[index]
    return flat_widths, reaches


def _tails(events: list[Event]) -> list[int]:
    """For every event, the width from it to the next place where a line may end."""
    tails = [0] * (len(events) + 1)
    for index in range(len(events) - 1, -1, -1):
        event = events[index]
        if isinstance(event, str):
            tails[index] = tails[index + 1] + len(event)
        elif event is Mark.COMMA:
            tails[index] = tails[index + 1] + 1
        elif not isinstance(event, Line):
            tails[index] = tails[index + 1]
    return tails


def _moved(remark: Remark, indent: int) -> str:
    """The comments with their later lines moved along to `indent`."""
    if remark.indent is None or "\n" not in remark.text:
        return remark.text
    first, *later = remark.text.split("\n")
    before, after = remark.indent, " " * indent
    return "\n".join((first, *(after + line.removeprefix(before) if line.startswith(before) and line else line for line in later)))
