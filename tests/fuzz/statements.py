"""Random statements: bindings, index notation, assignments, loops and scans, nested.

In: a `Draw` and a `Scope`, whose lines and names grow.  Out: for each statement what it does to a frame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from elementwise import elementwise
from indexed import comprehension
from meaning import FLOATS, binary, number
from msgspec.structs import replace
from terms import Draw, Frame, Name, Scope, StuckError, Term, near
from whole import leaf, whole, zeros

if TYPE_CHECKING:
    from collections.abc import Callable

    Step = Callable[[Frame], None]


def statements(draw: Draw, scope: Scope, count: int) -> list[Step]:
    """So many statements; one that cannot be made leaves nothing behind."""
    made: list[Step] = []
    for _ in range(count):
        mark, names = len(scope.lines), list(scope.names)
        try:
            made.append(draw.pick(_KINDS)(draw, scope))
        except StuckError:
            del scope.lines[mark:]
            scope.names = names
    return made


def run(steps: list[Step], frame: Frame) -> None:
    for step in steps:
        step(frame)


def bound(scope: Scope, name: str, term: Term, *, assignable: bool = False) -> None:
    """A local of the term's type.  What may be assigned again may be anything of the type."""
    if assignable:
        term = replace(term, reach=8.0, exact=term.dtype not in FLOATS)
    scope.names.append(Name(replace(term, text=name, literal=False, value=lambda f: f.values[name]), assignable))


def _operation(draw: Draw, scope: Scope) -> Step:
    """One elementwise operation on what there is, so that nothing hides what it gives."""
    shape = draw.shape(scope, (1, 1, 2))
    dtype = draw.pick([dtype for dtype in draw.dtypes if dtype != "bool"])
    term = draw.tried(lambda: elementwise(draw, dtype, lambda other: leaf(draw, scope, shape, other)))
    name = draw.fresh("v")
    scope.line(f"let {name} = {term.text}")
    bound(scope, name, term)
    return _set(name, term)


def _set(name: str, term: Term) -> Step:
    def step(frame: Frame) -> None:
        frame.values[name] = np.asarray(term.value(frame))

    return step


def _let(draw: Draw, scope: Scope) -> Step:
    assignable = draw.chance(0.4)
    term = whole(draw, scope, draw.shape(scope), draw.pick(draw.dtypes), draw.pick([1, 1, 2, 3]))
    name = draw.fresh("v")
    if assignable:
        term = near(term, 8.0)
    scope.line(f"{'var' if assignable else 'let'} {name} = {term.text}")
    bound(scope, name, term, assignable=assignable)
    return _set(name, term)


def _comprehension(draw: Draw, scope: Scope) -> Step:
    shape = draw.shape(scope, (1, 1, 2, 2, 3))
    indices, term = comprehension(draw, scope, shape, draw.pick(draw.dtypes), draw.pick([1, 2, 3]))
    name = draw.fresh("v")
    scope.line(f"let {name}[{', '.join(indices)}] = {term.text}")
    bound(scope, name, term)
    return _set(name, term)


def _concatenation(draw: Draw, scope: Scope) -> Step:
    shape, dtype = draw.shape(scope, (1, 2, 2, 3)), draw.pick(draw.dtypes)
    axis = draw.random.randrange(len(shape))
    sizes = [draw.size(scope) for _ in range(draw.pick([2, 2, 3]))]
    parts = [whole(draw, scope, (*shape[:axis], size, *shape[axis + 1 :]), dtype, 2) for size in sizes]
    made = (*shape[:axis], " + ".join(sizes), *shape[axis + 1 :])
    name = draw.fresh("v")
    value = lambda f: np.concatenate([part.value(f) for part in parts], axis)  # noqa: E731
    text = f"concat({', '.join(part.text for part in parts)}, axis = {draw.pick([axis, axis - len(shape)])})"
    term = Term(text, made, dtype, value, max(part.reach for part in parts), all(part.exact for part in parts))
    scope.line(f"let {name}: {type_text(made, dtype)} = {text}")
    bound(scope, name, term)
    return _set(name, term)


def type_text(shape: tuple[str, ...], dtype: str) -> str:
    return f"Tensor[{', '.join(shape)}; {dtype}]" if shape else dtype


def _pair(draw: Draw, scope: Scope) -> Step:
    """Two at once, in a branch of tuples."""
    condition = whole(draw, scope, (), "bool", 1)
    types = [(draw.shape(scope, (0, 1, 2)), draw.pick(draw.dtypes)) for _ in range(2)]
    arms = [[whole(draw, scope, shape, dtype, 1) for shape, dtype in types] for _ in range(2)]
    names = [draw.fresh("v"), draw.fresh("v")]
    texts = [f"({', '.join(term.text for term in arm)})" for arm in arms]
    scope.line(f"let ({', '.join(names)}) = if {condition.text} {{ {texts[0]} }} else {{ {texts[1]} }}")
    for name, a, b in zip(names, *arms, strict=True):
        bound(scope, name, replace(a, reach=max(a.reach, b.reach), exact=a.exact and b.exact))

    def step(frame: Frame) -> None:
        arm = arms[0] if bool(condition.value(frame)) else arms[1]
        frame.values.update(zip(names, [np.asarray(term.value(frame)) for term in arm], strict=True))

    return step


