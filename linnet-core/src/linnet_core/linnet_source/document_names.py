"""Whether every name of a plan can stand in source, and every module in a file of its own.

In: a plan that was read, as JSON values.  Out: nothing, or `DocumentError` that names the field.  A plan may have been written by anybody:
a name with a line break or a `}` would put words of its own into the source, a module path with `..` or `/` a file anywhere.
"""

from __future__ import annotations

from typing import Any

from linnet_core.check.reserved import PRELUDE
from linnet_core.linnet_source.names import is_identifier, may_be_declared
from linnet_core.modules.locate import STD
from linnet_core.schema.fields import fail

#: The key of an id, and what has it.
_IDS = {"sym": "generic", "packsize": "generic", "pack": "generic", "var": "generic"}
_NOMINAL = ("block", "struct", "enum")


def check_document_names(document: dict[str, Any]) -> None:
    """Refuse the first name, in the order of the document, that source cannot have."""
    _module_path(document["module"], "module")
    document = {key: value for key, value in document.items() if key not in ("root", "manifest")}  # these follow from the blocks
    generics = _declared_generics(document)
    items = _declared_items(document)
    receivers = _receivers(document)
    for where, value in _objects(document):
        if where not in receivers or value["name"] != "self":
            _object(value, where, generics, items)
    for at, function in enumerate(document["functions"]):
        _function(function, f"functions[{at}]")


def _receivers(document: dict[str, Any]) -> set[str]:
    """Where the blocks stand that methods are called on: nothing else may be named `self`, and source never names them."""
    return {
        f"functions[{at}].{field}.args[0]"
        for at, function in enumerate(document["functions"])
        if function["block"] is not None
        for field in ("body", "grad")
        if function.get(field, {}).get("args")
    }


def _declared_items(document: dict[str, Any]) -> set[str]:
    """The keys of blocks, structs and enums; their own names are checked."""
    found: set[str] = set()
    for key, block in document["blocks"].items():
        found.add(_item(block["module"], key.rpartition("::")[2], f"blocks.{key}", f"blocks.{key}.module"))
        _distinct([member["name"] for member in block["members"]], f"blocks.{key}.members")
    for family, parts in (("structs", "fields"), ("enums", "variants")):
        for at, item in enumerate(document.get(family, [])):
            where = f"{family}[{at}]"
            found.add(_item(item["module"], item["name"], f"{where}.name", f"{where}.module"))
            names = [part if isinstance(part, str) else part["name"] for part in item[parts]]
            for name in names:
                _require(is_identifier(name) and (name != "_" or parts != "variants"), f"{where}.{parts}", name)
            _distinct(names, f"{where}.{parts}")
    for family in ("functions", "constants"):
        keys = [item["name"] for item in document[family]]
        for at, key in enumerate(keys):
            module, _, path = key.partition("::")
            _item(module, path, f"{family}[{at}].name", f"{family}[{at}].name")
    return found


def _item(module: str, path: str, where: str, where_module: str) -> str:
    """The key of an item whose module and name can be written; names inside blocks are joined by points."""
    _module_path(module, where_module)
    for part in path.split("."):
        _require(may_be_declared(part), where, part)
    return f"{module}::{path}"


def _module_path(path: str, where: str) -> None:
    parts = path.split(".")
    if not all(map(is_identifier, parts)) or parts == [STD]:
        fail(where, f"`{_shown(path)}` is no path of a module: names joined by points")


def _require(good: bool, where: str, name: str) -> None:
    if good:
        return
    why = "is a name of the prelude" if name in PRELUDE else "is no name that source can have"
    fail(where, f"`{_shown(name)}` {why}")


def _distinct(names: list[str], where: str) -> None:
    for at, name in enumerate(names):
        if name in names[:at]:
            fail(where, f"two are named `{name}`")


def _shown(name: str) -> str:
    """A hostile name, short and in one line."""
    text = name.encode("unicode_escape").decode("ascii")
    return text if len(text) <= 60 else text[:57] + "..."


def _declared_generics(document: dict[str, Any]) -> dict[tuple[str, int], str]:
    """The name of each generic by its id."""
    found: dict[tuple[str, int], str] = {}
    for where, value in _objects(document):
        if value.get("kind") in ("dim", "shape", "dtype") and ("sym" in value or "var" in value):
            key = ("var", value["var"]) if "var" in value else ("sym", value["sym"])
            _require(may_be_declared(value["name"]), f"{where}.name", value["name"])
            if key in found:
                fail(where, f"a second generic has the id {key[1]}")
            found[key] = value["name"]
    return found


def _object(value: dict[str, Any], where: str, generics: dict[tuple[str, int], str], items: set[str]) -> None:
    """The names one object of the document has."""
    name, kind = value.get("name"), value.get("kind")
    if kind is None and len(value) == 2 and isinstance(name, str):
        for id in _IDS.keys() & value.keys():
            known = generics.get(("var" if id == "var" else "sym", value[id]))
            if known != name:
                fail(where, f"`{_shown(name)}` is not what generic {value[id]} is called")
        if "domain" in value:
            _require(may_be_declared(name), f"{where}.name", name)
    elif value.keys() == {"id", "name", "type"}:
        unread = name == "_" and where[where.rfind(".") :].startswith(".results[")
        _require(name == "" or (may_be_declared(str(name)) and not unread), f"{where}.name", str(name))
    elif kind in ("param", "buffer", "state", "sub") and "type" in value:
        _require(may_be_declared(str(name)), f"{where}.name", str(name))
    elif kind in _NOMINAL and "module" in value:
        key = f"{value['module']}::{name}"
        if key not in items:
            fail(where, f"there is no {kind} `{_shown(key)}`")
    elif kind == "const.float" and value["attrs"]["value"].lstrip("-") in ("inf", "nan"):
        fail(f"{where}.attrs.value", f"{value['attrs']['value']} has no literal in the language")


def _function(function: dict[str, Any], where: str) -> None:
    """A function's parameters have names, and a method is named after its block."""
    owner, _, _ = function["name"].rpartition(".") if "." in function["name"].partition("::")[2] else ("", "", "")
    block = function["block"]
    if block is None and owner:
        fail(f"{where}.name", "is that of a method, and `block` is null")
    if block is not None and owner.rpartition("::")[2] != block.rpartition("::")[2]:
        fail(f"{where}.name", f"is not that of a method of block `{_shown(block)}`")
    for field in ("body", "grad"):
        names = [arg["name"] for arg in function.get(field, {"args": []})["args"]][block is not None :]
        for at, name in enumerate(names):
            _require(may_be_declared(name), f"{where}.{field}.args[{at + (block is not None)}].name", name)
        _distinct(names, f"{where}.{field}.args")


def _objects(document: Any) -> list[tuple[str, dict[str, Any]]]:
    """Every object of the document with its place, in order; nesting takes no stack."""
    found: list[tuple[str, dict[str, Any]]] = []
    pending: list[tuple[str, Any]] = [("", document)]
    while pending:
        where, value = pending.pop()
        if isinstance(value, dict):
            found.append((where, value))
            children = [(f"{where}.{key}" if where else key, child) for key, child in value.items()]
        elif isinstance(value, list):
            children = [(f"{where}[{at}]", child) for at, child in enumerate(value)]
        else:
            continue
        pending.extend(reversed(children))
    return found
