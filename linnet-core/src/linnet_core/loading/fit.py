"""Which tensor each parameter takes, and everything that does not fit, in one report.

In: the tree of a model, what a checkpoint holds, and the names a person bound.  Out: a `Fit`, or `DocumentError` that lists every missing
tensor, every one of another shape or dtype, and every one that nothing takes.  Nothing is read but headers.  An optional parameter is
present where its tensor is held; an optional block where everything it requires is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from linnet_core.check.types import FLOATS
from linnet_core.errors import DocumentError
from linnet_core.loading.tree import Array, Leaf, Node, leaves
from linnet_core.text.cells import show_inline
from linnet_core.text.near import did_you_mean
from linnet_core.weights.arrays import describe, numpy_dtype
from linnet_core.weights.bindings import TensorNames

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from linnet_core.loading.tree import Part
    from linnet_core.weights.checkpoint import Holder
    from linnet_core.weights.safetensors import Entry

    #: Told of every tensor that was read: bytes so far, bytes of all, the tensor's name.
    Progress = Callable[[int, int, str], None]

#: Names of tensors that are shown when some parameter is missing, or when nothing takes them.
SHOWN = 4
#: Bytes of two tensors that are compared before all of them are.
_EARLY = 4096


class Fit(Struct, frozen=True):
    """The tensor of each present parameter and buffer by path, in order; optional members that are not there; tensors nothing takes."""

    names: dict[str, str]
    absent: frozenset[str]
    unused: tuple[str, ...]
    #: A line on each of those, with the reason where it belongs to a block that is held in part.
    notes: tuple[str, ...] = ()


def fit(
    tree: Node,
    holder: Holder,
    names: TensorNames | None = None,
    *,
    strict: bool = True,
    cast_dtype: bool = False,
    optionals: bool | None = None,
    without: frozenset[str] = frozenset(),
) -> Fit:
    """Find the tensors.

    `strict` makes a tensor that nothing takes a problem; `cast_dtype` lets a float of one width stand for a float of another.  `optionals`
    says whether optional members are there, in place of what `holder` says; those in `without`, and blocks that require one, are not.
    """
    work = _Fitting(holder, names or TensorNames(), cast_dtype, optionals, without)
    gone = work.choose(tree)
    wanted = [leaf for leaf in leaves(tree, gone) if leaf.kind != "state"]
    problems = [f"`{show_inline(path)}` is bound, and the model has no such parameter{_near(path, tree)}" for path in work.strangers(tree)]
    problems += [problem for leaf in wanted if (problem := work.problem(leaf)) is not None]
    unused = work.unused(wanted)
    notes = [f"`{show_inline(name)}` is used by no parameter{work.reason(name)}" for name in unused]
    if any(work.entry(leaf.path) is None for leaf in wanted):
        problems += work.left_over(wanted, unused)
    elif strict:
        problems += notes
    if any(map(work.differs_in_width, wanted)):
        problems.append("`cast_dtype=True` of a loader takes floats of another width")
    if problems:
        raise DocumentError("\n  ".join([f"{holder.path} does not fit the model:", *problems]))
    return Fit({leaf.path: work.tensor(leaf.path) for leaf in wanted}, gone, tuple(unused), tuple(notes))


def warn_of_unused(holder: Holder, found: Fit) -> None:
    """Warn of the tensors that nothing takes, in the name of who called the caller's caller: the line that said `load`."""
    if not found.notes:
        return
    import warnings

    more = [f"and {len(found.notes) - SHOWN} more"] if len(found.notes) > SHOWN else []
    lines = [f"{holder.path} holds more than the model takes:", *found.notes[:SHOWN], *more]
    warnings.warn("\n  ".join(lines), stacklevel=4)


class Loaded(Struct, frozen=True):
    """A tensor that was read, for all `paths` that take it in this dtype."""

    paths: tuple[str, ...]
    array: Any


def read(tree: Node, holder: Holder, fitted: Fit, progress: Progress | None = None) -> Iterator[Loaded]:
    """The tensors one by one, in the order of the first path that takes each, in the dtype that path has; each is read once."""
    shared: dict[tuple[str, str], list[str]] = {}
    for leaf in leaves(tree, fitted.absent):
        if leaf.kind != "state":
            shared.setdefault((fitted.names[leaf.path], leaf.dtype), []).append(leaf.path)
    total = sum(_bytes(holder.entries[name]) for name, _ in shared)
    done = 0
    for (name, dtype), paths in shared.items():
        array = holder.array(name)
        yield Loaded(tuple(paths), array if array.dtype == numpy_dtype(dtype) else array.astype(numpy_dtype(dtype)))
        done += _bytes(holder.entries[name])
        if progress is not None:
            progress(done, total, name)


def _bytes(entry: Entry) -> int:
    return entry.stop - entry.start


def _near(path: str, tree: Node) -> str:
    near = did_you_mean(path, [leaf.path for leaf in leaves(tree)])
    return f"; {near}" if near else ""


