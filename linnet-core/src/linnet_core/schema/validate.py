"""Validating documents: quickly, and with an explanation when something is wrong.

In: a document as Python values, or JSON text from a stranger.  Out: nothing, or `DocumentError` that names the place and the fault.
jsonschema-rs decides; jsonschema is imported only to explain a failure, and the JSON reader only for a stranger's text: a command that
prints a document of its own needs neither.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING, Any

from linnet_core.errors import DocumentError
from linnet_core.schema.find import all_schemas, find, recognise

if TYPE_CHECKING:
    from collections.abc import Iterable


def validate(document: Any, name: str) -> None:
    """Check `document` against the schema `name`; `DocumentError` with the first few faults otherwise."""
    if not _validator(name).is_valid(document):
        raise DocumentError(_explain(document, name))


def _validate_strictly(document: Any, name: str) -> None:
    """As `validate`, and 1.0 is no integer, though JSON Schema takes it for one: an id or a size is written without a point."""
    if not _validator(name).is_valid(_without_whole_floats(document)):
        raise DocumentError(_explain(document, name))


def _without_whole_floats(document: Any) -> Any:
    """The same document with 0.5 for floats of a whole value, so that a place for integers refuses them.  Nesting takes no stack."""
    copy: list[Any] = [document]
    pending: list[Any] = [copy]
    while pending:
        holder = pending.pop()
        for key, value in holder.items() if isinstance(holder, dict) else enumerate(holder):
            if isinstance(value, dict | list):
                holder[key] = value.copy()
                pending.append(holder[key])
            elif isinstance(value, float) and value.is_integer():
                holder[key] = 0.5
    return copy[0]


def parse(text: str | bytes) -> Any:
    """JSON from a stranger: no NaN, no numbers beyond their type, no key twice, no depth that breaks a reader."""
    import json

    try:
        decoded = text if isinstance(text, str) else text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentError(f"not UTF-8 at byte {error.start}") from None
    try:
        return json.loads(decoded, object_pairs_hook=_no_duplicates, parse_constant=_no_constant, parse_float=_finite)
    except json.JSONDecodeError as error:
        if not decoded.strip():
            raise DocumentError("not JSON: there is nothing in it") from None
        raise DocumentError(f"not JSON at line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise DocumentError("nested too deeply to be read (about 900 levels are)") from None
    except ValueError:  # an integer of more digits than Python converts
        raise DocumentError(f"not a document: a number has more than {sys.get_int_max_str_digits()} digits") from None


def validate_text(text: str | bytes) -> tuple[str, Any]:
    """Parse and check a document of any family; the name of its schema, and the document.  `DocumentError` otherwise."""
    document = parse(text)
    name = recognise(document)
    if name is None:
        known = ", ".join(all_schemas())
        raise DocumentError(f"this is none of the documents known here ({known})")
    _validate_strictly(document, name)
    return name, document


@cache
def _validator(name: str) -> Any:
    import jsonschema_rs

    return jsonschema_rs.validator_for(find(name).parsed())


def _explain(document: Any, name: str) -> str:
    """The faults in words: place in the document, what is wrong, at most five."""
    import jsonschema
    from jsonschema.validators import extend

    types = jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer)
    validator = extend(jsonschema.Draft202012Validator, type_checker=types)(find(name).parsed())
    try:
        errors = list(_deepest(validator.iter_errors(document)))
    except RecursionError:  # the other validator has no such limit, and says less
        errors = []
    if not errors:
        first = next(iter(_validator(name).iter_errors(_without_whole_floats(document))))
        return f"{_place(first.instance_path)}: {first.message}"
    lines = [f"{_place(e.absolute_path)}: {_message(e)}" for e in errors[:5]]
    if len(errors) > 5:
        lines.append(f"and {len(errors) - 5} more")
    return "; ".join(lines)


def _deepest(errors: Iterable[Any]) -> Iterable[Any]:
    """Errors of the innermost schemas: an `allOf` or `if` error is replaced by what it stands for."""
    for error in errors:
        if error.context:
            yield from _deepest(error.context)
        else:
            yield error


def _is_integer(_checker: Any, value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _message(error: Any) -> str:
    text = " ".join(str(error.message).split())
    return text if len(text) <= 300 else text[:297] + "..."


def _place(path: Iterable[Any]) -> str:
    """`nodes[3].operands[0]`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text or "the document"


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                import json

                raise DocumentError(f"the key {json.dumps(key)} stands twice in one object")
            seen.add(key)
    return found


def _no_constant(word: str) -> Any:
    raise DocumentError(f"{word} is no JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise DocumentError(f"{text} is beyond the range of a number")
    return value
