"""Random well-typed programs with what they mean.

In: a seed.  Out: a `Program`: its text, sizes, inputs, weights and states, and the values it must give.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from meaning import FLOATS, INTEGERS, bounds, number
from msgspec import Struct
from statements import assignment, run, statements, type_text
from terms import Draw, Frame, Instance, Method, Name, Optional, Scope, Term, near
from whole import whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    Shape = tuple[str, ...]


class Program(Struct):
    """A program, and one run of it."""

    text: str
    sizes: dict[str, int]
    optionals: bool
    inputs: dict[str, np.ndarray]
    params: dict[str, np.ndarray]
    states: dict[str, np.ndarray]
    results: list[np.ndarray]
    next_states: dict[str, np.ndarray]


class _Member(Struct, frozen=True):
    name: str
    shape: Shape
    dtype: str
    optional: bool = False


class _Block(Struct):
    """The members of a block, and its children as (name, size, count or None)."""

    params: list[_Member]
    states: list[_Member]
    children: list[tuple[str, str, int | None]] = []

    def lines(self) -> Iterator[str]:
        for m in self.params:
            yield f"    param {m.name}: {type_text(m.shape, m.dtype)}{'? = none' if m.optional else ''}"
        for m in self.states:
            yield f"    state {m.name}: {type_text(m.shape, m.dtype)}"
        for name, size, count in self.children:
            yield f"    sub {name}: " + (f"Child<{size}>" if count is None else f"[Child<{size}>; {count}]")

    def enter(self, scope: Scope) -> None:
        """Put the members in scope."""
        for m in self.params:
            if m.optional:
                scope.optionals.append(Optional(m.name, m.shape, m.dtype, lambda f, n=m.name: f.block.params.get(n)))
            else:
                scope.names.append(Name(Term(m.name, m.shape, m.dtype, lambda f, n=m.name: f.block.params[n], 2.0)))
        for m in self.states:
            term = Term(m.name, m.shape, m.dtype, lambda f, n=m.name: f.block.states[n], 8.0, m.dtype not in FLOATS)
            scope.names.append(Name(term, assignable=True, state=True))


def program(seed: int) -> Program:
    """The program of a seed: a module of functions, a child block, and a block with an entry."""
    return _Maker(seed).made()


class _Maker:
    def __init__(self, seed: int) -> None:
        draw = self.draw = Draw(seed)
        self.optionals = draw.chance(0.5)
        self.sizes = {f"N{n}": draw.random.choices([0, 1, 2, 3, 4], [1, 2, 4, 4, 2])[0] for n in range(draw.pick([2, 2, 3]))}
        self.texts: list[str] = []
        self.functions = [made for n in range(2) if (made := self.function(f"help{n}"))]
        self.child = _Block(self.members("w", ("K",), draw.pick([0, 1])), self.members("h", ("K",), draw.pick([0, 1])))
        self.child_methods: list[tuple[str, Method, Any]] = []
        self.write_child()

    def members(self, letter: str, shape: Shape | None, count: int) -> list[_Member]:
        draw, scope = self.draw, Scope(tuple(self.sizes), self.sizes)
        optional = letter in "pw"
        return [
            _Member(f"{letter}{n}", shape or draw.shape(scope, (1, 2)), draw.pick(draw.dtypes), optional and draw.chance(0.3))
            for n in range(count)
        ]

    def function(self, name: str) -> Any:
        """A pure function over two sizes; gives a maker of calls for a scope's sizes."""
        draw, scope = self.draw, Scope(("A", "B"))
        scope.methods = []
        parameters = [("a", ("A",), draw.pick(draw.dtypes)), ("b", ("A", "B"), draw.pick(draw.dtypes)), ("c", (), draw.pick(draw.dtypes))]
        scope.names = [Name(Term(n, shape, dtype, lambda f, n=n: f.values[n], 8.0, dtype not in FLOATS)) for n, shape, dtype in parameters]
        steps = statements(draw, scope, draw.pick([0, 1, 2]))
        result = near(whole(draw, scope, draw.pick([(), ("A",), ("B", "A"), ("A", "B")]), draw.pick(draw.dtypes), 3))
        listed = ", ".join(f"{n}: {type_text(shape, dtype)}" for n, shape, dtype in parameters)
        head = f"{draw.pick(['fn', 'op'])} {name}<A: Dim, B: Dim>({listed}) -> {type_text(result.shape, result.dtype)} {{"
        self.texts.append("\n".join([head, *scope.lines, f"    return {result.text}", "}"]))

        def call(sizes: tuple[str, str]) -> Method:
            def value(frame: Frame, arguments: list[np.ndarray]) -> np.ndarray:
                inner = Frame(dict(zip("abc", arguments, strict=True)), dict(zip("AB", map(frame.size, sizes), strict=True)))
                run(steps, inner)
                return result.value(inner)

            types = tuple((_swapped(shape, "AB", sizes), dtype) for _, shape, dtype in parameters)
            return Method(name, types, _swapped(result.shape, "AB", sizes), result.dtype, result.reach, value)

        return call

    def method(self, name: str, block: _Block, scope: Scope) -> tuple[Method, Any]:
        """A method of a block that assigns its states; its lines are added to the module's last text."""
        draw = self.draw
        block.enter(scope)
        parameters = [("x", (scope.sizes[0],), draw.pick(draw.dtypes)), ("y", (), draw.pick(draw.dtypes))]
        scope.names += [Name(Term(n, shape, dtype, lambda f, n=n: f.values[n], 8.0, dtype not in FLOATS)) for n, shape, dtype in parameters]
        scope.indent = 2
        steps = statements(draw, scope, draw.pick([0, 1, 2]))
        if block.states:
            steps.append(assignment(draw, scope))
        result = near(whole(draw, scope, draw.pick([(), (scope.sizes[0],)]), draw.pick(draw.dtypes), 3))
        listed = ", ".join(f"{n}: {type_text(shape, dtype)}" for n, shape, dtype in parameters)
        head = f"    pub fn {name}({listed}) -> {type_text(result.shape, result.dtype)} {{"
        self.lines += [head, *scope.lines, f"        return {result.text}", "    }"]

        def on(instance: Instance, arguments: list[np.ndarray]) -> np.ndarray:
            frame = Frame(dict(zip("xy", arguments, strict=True)), instance.sizes, instance)
            run(steps, frame)
            return result.value(frame)

        types = tuple((shape, dtype) for _, shape, dtype in parameters)
        return Method(name, types, result.shape, result.dtype, result.reach, lambda f, a: on(f.block, a)), on

    def write_child(self) -> None:
        self.lines = ["block Child<K: Dim> {", *self.child.lines()]
        for n in range(self.draw.pick([1, 2])):
            method, on = self.method(f"go{n}", self.child, Scope(("K",)))
            self.child_methods.append((f"go{n}", method, on))
        self.texts.append("\n".join([*self.lines, "}"]))

    def child_calls(self, block: _Block) -> Iterator[Method]:
        for name, size, count in block.children:
            for at in range(count or 1):
                for called, method, on in self.child_methods:
                    yield Method(
                        f"{name}.{called}" if count is None else f"{name}[{at}].{called}",
                        tuple((_swapped(shape, "K", (size,)), dtype) for shape, dtype in method.parameters),
                        _swapped(method.shape, "K", (size,)),
                        method.dtype,
                        method.reach,
                        lambda f, a, name=name, at=at, count=count, on=on: on(_child(f, name, None if count is None else at), a),
                    )

    def made(self) -> Program:
        draw = self.draw
        names = tuple(self.sizes)
        children: list[tuple[str, str, int | None]] = [("one", draw.pick(names), None), ("row", draw.pick(names), draw.pick([1, 2, 3]))]
        block = _Block(self.members("p", None, 2), self.members("s", None, 2), children)
        self.lines = [f"pub block Main<{', '.join(f'{name}: Dim' for name in names)}> {{", *block.lines()]
        own, _ = self.method("own", block, Scope(names, self.sizes))
        scope = Scope(names, self.sizes, indent=2)
        block.enter(scope)
        pairs = [(draw.pick(names), draw.pick(names)) for _ in range(2)]
        scope.methods = [own, *self.child_calls(block), *(call(pair) for call in self.functions for pair in pairs)]
        inputs = self.inputs(scope)
        steps = statements(draw, scope, draw.pick([6, 9, 12]))
        results = [name.term for name in scope.names if name.term.text.startswith(("v_", "y_"))][-12:] or [scope.names[-1].term]
        self.write_entry(scope, inputs, results)
        return self.answered(block, inputs, steps, results)

    def inputs(self, scope: Scope) -> list[tuple[Name, Shape]]:
        """Entry arguments of mixed types, and a table of positions into one size."""
        draw, found = self.draw, []
        for n in range(draw.pick([3, 4, 5])):
            term = Term(f"x{n}", draw.shape(scope), draw.pick(draw.dtypes), lambda f, n=n: f.values[f"x{n}"], 2.0)
            found.append(Name(term))
            scope.names.append(found[-1])
        below = draw.size(scope)
        if scope.known(below):
            table = Term("at", draw.shape(scope, (0, 1, 2)), draw.pick(INTEGERS), lambda f: f.values["at"])
            found.append(Name(table, below=below))
            scope.names.append(found[-1])
        return found

    def write_entry(self, scope: Scope, inputs: list[Name], results: list[Term]) -> None:
        listed = ", ".join(f"{name.term.text}: {type_text(name.term.shape, name.term.dtype)}" for name in inputs)
        types, texts = ", ".join(type_text(t.shape, t.dtype) for t in results), ", ".join(t.text for t in results)
        several = len(results) > 1
        head = f"    pub entry run({listed}) -> {f'({types})' if several else types} {{"
        self.lines += [head, *scope.lines, f"        return {f'({texts})' if several else texts}", "    }", "}"]
        self.texts.append("\n".join(self.lines))

    def answered(self, block: _Block, inputs: list[Name], steps: list[Any], results: list[Term]) -> Program:
        """The program with arrays, and what it gives for them."""
        frame = Frame({}, dict(self.sizes))
        given = {name.term.text: self.array(frame.shape(name.term.shape), name.term.dtype, name.below) for name in inputs}
        instance = self.instance(block, self.sizes)
        params, states = dict(_leaves(instance, "params")), dict(_leaves(instance, "states"))
        frame.values, frame.block = dict(given), instance
        run(steps, frame)
        values = [np.asarray(term.value(frame)) for term in results]
        text = "\n\n".join(["module fuzz.random", *self.draw.declarations, *self.texts]) + "\n"
        return Program(text, self.sizes, self.optionals, given, params, states, values, dict(_leaves(instance, "states")))

    def instance(self, block: _Block, sizes: dict[str, int]) -> Instance:
        frame = Frame({}, sizes)
        made = Instance(dict(sizes))
        made.params = {m.name: self.array(frame.shape(m.shape), m.dtype) for m in block.params if self.optionals or not m.optional}
        made.states = {m.name: self.array(frame.shape(m.shape), m.dtype) for m in block.states}
        for name, size, count in block.children:
            inner = {"K": frame.size(size)}
            made.children[name] = (
                self.instance(self.child, inner) if count is None else [self.instance(self.child, inner) for _ in range(count)]
            )
        return made

    def array(self, shape: tuple[int, ...], dtype: str, below: str | None = None) -> np.ndarray:
        """Small quarters, integers with the extremes among them, or positions below a size."""
        choose, count = self.draw.random, int(np.prod(shape, dtype=int))
        if below is not None:
            end = Frame({}, self.sizes).size(below)
            values: list[Any] = [choose.randrange(end) for _ in range(count)]
        elif dtype in INTEGERS:
            low, high = bounds(dtype)
            values = [choose.choice([low, high]) if choose.random() < 0.1 else choose.randint(max(low, -6), 9) for _ in range(count)]
        elif dtype == "bool":
            values = [choose.random() < 0.5 for _ in range(count)]
        else:
            values = [choose.randint(-8, 8) / 4 for _ in range(count)]
        return np.asarray([number(value, dtype) for value in values], number(0, dtype).dtype).reshape(shape)


def _swapped(shape: Shape, names: str, sizes: tuple[str, ...]) -> Shape:
    """A function's sizes as the caller spells them."""
    return tuple(sizes[names.index(size)] if size in names else size for size in shape)


def _child(frame: Frame, name: str, at: int | None) -> Instance:
    assert frame.block is not None
    child = frame.block.children[name]
    return child if at is None else child[at]


def _leaves(instance: Instance, kind: str, prefix: str = "") -> Iterator[tuple[str, np.ndarray]]:
    """Every weight or state below an instance, by path."""
    for name, array in getattr(instance, kind).items():
        yield prefix + name, array
    for name, child in instance.children.items():
        if isinstance(child, list):
            for at, part in enumerate(child):
                yield from _leaves(part, kind, f"{prefix}{name}.{at}.")
        else:
            yield from _leaves(child, kind, f"{prefix}{name}.")
