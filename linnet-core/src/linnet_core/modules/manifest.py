"""`linnet.toml` to `Manifest`.

In: the directory of a package.  Out: `Manifest`, or None and E5001 for everything that is wrong with the file.  The reader
of TOML gives no places, so those of keys are found again in the text.
"""

from __future__ import annotations

from os import path as paths
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from linnet_core.syntax.tokens import KEYWORDS, RESERVED
from linnet_core.text.near import did_you_mean
from linnet_core.text.source import Source, read
from linnet_core.text.span import Span

if TYPE_CHECKING:
    from linnet_core.text.diagnostic import Diagnostics

NAME = "linnet.toml"
#: The language these tools read.
LANGUAGE = "0.1"
#: The reader of TOML takes time for a dotted key as the square of its parts.
MOST_DOTS = 1000
#: And a second for every mebibyte.
MOST_CHARACTERS = 2**20
_PACKAGE_KEYS = ("name", "version", "language")
_TABLES = ("package", "dependencies", "presets")
_EXAMPLES = {"name": '"model"', "version": '"0.1.0"', "language": f'"{LANGUAGE}"'}
_ONLY = f"a manifest holds the tables {', '.join(f'`[{name}]`' for name in _TABLES)} and no more"

#: A binding of a preset: an integer for a dimension, a name for a dtype, a list for a pack.
Binding = int | str | list[int]


class Manifest(Struct, frozen=True, eq=False):
    """A package as its `linnet.toml` describes it."""

    #: The package's directory, as it is shown.
    directory: str
    source: Source
    name: str
    version: str
    language: str
    #: Key to the directory of the dependency, joined to the package's own.
    dependencies: dict[str, str]
    presets: dict[str, dict[str, Binding]]

    def span(self, *keys: str) -> Span:
        """The place of a key, given with the tables around it (`"presets", "tiny", "H"`); of its table if it has none."""
        return key_span(self.source, keys)


def read_manifest(directory: str, diagnostics: Diagnostics) -> Manifest | None:
    """The manifest in `directory`; raises `UsageError` when the file cannot be read at all."""
    before = len(diagnostics.found)
    source = read(paths.normpath(paths.join(directory, NAME)), diagnostics, code="E5001")
    if len(diagnostics.found) > before:
        return None
    document = _parse(source, diagnostics)
    if document is None:
        return None
    reader = _Reader(source, diagnostics)
    manifest = reader.manifest(directory, document)
    return None if reader.failed else manifest


def _parse(source: Source, diagnostics: Diagnostics) -> dict[str, Any] | None:
    """The document as plain values."""
    import tomllib

    if not _is_readable(source, diagnostics):
        return None
    try:
        return tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        message, span = _decode_fault(source, str(error))
        diagnostics.report("E5001", message, span, help='a line is `[table]` or `key = value`, with strings in quotes: `name = "model"`')
    except (ValueError, RecursionError) as error:
        message = "values are nested too deeply" if isinstance(error, RecursionError) else "a number is too large"
        diagnostics.report("E5001", message, Span(source, 0, 0), help=_ONLY)
    return None


def _is_readable(source: Source, diagnostics: Diagnostics) -> bool:
    """Whether the reader of TOML would be done with the text soon."""
    if len(source.text) > MOST_CHARACTERS:
        diagnostics.report("E5001", f"the file has more than {MOST_CHARACTERS} characters", Span(source, 0, 0), help=_ONLY)
        return False
    at = 0
    for line in source.text.split("\n"):
        if line.partition("#")[0].count(".") > MOST_DOTS:
            diagnostics.report("E5001", f"a line has more than {MOST_DOTS} dots", Span(source, at, at + 1), help=_ONLY)
            return False
        at += len(line) + 1
    return True


def _decode_fault(source: Source, text: str) -> tuple[str, Span]:
    """The reader's message without its place, and the place."""
    message, _, place = text.rpartition(" (at ")
    if place.startswith("line "):
        line, _, column = place.removeprefix("line ").rstrip(")").partition(", column ")
        starts = source.line_starts
        offset = starts[min(int(line), len(starts)) - 1] + int(column) - 1
    else:
        message, offset = message or text, len(source.text.rstrip())
    end = offset + 1 if source.text[offset : offset + 1].strip() else offset
    return f"{message[:1].lower()}{message[1:]}", Span(source, min(offset, len(source.text)), min(end, len(source.text)))


