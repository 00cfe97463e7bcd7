"""The Core IR as the plan document.

In: `ir.module.Module` and which block is the root.  Out: the document as JSON values (dicts, lists, strings, integers, booleans,
None), fields in the order of the format, so that equal modules print equal bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linnet_core.errors import UsageError
from linnet_core.ir.ops import OPS
from linnet_core.ir.roots import find_root
from linnet_core.plan.attributes import write_attribute
from linnet_core.plan.declarations import write_block, write_constraints, write_enum, write_generics, write_struct
from linnet_core.plan.dims import DimWriter
from linnet_core.plan.manifest import manifest
from linnet_core.plan.types import TypeWriter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linnet_core.check.program import Block
    from linnet_core.ir.module import Constant, Function, Module, Op, Region, Value
    from linnet_core.plan.manifest import ManifestEntry

VERSION = 1


def plan_document(module: Module, *, root: str | None = None, functions: bool = False) -> dict[str, Any]:
    """The plan of `module`.

    `root` names a block of the root file; by default the only one that declares an entry.  With `functions` there is no root and no
    manifest.  Raises `UsageError` for a root that is not there, not the only one, or given together with `functions`; `SourceError`
    (E6003) where a documented limit is exceeded.
    """
    if functions and root is not None:
        raise UsageError("--functions prints a plan without a root; leave out --root")
    types = TypeWriter(DimWriter())
    keys = block_keys(module)
    chosen = None if functions else find_root(module, root)
    writer = _Writer(types, keys)
    document: dict[str, Any] = {
        "version": VERSION,
        "module": module.name,
        "root": None if chosen is None else write_root(chosen, keys[chosen.key], types),
        "manifest": [] if chosen is None else write_manifest(module, chosen, types),
        "blocks": {keys[key]: write_block(block, types) for key, block in module.blocks.items()},
        "functions": [writer.function(function) for function in module.functions.values()],
        "constants": [writer.constant(constant) for constant in module.constants.values()],
    }
    if module.structs:
        document["structs"] = [write_struct(struct, types) for struct in module.structs.values()]
    if module.enums:
        document["enums"] = [write_enum(enum, types) for enum in module.enums.values()]
    return document


def block_keys(module: Module) -> dict[str, str]:
    """What each block (by `module::Name`) is keyed by in the document: its name; `module::Name` for a later block of that name."""
    taken: set[str] = set()
    keys: dict[str, str] = {}
    for key, block in module.blocks.items():
        keys[key] = key if block.name in taken else block.name
        taken.add(block.name)
    return keys


def write_root(block: Block, key: str, types: TypeWriter) -> dict[str, Any]:
    """The root block, by its key in `blocks`."""
    return {
        "name": key,
        "generics": write_generics(block.generics, types),
        "constraints": write_constraints(block.constraints, types),
    }


def write_manifest(module: Module, root: Block, types: TypeWriter) -> list[dict[str, Any]]:
    """Every parameter, buffer and state below the root."""
    return [_write_entry(entry, types) for entry in manifest(module, root)]


def _write_entry(entry: ManifestEntry, types: TypeWriter) -> dict[str, Any]:
    return {
        "path": entry.path,
        "kind": entry.kind,
        "dtype": types.dtype(entry.dtype),
        "shape": types.dims.shape(entry.shape),
        "repeat": [types.dims.dim(length) for length in entry.repeat],
        "optional": entry.optional,
    }


class _Writer:
    """Writes functions; `keys` are the keys of blocks."""

    def __init__(self, types: TypeWriter, keys: dict[str, str]) -> None:
        self.types = types
        self.keys = keys

    def function(self, function: Function) -> dict[str, Any]:
        types = self.types
        document: dict[str, Any] = {
            "name": function.name,
            "kind": function.kind,
            "block": None if function.block is None else self.keys[function.block],
            "pub": function.public,
            "generics": write_generics(function.generics, types),
            "constraints": write_constraints(function.constraints, types),
            "results": [types.type(result) for result in function.results],
            "states": list(function.states),
            "body": self.region(function.body),
        }
        if function.grad is not None:
            document["grad"] = self.region(function.grad)
        if function.launch is not None:
            document["grid"] = [types.dims.dim(size) for size in function.launch.grid]
            document["warps"] = function.launch.warps
            document["stages"] = function.launch.stages
            document["outputs"] = function.launch.outputs
        if function.kernel is not None:
            document["kernel"] = {"name": function.kernel.name, "generics": [types.arg(arg) for arg in function.kernel.args]}
        return document

    def constant(self, constant: Constant) -> dict[str, Any]:
        return {
            "name": constant.name,
            "pub": constant.public,
            "type": self.types.type(constant.type),
            "contextual": constant.contextual,
            "body": self.region(constant.body),
        }

    def region(self, region: Region) -> dict[str, Any]:
        return {"args": self.values(region.args), "ops": [self.op(op) for op in region.ops]}

    def values(self, values: Iterable[Value]) -> list[Any]:
        return [{"id": value.id, "name": value.name, "type": self.types.type(value.type)} for value in values]

    def op(self, op: Op) -> dict[str, Any]:
        rows = [row for row in OPS[op.kind].attrs if row.name in op.attrs]
        return {
            "kind": op.kind,
            "operands": [value.id for value in op.operands],
            "results": self.values(op.results),
            "attrs": {row.name: write_attribute(row.kind, op.attrs[row.name], self.types) for row in rows},
            "regions": [self.region(region) for region in op.regions],
        }