class _Fitting:
    def __init__(self, holder: Holder, names: TensorNames, cast_dtype: bool, optionals: bool | None, without: frozenset[str]) -> None:
        self.holder = holder
        self.names = names
        self.cast_dtype = cast_dtype
        self.optionals = optionals
        self.without = without
        #: Optional blocks that are held in part: path, and what they lack.
        self.partial: dict[str, str] = {}

    def tensor(self, path: str) -> str:
        """The tensor of a path; where the checkpoint holds it under another name only, that."""
        name = self.names.name(path)
        return name if name in self.holder.entries else self.holder.aliases.get(name, name)

    def entry(self, path: str) -> Entry | None:
        return self.holder.entries.get(self.tensor(path))

    def choose(self, tree: Node) -> frozenset[str]:
        """The optional members that are not there."""
        absent: set[str] = set()
        pending: list[Part] = [tree]
        while pending:
            part = pending.pop()
            if part.optional and not self.holds(part):
                absent.add(part.path)
                continue
            match part:
                case Node():
                    pending.extend(part.members)
                case Array():
                    pending.extend(part.elements)
                case Leaf():
                    pass
        return frozenset(absent)

    def holds(self, part: Part) -> bool:
        """Whether an optional member is there: bound by hand, it or something in it, or with all it requires, and something, among the
        tensors.
        """
        if part.path in self.without or any(leaf.path in self.without for leaf in required(part)):
            return False
        if self.optionals is not None:
            return self.optionals
        if isinstance(part, Leaf):
            return self.names.binds(part.path) or self.entry(part.path) is not None
        below = [leaf for leaf in leaves(part) if leaf.kind != "state"]
        held = [leaf for leaf in below if self.entry(leaf.path) is not None]
        lacking = [leaf for leaf in required(part) if self.entry(leaf.path) is None]
        if any(self.names.binds(leaf.path) for leaf in below):
            return True
        if held and lacking:
            self.partial[part.path] = lacking[0].path
        return not lacking and (bool(held) or not below)

    def strangers(self, tree: Node) -> list[str]:
        """What is bound and is no parameter."""
        return self.names.unknown(leaf.path for leaf in leaves(tree) if leaf.kind != "state")

    def problem(self, leaf: Leaf) -> str | None:
        """What is wrong with the tensor of one leaf."""
        entry = self.entry(leaf.path)
        name = self.names.name(leaf.path)
        called = "" if name == leaf.path else f" as `{show_inline(name)}`"
        if entry is None:
            return f"{leaf} is missing{called}"
        if entry.shape == leaf.shape and (entry.dtype == leaf.dtype or self.casts(entry, leaf)):
            return None
        return f"{leaf} is stored{called or ' as'} {describe(entry.shape, entry.stored)}".replace("  ", " ")

    def casts(self, entry: Entry, leaf: Leaf) -> bool:
        return self.cast_dtype and entry.dtype in FLOATS and leaf.dtype in FLOATS

    def differs_in_width(self, leaf: Leaf) -> bool:
        """Whether nothing but the width of its floats is wrong with the tensor of a leaf."""
        entry = self.entry(leaf.path)
        if entry is None or self.cast_dtype or entry.shape != leaf.shape:
            return False
        return entry.dtype != leaf.dtype and entry.dtype in FLOATS and leaf.dtype in FLOATS

    def unused(self, wanted: Sequence[Leaf]) -> list[str]:
        """The tensors that nothing takes, ascending; not those that hold again what a parameter was bound to by hand."""
        taken = {self.tensor(leaf.path): self.names.binds(leaf.path) for leaf in wanted}
        bound = [name for name, by_hand in taken.items() if by_hand and name in self.holder.entries]
        return [name for name in sorted(self.holder.entries.keys() - taken.keys()) if not any(self.same(name, each) for each in bound)]

    def same(self, first: str, second: str) -> bool:
        """Whether two tensors hold the same bytes."""
        a, b = self.holder.entries[first], self.holder.entries[second]
        return a.shape == b.shape and a.stored == b.stored and _same_bytes(self.holder.array(first), self.holder.array(second))

    def reason(self, name: str) -> str:
        """Why a tensor of an optional block is not used."""
        block = next((path for path in self.partial if name.startswith(f"{path}.")), None)
        return "" if block is None else f": `{block}` is left out because `{self.partial[block]}` is missing"

    def left_over(self, wanted: Sequence[Leaf], unused: Sequence[str]) -> list[str]:
        """A line of the tensors nothing takes, where a parameter is missing: it may be there under another name."""
        if not unused:
            return []
        shown = ", ".join(f"`{show_inline(name)}`" for name in unused[:SHOWN])
        more = f" and {len(unused) - SHOWN} more" if len(unused) > SHOWN else ""
        missing = [self.names.name(leaf.path) for leaf in wanted if self.entry(leaf.path) is None]
        prefix = _prefix(missing, unused)
        behind = f"; what is missing stands there behind `{show_inline(prefix)}`" if prefix is not None else ""
        return [f"the file also holds {shown}{more}{behind}"]


def required(part: Part) -> list[Leaf]:
    """The parameters that a block cannot be without once it is there."""
    if isinstance(part, Leaf):
        return []
    optional = frozenset(_optional_below(part))
    return [leaf for leaf in leaves(part, optional - {part.path}) if leaf.kind != "state"]


def _optional_below(part: Part) -> Iterator[str]:
    pending: list[Part] = [part]
    while pending:
        each = pending.pop()
        if each.optional:
            yield each.path
        match each:
            case Node():
                pending.extend(each.members)
            case Array():
                pending.extend(each.elements)
            case Leaf():
                pass


def _prefix(missing: Sequence[str], names: Sequence[str]) -> str | None:
    """What stands before every missing name among the file's: a model is often stored as a part of another."""
    known = set(names)
    first = missing[0]
    for name in names:
        prefix = name[: -len(first)]
        if name.endswith(f".{first}") and all(prefix + each in known for each in missing):
            return prefix
    return None


def _same_bytes(first: Any, second: Any) -> bool:
    """Whether two arrays of one type hold the same bits; what differs mostly differs early, and no file is read further than that."""
    import numpy as np

    a, b = [np.ascontiguousarray(each).reshape(-1).view(np.uint8) for each in (first, second)]
    return np.array_equal(a[:_EARLY], b[:_EARLY]) and np.array_equal(a, b)