class _Reader:
    """Checks a document key by key; `failed` when anything was complained about."""

    def __init__(self, source: Source, diagnostics: Diagnostics) -> None:
        self.source = source
        self.diagnostics = diagnostics
        self.failed = False

    def complain(self, message: str, *keys: str, help: str | None = None) -> None:
        """Report E5001 at a key."""
        self.failed = True
        self.diagnostics.report("E5001", message, key_span(self.source, keys), help=help)

    def manifest(self, directory: str, document: dict[str, Any]) -> Manifest:
        """The manifest; what is wrong is left out of it."""
        headless = "package" not in document
        for table in document:
            if table not in _TABLES and not (headless and table in _PACKAGE_KEYS):
                known = ", ".join(f"`[{name}]`" for name in _TABLES)
                help = did_you_mean(table, _TABLES) or f"the tables are {known}"
                self.complain(f"unknown table `{table}`", table, help=help)
        package = self.table(document, "package")
        if headless:
            self.complain("the table `[package]` is missing", help='it holds `name`, `version` and `language = "0.1"`')
        for key in package:
            if key not in _PACKAGE_KEYS:
                known = ", ".join(f"`{name}`" for name in _PACKAGE_KEYS)
                self.complain(
                    f"unknown key `{key}` in `[package]`", "package", key, help=did_you_mean(key, _PACKAGE_KEYS) or f"the keys are {known}"
                )
        name, version, language = (self.text(package, key, required=not headless) for key in _PACKAGE_KEYS)
        if _is_title(name):
            name = identifier(name)
        elif name and not is_name(name):
            help = f"for example `{identifier(name)}`"
            self.complain(f"a package is named by an identifier that is no keyword, not `{name}`", "package", "name", help=help)
        if language and language != LANGUAGE:
            self.complain(f"language `{language}` is unknown", "package", "language", help=f'these tools read `language = "{LANGUAGE}"`')
        return Manifest(directory, self.source, name, version, language, self.dependencies(directory, document), self.presets(document))

    def table(self, parent: dict[str, Any], *keys: str) -> dict[str, Any]:
        """The table at the last of `keys`; empty when it is missing or something else."""
        value = parent.get(keys[-1], {})
        if isinstance(value, dict):
            return value
        self.complain(f"`{'.'.join(keys)}` is a table, not {_kind(value)}", *keys, help=f"write `[{'.'.join(keys)}]`, and its keys below")
        return {}

    def text(self, package: dict[str, Any], key: str, *, required: bool) -> str:
        """A string of `[package]`."""
        if key not in package:
            if required:
                self.complain(f"`{key}` is missing in `[package]`", "package", help=f"write `{key} = {_EXAMPLES[key]}`")
            return ""
        value = package[key]
        if isinstance(value, str) and value:
            return value
        self.complain(
            f"`{key}` is a string that is not empty, not {_kind(value)}", "package", key, help=f"write `{key} = {_EXAMPLES[key]}`"
        )
        return ""

    def dependencies(self, directory: str, document: dict[str, Any]) -> dict[str, str]:
        """`key = { path = "..." }`."""
        found: dict[str, str] = {}
        for key, value in self.table(document, "dependencies").items():
            where = ("dependencies", key)
            if not is_name(key):
                help = f"for example `{identifier(key)}`"
                self.complain(f"a dependency is named by an identifier that is no keyword, not `{key}`", *where, help=help)
            elif not isinstance(value, dict) or "path" not in value:
                self.complain(f"the dependency `{key}` has no path", *where, help=f'write `{key} = {{ path = "../{key}" }}`')
            elif extra := [name for name in value if name != "path"]:
                self.complain(
                    f"unknown key `{extra[0]}` in the dependency `{key}`", *where, help="a dependency has a `path` and nothing else"
                )
            elif not isinstance(value["path"], str) or not value["path"] or "\0" in value["path"]:
                help = f'write `{key} = {{ path = "../{key}" }}`'
                self.complain(f"the path of the dependency `{key}` is a string, not {_kind(value['path'])}", *where, help=help)
            else:
                found[key] = paths.normpath(paths.join(directory, value["path"]))
        return found

    def presets(self, document: dict[str, Any]) -> dict[str, dict[str, Binding]]:
        """`[presets.NAME]` with bindings of generics."""
        found: dict[str, dict[str, Binding]] = {}
        presets = self.table(document, "presets")
        for name in presets:
            found[name] = {}
            for generic, value in self.table(presets, "presets", name).items():
                if self.is_binding(value):
                    found[name][generic] = value
                else:
                    self.complain(
                        f"`{generic}` is bound to {_kind(value)}",
                        "presets",
                        name,
                        generic,
                        help="a preset binds a size, a dtype's name, or a list of sizes",
                    )
        return found

    @staticmethod
    def is_binding(value: object) -> bool:
        """Whether `value` can stand for a dimension, a dtype or a pack."""
        match value:
            case bool():
                return False
            case int():
                return 0 <= value < 1 << 63
            case str():
                return value != ""
            case list():
                return all(isinstance(size, int) and not isinstance(size, bool) and 0 <= size < 1 << 63 for size in value)
            case _:
                return False


