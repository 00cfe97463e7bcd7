"""A model as a loader holds it: checked, lowered, its root under numbers.

In: a `.linnet` file, a package, or a plan (a path, or the document itself), and values for the root's generics.  Out: a `Model`.  One that
was made from source and one read from the plan of that source are the same but for the places in messages.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct
from msgspec.structs import replace

from linnet_core.errors import DocumentError, UsageError
from linnet_core.graph.bind import Bindings, bind
from linnet_core.ir.entries import entries_by_block
from linnet_core.ir.library_calls import Numerics, select_library_calls
from linnet_core.ir.roots import Entry, find_block
from linnet_core.loading.by_name import check_by_name
from linnet_core.loading.tree import Node, leaves, member_tree
from linnet_core.weights.arrays import Wanted, check_possible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from linnet_core.check.program import Block, Program
    from linnet_core.ir.module import Function, Module

NUMERICS = ("exact", "equivalent", "fast")


class Model(Struct, frozen=True, eq=False):
    """A root block (None for a module whose entries are its own) under `bindings`.

    `entries` are in the order of declaration; `further` are values for generics of entries that no input says; `digest` is that of the
    plan, the same for equal programs; `plan` its text.
    """

    module: Module
    block: Block | None
    bindings: Bindings
    tree: Node
    entries: dict[str, Entry]
    further: dict[str, Any]
    numerics: Numerics
    plan: str
    digest: str
    #: What stands for inputs that are left out: by entry and input a function without parameters.  A plan says none.
    defaults: dict[str, dict[str, Function]] = {}
    #: The names of the inputs of entries that were called: a memo, since every call asks.
    inputs: dict[str, list[str]] = {}

    @property
    def name(self) -> str:
        """`llama::Model`, or the module's name."""
        return self.module.name if self.block is None else self.block.key


def open_model(
    source: str | os.PathLike[str] | Mapping[str, Any],
    *,
    generics: Mapping[str, Any] | None = None,
    preset: str | None = None,
    root: str | None = None,
    std: str | None = None,
    numerics: str = "equivalent",
) -> Model:
    """Load, check and lower `source`, or read it as a plan, and bind its root.

    `generics` are values by name: of the root, or of an entry where no input says them.  `preset` names further ones in the package's
    `linnet.toml`.  Raises `UsageError`, `DocumentError` and `SourceError` as the commands do, and `RuntimeFailure` for a parameter that no
    machine can hold.
    """
    check_by_name(generics)
    if numerics not in NUMERICS:
        raise UsageError(f"numerics is one of {', '.join(NUMERICS)}, not {numerics!r}")
    module, presets, program = _module(source, std, cast("Numerics", numerics), preset)
    made = bind_model(module, generics or {}, presets, root, cast("Numerics", numerics))
    return made if program is None else replace(made, defaults=_defaults(program, made))


def bind_model(module: Module, generics: Mapping[str, Any], presets: Mapping[str, Any], root: str | None, numerics: Numerics) -> Model:
    """The model of a lowered module."""
    own = entries_by_block(module)
    block = None if root is None and set(own) == {None} else find_block(module, root)
    entries = {name: Entry(function, block) for name, function in own.get(block and block.key, {}).items()}
    if not entries:
        raise UsageError(f"{f'block `{block.name}`' if block else f'module `{module.name}`'} has no entry")
    further = {**presets, **_of_entries(generics, block, entries)}
    if block is None:
        bound, tree = Bindings(), Node("", "", "", ())
    else:
        given = {name: value for name, value in generics.items() if name not in further or name in _names(block)}
        bound = bind(block.generics, given, presets, entry=block.name, what="block", span=block.span, flag="")
        tree = member_tree(module, block, bound)
        check_possible(Wanted(leaf.path, leaf.shape, leaf.dtype) for leaf in leaves(tree))
    plan = _plan_text(module)
    return Model(module, block, bound, tree, entries, further, numerics, plan, hashlib.sha256(plan.encode()).hexdigest())


def reopen(
    plan: str, generics: Mapping[str, Any], further: Mapping[str, Any], root: str | None, numerics: str, defaults: Any = None
) -> Model:
    """The model whose `plan` this is, as it was; `generics` are those of the root."""
    module, _ = _read(json.loads(plan), "plan", cast("Numerics", numerics))
    made = bind_model(module, generics, {}, root, cast("Numerics", numerics))
    return replace(made, further={**made.further, **further}, defaults=defaults or {})


def _names(block: Block) -> set[str]:
    return {generic.name for generic in block.generics}


def _of_entries(generics: Mapping[str, Any], block: Block | None, entries: Mapping[str, Entry]) -> dict[str, Any]:
    """The values that are for generics of entries; `UsageError` for a name that is a generic of nothing."""
    root = [generic.name for generic in block.generics] if block else []
    known = dict.fromkeys([*root, *(generic.name for entry in entries.values() for generic in entry.function.generics)])
    for name in generics:
        if name not in known:
            there = f"there are: {', '.join(known)}" if known else "it has none"
            raise UsageError(f"{name}: {f'block `{block.name}`' if block else 'the module'} has no generic `{name}`; {there}")
    return {name: value for name, value in generics.items() if name not in root}


def _module(source: Any, std: str | None, numerics: Numerics, preset: str | None) -> tuple[Module, dict[str, Any], Program | None]:
    """The lowered module, the values of the preset, and the program where there is one."""
    document = None if isinstance(source, str | os.PathLike) else source
    path = None if document is not None else os.fspath(source)
    if path is not None and path.endswith(".json") and os.path.isfile(path):
        document = _document(path)
    if document is not None:
        if preset is not None:
            raise UsageError("a plan has no presets; give the values as generics")
        return (*_read(document, "the plan" if path is None else path, numerics), None)
    return _checked(cast("str", path), std, numerics, preset)


def _checked(path: str, std: str | None, numerics: Numerics, name: str | None) -> tuple[Module, dict[str, Any], Program]:
    from linnet_core.check.load_program import load_program
    from linnet_core.ir.lowered import lowered
    from linnet_core.modules.presets import preset

    package, program = load_program(path, std)
    return lowered(program, numerics), preset(package, name), program


def _defaults(program: Program, model: Model) -> dict[str, dict[str, Function]]:
    from linnet_core.ir.lower_default import lower_default

    found: dict[str, dict[str, Function]] = {}
    for name, entry in model.entries.items():
        function = program.functions[entry.function.name]
        given = [(at, each.local.name) for at, each in enumerate(function.params) if each.default is not None]
        if given:
            found[name] = {each: lower_default(program, function, at) for at, each in given}
    return found


def _document(path: str) -> Any:
    from linnet_core.schema.validate import parse

    with open(path, "rb") as file:
        text = file.read()
    try:
        return parse(text)
    except DocumentError as error:
        raise DocumentError(f"{path}: {error}") from None


def _read(document: Any, name: str, numerics: Numerics) -> tuple[Module, dict[str, Any]]:
    from linnet_core.plan.read import read_plan

    try:
        return select_library_calls(read_plan(document), numerics), {}
    except DocumentError as error:
        raise DocumentError(f"{name}: {error}") from None


def _plan_text(module: Module) -> str:
    from linnet_core.plan.write import plan_document

    return json.dumps(plan_document(module, functions=True), separators=(",", ":"))
