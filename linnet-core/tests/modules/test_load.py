"""Root files to packages: what is found, under which name, in which order, and what is said when it is not."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from linnet_core.errors import UsageError
from linnet_core.modules.load import Package, load, load_many
from linnet_core.text.diagnostic import Diagnostic, Diagnostics

Folder = Callable[[dict[str, str]], Path]

PACKAGE = {
    "p/linnet.toml": "shop",
    "p/src/lib.linnet": "module shop\nuse crate.a\nuse crate.b.c::x\nuse std.nn.linear::Linear\n",
    "p/src/a.linnet": "module shop.a\nuse crate.b.c\n",
    "p/src/b/c.linnet": "module shop.b.c\npub const x = 1\n",
    "std/nn/linear.linnet": "module std.nn.linear\nuse std.linalg\n",
    "std/linalg.linnet": "module std.linalg\n",
}


def loaded(path: str, std: str | None = "std") -> Package:
    diagnostics = Diagnostics()
    package = load(path, std=std, diagnostics=diagnostics)
    assert [(d.code, d.message) for d in diagnostics.found] == []
    assert package is not None
    return package


def found_in(path: str, std: str | None = "std") -> list[Diagnostic]:
    diagnostics = Diagnostics()
    load(path, std=std, diagnostics=diagnostics)
    return list(diagnostics.found)


def places(found: list[Diagnostic]) -> list[tuple[str, str, int, str]]:
    return [(d.code, d.span.source.path, d.span.source.position(d.span.start).line, d.span.text) for d in found if d.span is not None]


def test_a_package_is_its_root_and_what_that_needs_each_after_its_imports(folder: Folder) -> None:
    folder(PACKAGE)
    package = loaded("p")
    assert [(m.name, m.source.path, m.origin) for m in package.modules] == [
        ("shop.b.c", "p/src/b/c.linnet", "package"),
        ("shop.a", "p/src/a.linnet", "package"),
        ("std.linalg", "std/linalg.linnet", "std"),
        ("std.nn.linear", "std/nn/linear.linnet", "std"),
        ("shop", "p/src/lib.linnet", "package"),
    ]
    assert package.root is package.modules[-1]
    assert package.manifest is not None
    assert package.manifest.name == "shop"
    assert [m.name for m in package.root_modules] == ["shop.b.c", "shop.a", "shop"]


def test_every_use_leads_to_its_module(folder: Folder) -> None:
    folder(PACKAGE)
    root = loaded("p").root
    assert [(use.path.text, module.name) for use, module in root.imports.items()] == [
        ("crate.a", "shop.a"),
        ("crate.b.c", "shop.b.c"),
        ("std.nn.linear", "std.nn.linear"),
    ]
    assert root.imports[root.tree.uses[1]] is root.imports[root.tree.uses[0]].imports[root.imports[root.tree.uses[0]].tree.uses[0]]


@pytest.mark.parametrize(
    ("given", "paths"),
    [
        pytest.param("p/src/lib.linnet", ["p/src/b/c.linnet", "p/src/a.linnet", "p/src/lib.linnet"], id="relative"),
        pytest.param("./p/src/lib.linnet", ["p/src/b/c.linnet", "p/src/a.linnet", "./p/src/lib.linnet"], id="the root prints as given"),
        pytest.param("p/src/a.linnet", ["p/src/b/c.linnet", "p/src/a.linnet"], id="a module of a package"),
        pytest.param("p/", ["p/src/b/c.linnet", "p/src/a.linnet", "p/src/lib.linnet"], id="a directory with a slash"),
    ],
)
def test_paths_print_as_they_were_given(folder: Folder, given: str, paths: list[str]) -> None:
    folder(PACKAGE)
    assert [m.source.path for m in loaded(given).root_modules] == paths
    absolute = loaded(os.path.abspath(given), std=os.path.abspath("std"))
    assert all(os.path.isabs(m.source.path) for m in absolute.modules)


@pytest.mark.parametrize(("inside", "given", "other"), [("p/src", "lib.linnet", "a.linnet"), ("p/src/b", "../lib.linnet", "../a.linnet")])
def test_paths_stay_relative_to_where_the_tool_runs(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, inside: str, given: str, other: str
) -> None:
    root = folder(PACKAGE)
    monkeypatch.chdir(root / inside)
    package = loaded(given, std=str(root / "std"))
    assert [os.path.realpath(m.source.path) for m in package.root_modules] == [
        str((root / "p/src" / name).resolve()) for name in ("b/c.linnet", "a.linnet", "lib.linnet")
    ]
    assert not any(os.path.isabs(m.source.path) for m in package.root_modules)
    assert package.root.name == "shop"


def test_a_file_outside_a_package_has_the_name_it_gives_itself(folder: Folder) -> None:
    folder({**PACKAGE, "x.linnet": "module my.own.name\nuse std.linalg\n"})
    package = loaded("x.linnet")
    assert [(m.name, m.origin) for m in package.modules] == [("std.linalg", "std"), ("my.own.name", "package")]
    assert package.manifest is None


@pytest.mark.parametrize(
    ("file", "name", "uses", "other"),
    [
        pytest.param("x.linnet", "std.linalg", "std.linalg", "std/linalg.linnet", id="of a module it imports"),
        pytest.param("x.linnet", "std.linalg", "std.nn.linear", "std/linalg.linnet", id="of one behind that"),
        pytest.param("p/tests/t.linnet", "shop.b.c", "crate.a", "p/src/b/c.linnet", id="of a module of its package"),
    ],
)
def test_a_file_cannot_give_itself_the_name_of_a_module_it_needs(folder: Folder, file: str, name: str, uses: str, other: str) -> None:
    """Functions of both would go by the same name, so that one would stand for the other."""
    folder({**PACKAGE, file: f"module {name}\nuse {uses}\n"})
    (found,) = found_in(file)
    assert places([found]) == [("E1204", file, 1, name)]
    assert (found.message, found.help) == (
        f"two modules are named `{name}`: this file and `{other}`, which it needs",
        "give this file another name",
    )


def test_a_file_may_give_itself_the_name_of_a_module_it_does_not_need(folder: Folder) -> None:
    """A copy of a file of the library, as someone has who changes it."""
    folder({**PACKAGE, "copies/linear.linnet": PACKAGE["std/nn/linear.linnet"]})
    assert [m.name for m in loaded("copies/linear.linnet").modules] == ["std.linalg", "std.nn.linear"]


def test_in_a_package_the_place_of_a_file_names_its_module(folder: Folder) -> None:
    folder({**PACKAGE, "p/src/a.linnet": "module quite.another\n"})
    assert "shop.a" in [m.name for m in loaded("p").modules]


def test_a_file_beside_src_belongs_to_the_package_under_its_own_name(folder: Folder) -> None:
    folder({**PACKAGE, "p/tests/t.linnet": "module t\nuse crate.a\n"})
    package = loaded("p/tests/t.linnet")
    assert [m.name for m in package.modules] == ["shop.b.c", "shop.a", "t"]


def test_a_dependency_is_a_package_of_its_own(folder: Folder) -> None:
    folder(
        {
            "p/linnet.toml": '[package]\nname = "p"\nversion = "1"\nlanguage = "0.1"\n[dependencies]\nother = { path = "../lib/d" }\n',
            "p/src/lib.linnet": "module p\nuse other.tools::x\nuse other\n",
            "lib/d/linnet.toml": "d",
            "lib/d/src/lib.linnet": "module d\n",
            "lib/d/src/tools.linnet": "module d.tools\nuse crate\n",
            "std/x.linnet": "module std.x\n",
        }
    )
    package = loaded("p")
    assert [(m.name, m.source.path, m.origin) for m in package.modules] == [
        ("d", "lib/d/src/lib.linnet", "dependency"),
        ("d.tools", "lib/d/src/tools.linnet", "dependency"),
        ("p", "p/src/lib.linnet", "package"),
    ]
    assert [m.name for m in package.root_modules] == ["p"]


def test_several_roots_share_their_modules(folder: Folder) -> None:
    folder({**PACKAGE, "x.linnet": "module x\nuse std.linalg\n"})
    diagnostics = Diagnostics()
    given = ["p/src/lib.linnet", "p/src/b/c.linnet", "./p/src/a.linnet", "x.linnet"]
    package = load_many(given, std="std", diagnostics=diagnostics)
    assert package is not None
    assert diagnostics.found == ()
    assert len({id(m.source) for m in package.modules}) == len(package.modules) == 6
    assert [m.name for m in package.roots] == ["shop", "shop.b.c", "shop.a", "x"]
    assert all(root in package.root_modules for root in package.roots)
    assert diagnostics.files == tuple(m.source for m in package.modules)


def test_errors_of_a_file_that_two_roots_need_are_reported_once(folder: Folder) -> None:
    folder({**PACKAGE, "p/src/b/c.linnet": "module shop.b.c\nconst\n"})
    diagnostics = Diagnostics()
    load_many(["p/src/lib.linnet", "p/src/b/c.linnet"], std="std", diagnostics=diagnostics)
    assert [d.code for d in diagnostics.found] == ["E1101"]


def test_two_names_of_one_file_are_one_module(folder: Folder) -> None:
    root = folder({"p/linnet.toml": "p", "p/src/lib.linnet": "module p\nuse crate.a\nuse crate.b\n", "p/src/a.linnet": "module p.a\n"})
    (root / "p/src/b.linnet").symlink_to("a.linnet")
    package = loaded("p", std=None)
    assert len(package.modules) == 2


# what leads nowhere


@pytest.mark.parametrize(
    ("use", "at", "message", "help"),
    [
        pytest.param(
            "use crate.aa",
            "crate.aa",
            "there is no module `crate.aa`: `p/src/aa.linnet` does not exist",
            "did you mean `a`?",
            id="in the package",
        ),
        pytest.param(
            "use crate.b",
            "crate.b",
            "there is no module `crate.b`: `p/src/b.linnet` does not exist",
            "name one of the modules in it: `c`",
            id="a folder is no module",
        ),
        pytest.param(
            "use std.nn.liner::x",
            "std.nn.liner",
            "there is no module `std.nn.liner`: `std/nn/liner.linnet` does not exist",
            "did you mean `linear`?",
            id="in std",
        ),
        pytest.param("use std", "std", "`std` itself is no module", "name one of its modules: `std.nn.linear`", id="std alone"),
        pytest.param("use crat.a", "crat.a", "no dependency is called `crat`", None, id="an unknown dependency"),
        pytest.param("use stdd.nn", "stdd.nn", "no dependency is called `stdd`", "did you mean `std`?", id="std misspelt"),
    ],
)
def test_an_import_that_leads_nowhere_is_e1202_and_names_the_file(
    folder: Folder, use: str, at: str, message: str, help: str | None
) -> None:
    folder({**PACKAGE, "p/src/lib.linnet": f"module shop\n{use}\n"})
    found = found_in("p")
    assert places(found) == [("E1202", "p/src/lib.linnet", 2, at)]
    assert found[0].message == message
    assert help is None or found[0].help == help


def test_a_folder_that_is_not_the_library_is_named(folder: Folder) -> None:
    folder({**PACKAGE, "x.linnet": "module x\nuse std.nn.linear::x\n"})
    (found,) = found_in("x.linnet", std="p")
    assert found.help == "`--std` is `p`, and that is not the standard library: no module stands in it"


def test_a_file_outside_a_package_imports_std_only(folder: Folder) -> None:
    folder({**PACKAGE, "x.linnet": "module x\nuse crate.a\nuse other.b\n"})
    assert [d.message for d in found_in("x.linnet")] == [
        "`crate` is unknown here: a file outside a package imports `std` only",
        "`other` is unknown here: a file outside a package imports `std` only",
    ]


def test_std_imports_std_only(folder: Folder) -> None:
    folder({**PACKAGE, "std/linalg.linnet": "module std.linalg\nuse crate.a\n"})
    assert [(d.code, d.message) for d in found_in("p")] == [("E1202", "a module of the standard library imports `std` only, not `crate`")]


def test_a_missing_std_is_one_diagnostic(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder({**PACKAGE, "x.linnet": "module x\nuse std.linalg\nuse std.nn.linear\n"})
    monkeypatch.setenv("LINNET_STD", "gone")
    (found,) = found_in("x.linnet", std=None)
    assert (found.code, found.message) == ("E1202", "the standard library is missing: LINNET_STD is `gone`, and that is no directory")
    assert found_in("p/src/b/c.linnet", std=None) == []
    with pytest.raises(UsageError, match="--std: `nowhere` is no directory"):
        load("x.linnet", std="nowhere", diagnostics=Diagnostics())


def test_std_comes_from_the_argument_then_the_environment_then_the_installed_copy(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder({"x.linnet": "module x\nuse std.mine\n", "a/mine.linnet": "module std.mine\n", "b/mine.linnet": "module std.mine\n"})
    monkeypatch.setenv("LINNET_STD", "b")
    assert loaded("x.linnet", std="a").modules[0].source.path == "a/mine.linnet"
    assert loaded("x.linnet", std=None).modules[0].source.path == "b/mine.linnet"
    monkeypatch.delenv("LINNET_STD")
    (found,) = found_in("x.linnet", std=None)
    assert found.message.endswith(f"{os.path.join('linnet_core', 'std', 'mine.linnet')}` does not exist")


def test_imports_that_cannot_be_read_are_said_at_the_import(folder: Folder) -> None:
    root = folder({**PACKAGE, "p/src/lib.linnet": "module shop\nuse crate.d\nuse crate.loop\nuse crate.dangling\n"})
    (root / "p/src/d.linnet").mkdir()
    (root / "p/src/loop.linnet").symlink_to("loop.linnet")
    (root / "p/src/dangling.linnet").symlink_to("gone.linnet")
    found = found_in("p")
    assert [(d.code, d.message) for d in found] == [
        ("E1202", "cannot read `p/src/d.linnet`: is a directory"),
        ("E1202", "cannot read `p/src/loop.linnet`: too many levels of symbolic links"),
        ("E1202", "cannot read `p/src/dangling.linnet`: no such file or directory"),
    ]


def test_bad_bytes_in_an_import_are_reported_in_that_file(folder: Folder) -> None:
    root = folder(PACKAGE)
    (root / "p/src/a.linnet").write_bytes(b"module shop.a\n// \xff\n")
    assert places(found_in("p"))[0][:3] == ("E1001", "p/src/a.linnet", 2)


# roots that are none


@pytest.mark.parametrize(
    ("path", "message"),
    [
        pytest.param("gone.linnet", "`gone.linnet` does not exist", id="no file"),
        pytest.param("std", "`std` is a directory without linnet.toml, so no package", id="a directory without a manifest"),
        pytest.param("loop.linnet", "too many levels of symbolic links", id="a link to itself"),
        pytest.param("", "`` does not exist", id="nothing"),
    ],
)
def test_a_root_that_is_none_is_a_usage_error(folder: Folder, path: str, message: str) -> None:
    root = folder(PACKAGE)
    (root / "loop.linnet").symlink_to("loop.linnet")
    with pytest.raises(UsageError, match=message):
        load(path, std="std", diagnostics=Diagnostics())


def test_a_package_without_its_root_module_says_so_in_its_manifest(folder: Folder) -> None:
    folder({"p/linnet.toml": "p"})
    found = found_in("p", std=None)
    assert places(found) == [("E1202", "p/linnet.toml", 2, "name")]
    assert found[0].message == "`p/src/lib.linnet` does not exist"


def test_a_bad_manifest_is_reported_once_and_its_modules_are_still_parsed(folder: Folder) -> None:
    folder({**PACKAGE, "p/linnet.toml": "[package]\n", "p/src/lib.linnet": "module shop\nuse crate.a\nuse crate.b.c\nconst\n"})
    assert [(d.code, d.message) for d in found_in("p")][-1] == ("E1101", "expected the name of the constant, found the end of the file")
    assert [d.code for d in found_in("p")] == ["E5001", "E1101"]


# dependencies that are none


def dependent(path: str) -> dict[str, str]:
    return {
        "p/linnet.toml": f'[package]\nname = "p"\nversion = "1"\nlanguage = "0.1"\n[dependencies]\nd = {{ path = "{path}" }}\n',
        "p/src/lib.linnet": "module p\nuse d.a\nuse d.b\n",
    }


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param({}, [("E5001", "p/linnet.toml", 6, "d")], id="no such directory"),
        pytest.param({"d/src/a.linnet": "module d.a"}, [("E5001", "p/linnet.toml", 6, "d")], id="no manifest"),
        pytest.param(
            {"d/linnet.toml": "[pakage]\n"},
            [("E5001", "d/linnet.toml", 1, "[pakage]"), ("E5001", "d/linnet.toml", 1, "")],
            id="a bad manifest",
        ),
        pytest.param(
            {"d/linnet.toml": "d", "d/src/a.linnet": "module d.a"},
            [("E1202", "p/src/lib.linnet", 3, "d.b")],
            id="a module that is not there",
        ),
        pytest.param(
            {"d/linnet.toml": "p", "d/src/a.linnet": "module p.a", "d/src/b.linnet": "module p.b"},
            [("E5001", "p/linnet.toml", 6, "d")],
            id="the package's own name",
        ),
    ],
)
def test_a_dependency_that_is_none_is_said_once_at_its_place(
    folder: Folder, files: dict[str, str], expected: list[tuple[str, str, int, str]]
) -> None:
    folder({**dependent("../d"), **files})
    assert places(found_in("p", std=None)) == expected


# cycles


def test_a_cycle_is_named_at_its_first_import(folder: Folder) -> None:
    folder(
        {
            "p/linnet.toml": "p",
            "p/src/lib.linnet": "module p\nuse crate.a\n",
            "p/src/a.linnet": "module p.a\nuse crate.b\n",
            "p/src/b.linnet": "module p.b\nuse crate.c\nuse crate.leaf\n",
            "p/src/c.linnet": "module p.c\nuse crate.a\n",
            "p/src/leaf.linnet": "module p.leaf\n",
        }
    )
    (found,) = found_in("p", std=None)
    assert places([found]) == [("E1206", "p/src/a.linnet", 2, "crate.b")]
    assert found.message == "these modules import each other: `p.a` -> `p.b` -> `p.c` -> `p.a`"
    assert [(label.span.source.path, label.text) for label in found.related] == [
        ("p/src/b.linnet", "`p.b` imports `p.c`"),
        ("p/src/c.linnet", "`p.c` imports `p.a`"),
    ]
    assert found.label == "`p.a` imports `p.b`"
    assert found.help == "take one of these imports out: move what it is for into a module that imports none of them"


def test_a_module_that_imports_itself_is_a_cycle(folder: Folder) -> None:
    folder({"p/linnet.toml": "p", "p/src/lib.linnet": "module p\nuse crate\n"})
    assert [(d.code, d.message) for d in found_in("p", std=None)] == [("E1206", "`p` imports itself")]


def test_cycles_that_share_nothing_are_both_named(folder: Folder) -> None:
    uses = {"lib": "ac", "a": "b", "b": "a", "c": "d", "d": "c"}
    files = {f"p/src/{name}.linnet": f"module p.{name}\n" + "".join(f"use crate.{u}\n" for u in used) for name, used in uses.items()}
    folder({"p/linnet.toml": "p", **files})
    assert sorted(d.message for d in found_in("p", std=None)) == [
        "these modules import each other: `p.a` -> `p.b` -> `p.a`",
        "these modules import each other: `p.c` -> `p.d` -> `p.c`",
    ]


def test_a_thousand_modules_in_a_row_are_loaded(folder: Folder) -> None:
    files = {f"p/src/m{n}.linnet": f"module p.m{n}\nuse crate.m{n + 1}\n" for n in range(1500)}
    folder({"p/linnet.toml": "p", "p/src/lib.linnet": "module p\nuse crate.m0\n", "p/src/m1500.linnet": "module p.m1500\n", **files})
    assert [m.name for m in loaded("p", std=None).modules][:2] == ["p.m1500", "p.m1499"]


def test_a_large_cycle_is_named_in_one_line(folder: Folder) -> None:
    files = {f"p/src/m{n}.linnet": f"module p.m{n}\nuse crate.m{(n + 1) % 1500}\n" for n in range(1500)}
    folder({"p/linnet.toml": "p", "p/src/lib.linnet": "module p\nuse crate.m0\n", **files})
    (found,) = found_in("p", std=None)
    assert found.code == "E1206"
    assert len(found.message) < 300


def test_a_file_of_five_megabytes_is_loaded(folder: Folder) -> None:
    folder({"x.linnet": "module x\n" + "// a comment that makes the file long\n" * 130_000 + "const A = 1\n"})
    assert len(loaded("x.linnet", std=None).root.tree.items) == 1
