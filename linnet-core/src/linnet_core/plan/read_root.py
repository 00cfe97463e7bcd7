"""The root and the manifest of a plan that is read, against its blocks.

In: the module read from a plan and the two fields.  Out: nothing, or `DocumentError` that names the first place that does not follow from
the blocks.
"""

from __future__ import annotations

from json import dumps
from typing import TYPE_CHECKING, Any

from linnet_core.errors import DocumentError, SourceError
from linnet_core.plan.dims import DimWriter
from linnet_core.plan.types import TypeWriter
from linnet_core.plan.write import block_keys, write_manifest, write_root
from linnet_core.schema.fields import fail, list_at, object_at, text_at

if TYPE_CHECKING:
    from linnet_core.check.program import Block
    from linnet_core.ir.module import Module


def check_root(module: Module, root: Any, manifest: Any) -> None:
    """Compare `root` and `manifest` with what the blocks of `module` give."""
    given = list_at(manifest, "manifest")
    if root is None:
        if given:
            fail("manifest", "should be empty where there is no root")
        return
    object_at(root, "root", ("name", "generics", "constraints"))
    block, key = _named(module, text_at(root["name"], "root.name"))
    types = TypeWriter(DimWriter())
    for name, wanted in write_root(block, key, types).items():
        if _text(root[name]) != _text(wanted):
            fail(f"root.{name}", f"is not that of block `{key}`")
    try:
        entries = write_manifest(module, block, types)
    except SourceError as error:
        raise DocumentError(f"manifest: {error.diagnostics[0].message}") from error
    for at, (one, wanted) in enumerate(zip(given, entries, strict=False)):
        if _text(one) != _text(wanted):
            fail(f"manifest[{at}]", f"is not `{wanted['path']}` as the blocks declare it")
    if len(given) != len(entries):
        fail("manifest", f"has {len(given)} entries; the blocks declare {len(entries)}")


def _named(module: Module, name: str) -> tuple[Block, str]:
    """The block of the root file that has this key in the document."""
    for key, shown in block_keys(module).items():
        if shown == name and module.blocks[key].module == module.name:
            return module.blocks[key], shown
    fail("root.name", f"there is no block `{name}` of `{module.name}`")


def _text(value: Any) -> str:
    """JSON that differs wherever the documents do: in Python `True == 1 == 1.0`."""
    return dumps(value, sort_keys=True)