def is_name(text: str) -> bool:
    """Whether `text` can be the first name of an import path."""
    return text.isascii() and text.isidentifier() and text not in KEYWORDS and text not in RESERVED and text != "std"


def _is_title(text: str) -> bool:
    """Whether a package may be called `text` although no module can: `my-model`, `llama-3.1`, `2d`; `identifier` names its modules."""
    plain = text.replace("-", "_").replace(".", "_")
    return (plain != text or plain[:1].isdigit()) and plain.isascii() and plain.replace("_", "").isalnum()


def identifier(text: str) -> str:
    """A name that `is_name` takes and that is like `text`, which it does not take."""
    plain = "".join(character if character.isalnum() and character.isascii() else "_" for character in text)
    plain = f"_{plain}" if plain[:1].isdigit() else plain
    return plain if is_name(plain) else f"{plain}_"


def _kind(value: object) -> str:
    """What a value of TOML is, in words."""
    match value:
        case bool():
            return "a bool"
        case int():
            return f"the integer {value}" if abs(value) < 1 << 63 else "an integer beyond 64 bits"
        case float():
            return "a float"
        case str():
            return "a string" if value else "an empty string"
        case list():
            return "a list with something else than sizes in it" if value else "a list"
        case dict():
            return "a table"
        case _:
            return "a date or time"


def key_span(source: Source, keys: tuple[str, ...]) -> Span:
    """Where the key stands: the line that sets it, or the nearest table around it, or the start of the file."""
    best, depth = Span(source, 0, 0), 0
    table: tuple[str, ...] = ()
    offset = 0
    for line in source.text.split("\n"):
        stripped = line.strip()
        indent = len(line) - len(line.lstrip())
        if stripped.startswith("["):
            table = _key_parts(stripped.strip("[").partition("]")[0])
            here, length = table, stripped.find("]") + 1 or len(stripped)
        else:
            key, equals, _ = stripped.partition("=")
            here, length = (table + _key_parts(key), len(key.rstrip())) if equals and not stripped.startswith("#") else ((), 0)
        shared = min(len(here), len(keys))
        common = shared if here[:shared] == keys[:shared] else 0
        if common > depth:
            best, depth = Span(source, offset + indent, offset + indent + length), common
        offset += len(line) + 1
    return best


def _key_parts(text: str) -> tuple[str, ...]:
    """`a."b c".d` taken apart at its dots; a quoted part may hold dots."""
    parts: list[str] = []
    rest = text.strip()
    while rest:
        quote = rest[0] if rest[0] in "\"'" else None
        if quote is not None and (end := rest.find(quote, 1)) > 0:
            parts.append(rest[1:end])
            rest = rest[end + 1 :].lstrip().removeprefix(".").lstrip()
        else:
            part, _, rest = rest.partition(".")
            parts.append(part.strip())
            rest = rest.strip()
    return tuple(parts)
