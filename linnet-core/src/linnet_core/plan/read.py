"""The plan document as Core IR.

In: a document as JSON values.  Out: the module it was written from (without spans), verified, or `DocumentError` that names the place.
`root` and `manifest` follow from the rest: they are compared with it and not kept; writing the module again gives the same bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linnet_core.errors import DocumentError, InternalError
from linnet_core.ir.lower_body import MAX_REGION_DEPTH
from linnet_core.ir.module import Constant, Function, KernelUse, Launch, Module, Op, Region, Value
from linnet_core.ir.ops import OPS
from linnet_core.ir.verify import verify
from linnet_core.plan.attributes import read_attribute
from linnet_core.plan.declarations import dtype_classes, read_block, read_constraints, read_enum, read_generics, read_struct
from linnet_core.plan.dims import read_dim
from linnet_core.plan.read_root import check_root
from linnet_core.plan.types import TypeReader
from linnet_core.plan.write import VERSION
from linnet_core.schema.fields import bool_at, fail, integer_at, list_at, mapping_at, object_at, text_at, tuple_at, word_at

if TYPE_CHECKING:
    from linnet_core.check.program import Block

_FIELDS = ("version", "module", "root", "manifest", "blocks", "functions", "constants")
_LAUNCH_FIELDS = ("grid", "warps", "stages", "outputs")
_FUNCTION_FIELDS = ("name", "kind", "block", "pub", "generics", "constraints", "results", "states", "body")


def read_plan(document: Any) -> Module:
    """The module of a plan; `DocumentError` for anything that is no plan of version 1, or whose functions break the rules of the IR."""
    fields = object_at(document, "", _FIELDS, ("structs", "enums"))
    if integer_at(fields["version"], "version") != VERSION:
        fail("version", f"is {fields['version']}; this reader knows version {VERSION}")
    types = TypeReader(dtype_classes(_generic_lists(fields)))
    blocks, keys = _read_blocks(fields["blocks"], types)
    reader = _Reader(types, keys)
    structs = tuple_at(fields.get("structs", []), "structs", lambda value, at: read_struct(value, at, types))
    enums = tuple_at(fields.get("enums", []), "enums", lambda value, at: read_enum(value, at, types))
    module = Module(
        text_at(fields["module"], "module"),
        blocks,
        _by_name("functions", [(function.name, function) for function in tuple_at(fields["functions"], "functions", reader.function)]),
        _by_name("constants", [(constant.name, constant) for constant in tuple_at(fields["constants"], "constants", reader.constant)]),
        _by_name("structs", [(f"{struct.module}::{struct.name}", struct) for struct in structs]),
        _by_name("enums", [(f"{enum.module}::{enum.name}", enum) for enum in enums]),
    )
    try:
        verify(module)
    except InternalError as error:
        raise DocumentError(f"the plan breaks a rule of the Core IR: {error}") from error
    check_root(module, fields["root"], fields["manifest"])
    return module


def _by_name(where: str, items: list[tuple[str, Any]]) -> dict[str, Any]:
    """Items by their names, which must differ."""
    found: dict[str, Any] = {}
    for n, (name, item) in enumerate(items):
        if name in found:
            fail(f"{where}[{n}]", f"a second `{name}`")
        found[name] = item
    return found


def _generic_lists(fields: dict[str, Any]) -> list[tuple[Any, str]]:
    """Every list of generics of the document, with its place."""
    owners: list[tuple[Any, str]] = []
    if isinstance(fields["blocks"], dict):
        owners += [(block, f"blocks.{key}") for key, block in fields["blocks"].items()]
    for name in ("functions", "structs", "enums"):
        owners += [(item, f"{name}[{n}]") for n, item in enumerate(list_at(fields.get(name, []), name))]
    return [(item["generics"], f"{at}.generics") for item, at in owners if isinstance(item, dict) and "generics" in item]


def _read_blocks(value: Any, types: TypeReader) -> tuple[dict[str, Block], dict[str, str]]:
    """Blocks by `module::Name`, and that name by the document's key."""
    blocks: dict[str, Block] = {}
    keys: dict[str, str] = {}
    taken: set[str] = set()
    for key, item in mapping_at(value, "blocks").items():
        block = read_block(key, item, f"blocks.{key}", types)
        if block.key in blocks:
            fail(f"blocks.{key}", f"is a second key of block `{block.key}`")
        if key != (block.key if block.name in taken else block.name):
            fail(f"blocks.{key}", f"is not the key of block `{block.key}`: that is its name, or `module::Name` after another of that name")
        taken.add(block.name)
        blocks[block.key] = block
        keys[key] = block.key
    return blocks, keys


