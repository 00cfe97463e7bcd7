"""A loaded package to a checked program: the door of this room.

In: `Package` of `linnet_core.modules.load`.  Out: `Program`, or None when there were errors; everything wrong is in the
collector, and for a program without errors the warnings.

Modules are checked in load order, so a module's imports are done before it.  Inside one: names, then headers (generics and
`where`), types and members, signatures, bodies; then the bodies of the standard library that are reached; at the end recursion, state
footprints and lints over the whole program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from linnet_core.check.blocks import check_block_cycles, check_members
from linnet_core.check.bodies import check_bodies, check_reached
from linnet_core.check.calls_between import callees_first
from linnet_core.check.collect import collect
from linnet_core.check.declarations import check_struct_cycles, check_types_in_order
from linnet_core.check.environment import (
    BlockInfo,
    Checker,
    ConstInfo,
    EnumInfo,
    FunctionInfo,
    KernelInfo,
    StructInfo,
)
from linnet_core.check.footprints import set_footprints
from linnet_core.check.functions import check_signature
from linnet_core.check.generics import ensure_generics
from linnet_core.check.kernels import check_kernel
from linnet_core.check.limits import within_limits
from linnet_core.check.lints import lint
from linnet_core.check.program import Module, Program

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linnet_core.check.context import LocalUse
    from linnet_core.check.environment import ModuleInfo
    from linnet_core.check.program import Function
    from linnet_core.modules.load import Package
    from linnet_core.text.diagnostic import Diagnostics

Kind = TypeVar("Kind")


def check(package: Package, diagnostics: Diagnostics, *, whole: bool = True) -> Program | None:
    """The checked program of a package; None when `diagnostics` holds errors, those of loading included.

    Unless it is asked for the `whole`, functions of the installed standard library that nothing else reaches are left out: their bodies are
    not checked, and they are not in the program.
    """
    if diagnostics.has_errors:
        return None
    checker = Checker(diagnostics, package.std)
    known: dict[int, ModuleInfo] = {}
    uses: dict[str, list[LocalUse]] = {}
    checked: list[FunctionInfo | KernelInfo] = []
    unchecked: list[FunctionInfo | KernelInfo] = []
    for module in package.modules:
        info = known[id(module)] = collect(module, checker, known)
        checker.modules.append(info)
        _check_declarations(info, checker)
        bodies = [item for item in info.declarations if isinstance(item, FunctionInfo | KernelInfo)]
        if whole or not package.is_installed(module):
            uses[info.name] = check_bodies(bodies, checker)
            checked += bodies
        else:
            unchecked += bodies
    check_reached(checked, unchecked, checker)
    order = callees_first([item for info in checker.modules for item in _of_kind(info, FunctionInfo)], checker)
    if diagnostics.has_errors:
        return None
    set_footprints(order)
    program = assemble(checker)
    for module in package.root_modules:
        info = known[id(module)]
        lint(info, _of_kind(info, BlockInfo), uses[info.name], checker)
    return program


def _of_kind(info: ModuleInfo, kind: type[Kind]) -> list[Kind]:
    return [entity for entity in info.declarations if isinstance(entity, kind)]


def _check_declarations(info: ModuleInfo, checker: Checker) -> None:
    """All phases of one module up to its signatures."""
    items = info.declarations
    check_types_in_order(items, checker)
    for block in _of_kind(info, BlockInfo):
        within_limits(block.syntax.name, checker, lambda block=block: ensure_generics(block, checker))
    for item in items:
        match item:
            case BlockInfo():
                within_limits(item.syntax.name, checker, lambda item=item: check_members(item, checker))
            case KernelInfo():
                within_limits(item.syntax.name, checker, lambda item=item: check_kernel(item, checker))
            case FunctionInfo():
                within_limits(item.syntax.name, checker, lambda item=item: check_signature(item, checker))
            case _:
                pass
    check_struct_cycles(_of_kind(info, StructInfo), checker)
    check_block_cycles(_of_kind(info, BlockInfo), checker)


def assemble(checker: Checker) -> Program:
    """The product: frozen declarations by module and by name."""
    modules = tuple(_assemble_module(info) for info in checker.modules)
    return Program(
        modules,
        {block.key: block for module in modules for block in module.blocks},
        {function.name: function for module in modules for function in module.functions},
        {f"{struct.module}::{struct.name}": struct for module in modules for struct in module.structs},
        {f"{enum.module}::{enum.name}": enum for module in modules for enum in module.enums},
        {f"{const.module}::{const.name}": const for module in modules for const in module.constants},
    )


def _assemble_module(info: ModuleInfo) -> Module:
    return Module(
        info.name,
        info.module.source.path,
        tuple(const.const for const in _of_kind(info, ConstInfo) if const.const is not None),
        tuple(struct.decl for struct in _of_kind(info, StructInfo) if struct.decl is not None),
        tuple(enum.decl for enum in _of_kind(info, EnumInfo) if enum.decl is not None),
        tuple(block.decl for block in _of_kind(info, BlockInfo) if block.decl is not None),
        tuple(_functions(info)),
    )


def _functions(info: ModuleInfo) -> Iterator[Function]:
    """Functions and kernels in the order declared."""
    for item in info.declarations:
        if isinstance(item, FunctionInfo | KernelInfo) and item.function is not None:
            yield item.function