def assignment(draw: Draw, scope: Scope) -> Step:
    """Of a `var` or of a state of the block."""
    name: Name = draw.pick(name for name in scope.names if name.assignable)
    term = near(whole(draw, scope, name.term.shape, name.term.dtype, 3), 8.0)
    scope.line(f"{name.term.text} = {term.text}")
    return lambda frame: name.assign(frame, np.asarray(term.value(frame)))


def _nested(draw: Draw, scope: Scope, count: int) -> list[Step]:
    """Statements of a loop's body, at least one of which assigns; their names are left to the caller to drop."""
    steps = statements(draw, scope, count)
    return [*steps, assignment(draw, scope)] if any(name.assignable for name in scope.names) else steps


def _loop(draw: Draw, scope: Scope, head: str, body: Callable[[], list[Step]]) -> list[Step]:
    """A loop's lines around its body; what the body names is not seen after it."""
    if scope.loops > 1:
        raise StuckError
    names = list(scope.names)
    scope.line(head)
    scope.indent, scope.loops = scope.indent + 1, scope.loops + 1
    try:
        return body()
    finally:
        scope.indent, scope.loops, scope.names = scope.indent - 1, scope.loops - 1, names
        scope.line("}")


def _while(draw: Draw, scope: Scope) -> Step:
    turn, dtype = draw.fresh("turn"), draw.pick(["i64", "i32", "u8"])
    most = draw.pick([0, 1, 2, 3])
    calls, scope.methods = scope.methods, []  # a condition may not assign state
    more = whole(draw, scope, (), "bool", 2)
    scope.methods = calls
    scope.line(f"var {turn}: {dtype} = 0")
    counter = Term(turn, (), dtype, lambda f: f.values[turn])

    def body() -> list[Step]:
        scope.names.append(Name(counter))
        steps = _nested(draw, scope, 2)
        scope.line(f"{turn} = {turn} + 1")
        return steps

    steps = _loop(draw, scope, f"while {turn} < {most} && {more.text} {{", body)

    def step(frame: Frame) -> None:
        frame.values[turn] = number(0, dtype)
        while int(frame.values[turn]) < most and bool(more.value(frame)):
            run(steps, frame)
            frame.values[turn] = binary("+", frame.values[turn], number(1, dtype))

    return step


def _counted(draw: Draw, scope: Scope) -> Step:
    stop = draw.size(scope)
    at = draw.fresh("t")

    def body() -> list[Step]:
        scope.names.append(Name(Term(at, (), "i64", lambda f: f.values[at]), below=stop))
        return _nested(draw, scope, 2)

    steps = _loop(draw, scope, f"for {at} in 0..{stop} {{", body)

    def step(frame: Frame) -> None:
        for turn in range(frame.size(stop)):
            frame.values[at] = np.asarray(turn, np.int64)
            run(steps, frame)

    return step


def _unrolled(draw: Draw, scope: Scope) -> Step:
    first, count = draw.pick([0, 1, 2]), draw.pick([0, 1, 2, 3])
    at = draw.fresh("t")

    def body() -> list[Step]:
        scope.names.append(Name(Term(at, (), "i64", lambda f: f.values[at])))
        return _nested(draw, scope, 1)

    steps = _loop(draw, scope, f"static for {at} in {first}..{first + count} {{", body)

    def step(frame: Frame) -> None:
        for turn in range(first, first + count):
            frame.values[at] = np.asarray(turn, np.int64)
            run(steps, frame)

    return step


def _scan(draw: Draw, scope: Scope) -> Step:
    """A loop whose turns are stacked, one value or two a turn."""
    stop = draw.size(scope)
    at, names = draw.fresh("t"), [draw.fresh("y") for _ in range(draw.pick([1, 1, 2]))]
    given: list[Term] = []

    def body() -> list[Step]:
        scope.names.append(Name(Term(at, (), "i64", lambda f: f.values[at]), below=stop))
        steps = _nested(draw, scope, 1)
        given.extend(whole(draw, scope, draw.shape(scope, (0, 1, 1, 2)), draw.pick(draw.dtypes), 2) for _ in names)
        texts = ", ".join(term.text for term in given)
        scope.line(f"yield {texts if len(given) == 1 else f'({texts})'}")
        return steps

    pattern = names[0] if len(names) == 1 else f"({', '.join(names)})"
    steps = _loop(draw, scope, f"let {pattern} = for {at} in 0..{stop} {{", body)
    for name, term in zip(names, given, strict=True):
        bound(scope, name, replace(term, shape=(stop, *term.shape)))

    def step(frame: Frame) -> None:
        rows: list[list[np.ndarray]] = [[] for _ in names]
        for turn in range(frame.size(stop)):
            frame.values[at] = np.asarray(turn, np.int64)
            run(steps, frame)
            for row, term in zip(rows, given, strict=True):
                row.append(np.array(term.value(frame)))
        for name, row, term in zip(names, rows, given, strict=True):
            frame.values[name] = np.stack(row) if row else zeros(frame, (stop, *term.shape), term.dtype)

    return step


_KINDS = [
    _operation,
    _operation,
    _operation,
    _let,
    _let,
    _comprehension,
    _comprehension,
    _comprehension,
    _concatenation,
    _pair,
    assignment,
    _while,
    _counted,
    _unrolled,
    _scan,
]