class _Reader:
    """Reads functions and constants; `known` holds the values of the function being read, by id."""

    def __init__(self, types: TypeReader, keys: dict[str, str]) -> None:
        self.types = types
        self.keys = keys
        self.known: dict[int, Value] = {}

    def function(self, value: Any, where: str) -> Function:
        is_kernel = isinstance(value, dict) and value.get("kind") == "kernel"
        fields = object_at(value, where, _FUNCTION_FIELDS + _LAUNCH_FIELDS * is_kernel, () if is_kernel else ("grad", "kernel"))
        types = self.types
        self.known = {}
        key = fields["block"]
        if key is not None and text_at(key, f"{where}.block") not in self.keys:
            fail(f"{where}.block", f"there is no block `{key}`")
        return Function(
            name=text_at(fields["name"], f"{where}.name"),
            kind=word_at(fields["kind"], f"{where}.kind", ("fn", "op", "entry", "kernel")),
            block=None if key is None else self.keys[key],
            public=bool_at(fields["pub"], f"{where}.pub"),
            generics=read_generics(fields["generics"], f"{where}.generics", types),
            constraints=read_constraints(fields["constraints"], f"{where}.constraints"),
            results=tuple_at(fields["results"], f"{where}.results", types.type),
            states=tuple_at(fields["states"], f"{where}.states", text_at),
            body=self.region(fields["body"], f"{where}.body"),
            grad=self.region(fields["grad"], f"{where}.grad") if "grad" in fields else None,
            kernel=self.kernel(fields["kernel"], f"{where}.kernel") if "kernel" in fields else None,
            launch=self.launch(fields, where) if is_kernel else None,
        )

    def launch(self, fields: dict[str, Any], where: str) -> Launch:
        grid = tuple_at(fields["grid"], f"{where}.grid", read_dim)
        counts = {name: integer_at(fields[name], f"{where}.{name}") for name in _LAUNCH_FIELDS[1:]}
        return Launch(counts["outputs"], grid, counts["warps"], counts["stages"])

    def kernel(self, value: Any, where: str) -> KernelUse:
        fields = object_at(value, where, ("name", "generics"))
        return KernelUse(text_at(fields["name"], f"{where}.name"), tuple_at(fields["generics"], f"{where}.generics", self.types.arg))

    def constant(self, value: Any, where: str) -> Constant:
        fields = object_at(value, where, ("name", "pub", "type", "contextual", "body"))
        self.known = {}
        return Constant(
            text_at(fields["name"], f"{where}.name"),
            bool_at(fields["pub"], f"{where}.pub"),
            self.types.type(fields["type"], f"{where}.type"),
            bool_at(fields["contextual"], f"{where}.contextual"),
            self.region(fields["body"], f"{where}.body"),
        )

    def region(self, value: Any, where: str, depth: int = 0) -> Region:
        if depth > MAX_REGION_DEPTH:
            fail(where, f"regions more than {MAX_REGION_DEPTH} levels deep")
        fields = object_at(value, where, ("args", "ops"))
        args = tuple_at(fields["args"], f"{where}.args", self.value)
        # By a loop, and in `op` too: two calls a level leave room on the stack for what stands at the deepest.
        ops: list[Op] = []
        for n, op in enumerate(list_at(fields["ops"], f"{where}.ops")):
            ops.append(self.op(op, f"{where}.ops[{n}]", depth))
        return Region(args, tuple(ops))

    def value(self, value: Any, where: str) -> Value:
        fields = object_at(value, where, ("id", "name", "type"))
        id = integer_at(fields["id"], f"{where}.id")
        if id in self.known:
            fail(f"{where}.id", f"value {id} is defined twice")
        made = Value(id, text_at(fields["name"], f"{where}.name"), self.types.type(fields["type"], f"{where}.type"))
        self.known[id] = made
        return made

    def op(self, value: Any, where: str, depth: int) -> Op:
        fields = object_at(value, where, ("kind", "operands", "results", "attrs", "regions"))
        kind = text_at(fields["kind"], f"{where}.kind")
        row = OPS.get(kind)
        if row is None:
            fail(f"{where}.kind", f"`{kind}` is no kind of operation")
        required = tuple(attr.name for attr in row.attrs if not attr.optional)
        attrs = object_at(fields["attrs"], f"{where}.attrs", required, tuple(attr.name for attr in row.attrs if attr.optional))
        operands = tuple_at(fields["operands"], f"{where}.operands", self.operand)
        # Regions before results: an operation's own regions cannot use them.
        regions: list[Region] = []
        for n, region in enumerate(list_at(fields["regions"], f"{where}.regions")):
            regions.append(self.region(region, f"{where}.regions[{n}]", depth + 1))
        results = tuple_at(fields["results"], f"{where}.results", self.value)
        read = {a.name: read_attribute(a.kind, attrs[a.name], f"{where}.attrs.{a.name}", self.types) for a in row.attrs if a.name in attrs}
        return Op(kind, operands, results, read, tuple(regions))

    def operand(self, value: Any, where: str) -> Value:
        id = integer_at(value, where)
        if id not in self.known:
            fail(where, f"value {id} is not defined before its use")
        return self.known[id]
