"""`linnet.toml`: what it gives, and everything that can be wrong with it, at its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from linnet_core.errors import UsageError
from linnet_core.modules.manifest import Manifest, read_manifest
from linnet_core.text.diagnostic import Diagnostics

Folder = Callable[[dict[str, str]], Path]

RIGHT = """\
# a package
[package]
name = "shop"
version = "1.2.3"
language = "0.1"

[dependencies]
ops = { path = "../ops" }

[dependencies.more]
path = "vendor/more"

[presets.tiny]
H = 64
T = "f32"
S = [2, 3]
E = []

[presets.none]
"""


def manifest(folder: Folder, text: str) -> tuple[Manifest | None, list[tuple[str, int, str, str, str | None]]]:
    folder({"p/linnet.toml": text})
    diagnostics = Diagnostics()
    found = read_manifest("p", diagnostics)
    complaints = []
    for d in diagnostics.found:
        assert d.span is not None
        assert d.span.source.path == "p/linnet.toml"
        complaints.append((d.code, d.span.source.position(d.span.start).line, d.span.text, d.message, d.help))
    return found, complaints


@pytest.mark.parametrize(
    ("written", "name"),
    [
        pytest.param("my-shop", "my_shop", id="a hyphen"),
        pytest.param("llama-3.1-8b", "llama_3_1_8b", id="points and hyphens"),
        pytest.param("2d", "_2d", id="a first digit"),
        pytest.param("std-lib", "std_lib", id="std and more"),
    ],
)
def test_a_package_may_be_called_what_its_modules_cannot(folder: Folder, written: str, name: str) -> None:
    found, complaints = manifest(folder, RIGHT.replace('"shop"', f'"{written}"'))
    assert complaints == []
    assert found is not None
    assert found.name == name


def test_keys_without_their_table_are_one_mistake(folder: Folder) -> None:
    _, complaints = manifest(folder, RIGHT.replace("[package]\n", ""))
    assert [(line, message) for _, line, _, message, _ in complaints] == [(1, "the table `[package]` is missing")]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(RIGHT, id="LF"),
        pytest.param(RIGHT.replace("\n", "\r\n"), id="CR LF"),
        pytest.param("\ufeff" + RIGHT, id="byte order mark"),
    ],
)
def test_a_manifest_gives_package_dependencies_and_presets(folder: Folder, text: str) -> None:
    found, complaints = manifest(folder, text)
    assert complaints == []
    assert found is not None
    assert (found.directory, found.name, found.version, found.language) == ("p", "shop", "1.2.3", "0.1")
    assert found.dependencies == {"ops": "ops", "more": "p/vendor/more"}
    assert found.presets == {"tiny": {"H": 64, "T": "f32", "S": [2, 3], "E": []}, "none": {}}


def test_the_place_of_a_key_can_be_asked_for(folder: Folder) -> None:
    found, _ = manifest(folder, RIGHT)
    assert found is not None
    places = [
        found.span("package", "name"),
        found.span("presets", "tiny", "S"),
        found.span("presets", "none"),
        found.span("dependencies", "more"),
    ]
    assert [(place.text, found.source.position(place.start).line) for place in places] == [
        ("name", 3),
        ("S", 16),
        ("[presets.none]", 19),
        ("[dependencies.more]", 10),
    ]
    assert found.span("presets", "tiny", "Missing").text == "[presets.tiny]"


def with_line(line: str, table: str = "package") -> str:
    """The right manifest with one more line in a table."""
    return RIGHT.replace(f"[{table}]\n", f"[{table}]\n{line}\n")


@pytest.mark.parametrize(
    ("text", "line", "at", "message", "help"),
    [
        pytest.param("name = ", 1, "", "invalid value", None, id="no value"),
        pytest.param("[package\nname = 1", 1, "", "expected ']' at the end of a table declaration", None, id="an open table"),
        pytest.param(RIGHT.replace('"1.2.3"', '"1.2.3'), 4, "", "illegal character '\\n'", None, id="an open string"),
        pytest.param(with_line('name = "again"'), 4, "", "cannot overwrite a value", None, id="a key twice"),
        pytest.param(
            "", 1, "", "the table `[package]` is missing", 'it holds `name`, `version` and `language = "0.1"`', id="an empty file"
        ),
        pytest.param(
            RIGHT.replace('version = "1.2.3"\n', ""), 2, "[package]", "`version` is missing in `[package]`", None, id="no version"
        ),
        pytest.param(
            RIGHT.replace('"1.2.3"', "1.2"),
            4,
            "version",
            "`version` is a string that is not empty, not a float",
            None,
            id="a number for a version",
        ),
        pytest.param(
            RIGHT.replace('"shop"', '""'), 3, "name", "`name` is a string that is not empty, not an empty string", None, id="an empty name"
        ),
        pytest.param(
            RIGHT.replace('"shop"', '"my shop"'),
            3,
            "name",
            "a package is named by an identifier that is no keyword, not `my shop`",
            "for example `my_shop`",
            id="a name with a space",
        ),
        pytest.param(
            RIGHT.replace('"shop"', '"-"'),
            3,
            "name",
            "a package is named by an identifier that is no keyword, not `-`",
            "for example `_`",
            id="a name of nothing",
        ),
        pytest.param(
            RIGHT.replace('"shop"', '"block"'),
            3,
            "name",
            "a package is named by an identifier that is no keyword, not `block`",
            "for example `block_`",
            id="a keyword",
        ),
        pytest.param(
            RIGHT.replace('"shop"', '"std"'), 3, "name", "a package is named by an identifier that is no keyword, not `std`", None, id="std"
        ),
        pytest.param(
            RIGHT.replace('"0.1"', '"0.2"'),
            5,
            "language",
            "language `0.2` is unknown",
            'these tools read `language = "0.1"`',
            id="language",
        ),
        pytest.param(with_line('naem = "x"'), 3, "naem", "unknown key `naem` in `[package]`", "did you mean `name`?", id="a misspelt key"),
        pytest.param(
            with_line('authors = "x"'),
            3,
            "authors",
            "unknown key `authors` in `[package]`",
            "the keys are `name`, `version`, `language`",
            id="an unknown key",
        ),
        pytest.param(RIGHT + "[dependency]\n", 20, "[dependency]", "unknown table `dependency`", None, id="an unknown table"),
        pytest.param(
            RIGHT + "[preset.tiny]\n", 20, "[preset.tiny]", "unknown table `preset`", "did you mean `presets`?", id="a misspelt table"
        ),
        pytest.param('package = "x"', 1, "package", "`package` is a table, not a string", None, id="package is no table"),
        pytest.param(
            with_line('async = { path = "x" }', "dependencies"),
            8,
            "async",
            "a dependency is named by an identifier that is no keyword, not `async`",
            None,
            id="a dependency named like a reserved word",
        ),
        pytest.param(
            with_line('std = { path = "x" }', "dependencies"),
            8,
            "std",
            "a dependency is named by an identifier that is no keyword, not `std`",
            None,
            id="a dependency named std",
        ),
        pytest.param(
            with_line('crate = { path = "x" }', "dependencies"),
            8,
            "crate",
            "a dependency is named by an identifier that is no keyword, not `crate`",
            None,
            id="a dependency named crate",
        ),
        pytest.param(
            with_line('x = "1.0"', "dependencies"),
            8,
            "x",
            "the dependency `x` has no path",
            'write `x = { path = "../x" }`',
            id="a version alone",
        ),
        pytest.param(
            with_line('x = { path = "a", git = "b" }', "dependencies"),
            8,
            "x",
            "unknown key `git` in the dependency `x`",
            "a dependency has a `path` and nothing else",
            id="another key of a dependency",
        ),
        pytest.param(
            with_line("x = { path = 3 }", "dependencies"),
            8,
            "x",
            "the path of the dependency `x` is a string, not the integer 3",
            None,
            id="a path",
        ),
        pytest.param(with_line("D = true", "presets.tiny"), 14, "D", "`D` is bound to a bool", None, id="a bool binding"),
        pytest.param(with_line("D = 1.5", "presets.tiny"), 14, "D", "`D` is bound to a float", None, id="a float binding"),
        pytest.param(with_line("D = -1", "presets.tiny"), 14, "D", "`D` is bound to the integer -1", None, id="a negative size"),
        pytest.param(
            with_line('D = [1, "x"]', "presets.tiny"),
            14,
            "D",
            "`D` is bound to a list with something else than sizes in it",
            None,
            id="a list of others",
        ),
        pytest.param(with_line("D = 1979-05-27", "presets.tiny"), 14, "D", "`D` is bound to a date or time", None, id="a date"),
        pytest.param(
            with_line("D = 9223372036854775808", "presets.tiny"),
            14,
            "D",
            "`D` is bound to an integer beyond 64 bits",
            None,
            id="a size beyond 64 bits",
        ),
        pytest.param(
            RIGHT.replace("[presets.none]", "[presets]\nflat = 3"),
            20,
            "flat",
            "`presets.flat` is a table, not the integer 3",
            None,
            id="a flat preset",
        ),
        pytest.param("x = " + "[" * 10_000, 1, "", "values are nested too deeply", None, id="nesting"),
        pytest.param("#" * 2**20 + "\n", 1, "", "the file has more than 1048576 characters", None, id="a large file"),
        pytest.param(
            "# a comment " + "." * 2000 + "\n" + ".".join("a" * 100_000) + " = 1",
            2,
            "a",
            "a line has more than 1000 dots",
            None,
            id="a long key",
        ),
    ],
)
def test_what_is_wrong_is_e5001_at_its_place(folder: Folder, text: str, line: int, at: str, message: str, help: str | None) -> None:
    found, complaints = manifest(folder, text)
    assert found is None
    assert [c[:4] for c in complaints] == [("E5001", line, at, message)]
    assert complaints[0][4] is not None
    if help is not None:
        assert complaints[0][4] == help


def test_everything_wrong_is_reported_in_one_run(folder: Folder) -> None:
    text = '[package]\nname = 1\nversion = "1"\nlanguage = "9"\n[dependencies]\nx = 1\n[presets.a]\nT = {}\n[other]\n'
    found, complaints = manifest(folder, text)
    assert found is None
    assert sorted(c[1] for c in complaints) == [2, 4, 6, 8, 9]


def test_a_byte_that_is_not_utf_8_is_e5001_with_its_line(folder: Folder) -> None:
    (folder({}) / "linnet.toml").write_bytes(b'[package]\nname = "caf\xe9"\n')
    diagnostics = Diagnostics()
    assert read_manifest(".", diagnostics) is None
    (found,) = diagnostics.found
    assert found.code == "E5001"
    assert found.span is not None
    assert found.span.source.position(found.span.start).line == 2


def test_a_manifest_that_cannot_be_read_is_a_usage_error(folder: Folder) -> None:
    (folder({}) / "linnet.toml").mkdir()
    with pytest.raises(UsageError, match="is a directory"):
        read_manifest(".", Diagnostics())
