"""Which items each module has, and in what order.

In: a `Module` of Core IR.  Out: its modules in load order, and the `Item`s of each as a tree (a block holds its methods and what is
declared in it), in an order that gives generics the ids they have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from linnet_core.check.program import Block, Enum_, Generic, Struct_

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from linnet_core.ir.module import Constant, Function, Module


class Item(Struct, eq=False):
    """A declaration; `key` is `module::Name`."""

    key: str
    name: str
    declared: Constant | Struct_ | Enum_ | Block | Function | None
    items: list[Item] = field(default_factory=list)
    #: How many ids of generics an alias before it took, of which nothing else is left.
    gap: int = 0


def module_of(key: str) -> str:
    """The module of `module::Name`."""
    return key.partition("::")[0]


def modules_in_order(module: Module) -> list[str]:
    """Every module that has an item, each after those that stand before it in any list of the plan; the root last."""
    generics = sorted(_generics_by_module(module))
    orders = [
        [module_of(key) for key in module.blocks],
        [module_of(key) for key in module.functions],
        [module_of(key) for key in module.constants],
        [module_of(key) for key in module.structs],
        [module_of(key) for key in module.enums],
        [name for _, name in generics],
    ]
    after: dict[str, set[str]] = {}
    for order in orders:
        distinct = list(dict.fromkeys(order))
        for at, name in enumerate(distinct):
            after.setdefault(name, set()).update(distinct[at - 1 : at] if at else ())
    after.setdefault(module.name, set())
    after[module.name] |= set(after) - {module.name}
    done: list[str] = []
    while len(done) < len(after):
        ready = next((n for n in after if n not in done and after[n] <= set(done)), None)
        done.append(ready if ready is not None else next(n for n in after if n not in done))
    return done


def _generics_by_module(module: Module) -> Iterator[tuple[int, str]]:
    owners = (*module.blocks.items(), *module.functions.items(), *module.structs.items(), *module.enums.items())
    for key, owner in owners:
        if owner.generics:
            yield owner.generics[0].id, module_of(key)


def items_of(module: Module, names: Sequence[str]) -> list[Item]:
    """The items of the modules named, in order: constants, types, then blocks and functions as the plan lists them."""
    wanted = set(names)
    roots: list[Item] = []
    by_key: dict[str, Item] = {}

    def place(key: str, declared: Constant | Struct_ | Enum_ | Block | Function) -> None:
        owner, _, name = key.rpartition(".")
        item = Item(key, name if "::" in owner else key.rpartition("::")[2], declared)
        parent = by_key.get(owner) if "::" in owner else None
        (roots if parent is None else parent.items).append(item)
        by_key[key] = item

    def of(items: dict[str, Constant]) -> list[tuple[str, Constant]]:
        return [(key, item) for key, item in items.items() if module_of(key) in wanted]

    blocks = [(key, block) for key, block in module.blocks.items() if module_of(key) in wanted]
    nested: list[tuple[str, Constant | Struct_ | Enum_]] = []
    for key, item in (*of(module.constants), *_types(module, wanted)):
        nested.append((key, item)) if "." in key.partition("::")[2] else place(key, item)
    functions = [(key, function) for key, function in module.functions.items() if module_of(key) in wanted]
    waiting = dict(blocks)
    for key, function in functions:
        if function.block in waiting:
            _place_up_to(function.block, waiting, place)
        place(key, function)
    _place_up_to(None, waiting, place)
    for key, item in nested:
        place(key, item)
    return roots


def _place_up_to(last: str | None, waiting: dict[str, Block], place: Callable[[str, Block], None]) -> None:
    """Place blocks in their order until `last` is placed, or all."""
    for key in list(waiting):
        place(key, waiting.pop(key))
        if key == last:
            return


def _types(module: Module, wanted: set[str]) -> list[tuple[str, Struct_ | Enum_]]:
    """Structs and enums in one order: each list in its own, between them as their ids say."""
    structs = [(key, item) for key, item in module.structs.items() if module_of(key) in wanted]
    enums = [(key, item) for key, item in module.enums.items() if module_of(key) in wanted]
    merged: list[tuple[str, Struct_ | Enum_]] = []
    while structs and enums:
        first = enums if _first_id(enums[0][1].generics) < _first_id(structs[0][1].generics) else structs
        merged.append(first.pop(0))
    return [*merged, *structs, *enums]


def _first_id(generics: Iterable[Generic]) -> int:
    return next((generic.id for generic in generics), -1)
