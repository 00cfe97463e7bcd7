"""Plugins as they are really found: distributions with entry points, good ones and every kind of bad one."""

from __future__ import annotations

import json
import pydoc

import pytest

from linnet_core.plugins import CommandGroup, DumpFormat, Option, SchemaFile, TargetPlugin

GOOD = """
from linnet_core.plugins import SchemaFile, TargetPlugin, hookimpl

@hookimpl
def linnet_targets():
    return [TargetPlugin(name="good", summary="a target", suffix=".txt", make=lambda options: None)]

@hookimpl
def linnet_schemas():
    return [SchemaFile(name="good-1", text='{"$id": "https://example.org/good-1"}')]
"""


@pytest.mark.parametrize("value", [CommandGroup, DumpFormat, Option, SchemaFile, TargetPlugin])
def test_python_s_help_knows_what_a_plugin_gives(value: type) -> None:
    assert f"class {value.__name__}(" in pydoc.plain(pydoc.render_doc(value))


BROKEN = [
    pytest.param("bad = gone_module", {}, "No module named 'gone_module'", id="import error"),
    pytest.param("bad = bad_exit", {"bad_exit": "raise SystemExit(3)"}, "SystemExit: 3", id="raises SystemExit on import"),
    pytest.param("bad = bad_empty", {"bad_empty": ""}, "it implements no hook", id="no hook"),
    pytest.param(
        "bad = bad_hook",
        {"bad_hook": "from linnet_core.plugins import hookimpl\n@hookimpl\ndef linnet_tragets(): return []"},
        "linnet_tragets",
        id="misspelt hook",
    ),
    pytest.param(
        "bad = bad_signature",
        {"bad_signature": "from linnet_core.plugins import hookimpl\n@hookimpl\ndef linnet_targets(surprise): return []"},
        "surprise",
        id="wrong signature",
    ),
    pytest.param(
        "bad = bad_raises",
        {"bad_raises": "from linnet_core.plugins import hookimpl\n@hookimpl\ndef linnet_targets(): return 1 // 0"},
        "ZeroDivisionError",
        id="hook raises",
    ),
    pytest.param(
        "bad = bad_values",
        {"bad_values": "from linnet_core.plugins import hookimpl\n@hookimpl\ndef linnet_targets(): return ['rubbish']"},
        "linnet_targets gave str where TargetPlugin is due",
        id="yields rubbish",
    ),
    *(
        pytest.param(
            f"bad = bad_value{number}",
            {f"bad_value{number}": f"from linnet_core.plugins import *\nimport sys\n@hookimpl\ndef linnet_{hook}(): return [{value}]\n"},
            words,
            id=words,
        )
        for number, (hook, value, words) in enumerate(
            [
                ("targets", 'TargetPlugin("bad", "s", ".x", None)', "`make` of the target `bad` cannot be called"),
                ("targets", 'TargetPlugin(3, "s", ".x", len)', "`name` of the target is 3, not text"),
                ("targets", 'TargetPlugin("bad", "s", ".x", len, run=7)', "`run` of the target `bad` cannot be called"),
                ("targets", 'TargetPlugin("bad", "s", ".x", len, ["x"])', "not a tuple of Option"),
                ("targets", 'TargetPlugin("bad", "s", ".x", len, (Option("a b", "int", "h"),))', "'a b' is no identifier"),
                ("targets", 'TargetPlugin("bad", "s", ".x", len, (Option("a", "float", "h"),))', "has the type 'float'"),
                ("targets", 'TargetPlugin("bad", "s", ".x", len, (Option("a", "int", "h", "x"),))', "the default of the option `a`"),
                ("dump_formats", 'DumpFormat("bad", "s", (".x",), len)', "the dump format `bad` neither reads nor writes"),
                ("dump_formats", 'DumpFormat("bad", "s", ".x", len, len)', "not a tuple of text"),
                ("commands", 'CommandGroup("bad", print)', "not a typer.Typer"),
                ("schemas", 'SchemaFile("bad", "{}")', "does not end in a version"),
                ("schemas", 'SchemaFile("bad-1", "{")', "the schema `bad-1` is no JSON"),
                ("schemas", 'SchemaFile("bad-1", "{}")', "the schema `bad-1` has no absolute `$id`"),
            ]
        )
    ),
    pytest.param(
        "bad = bad_name",
        {"bad_name": GOOD},
        "it gives `good` under the entry point `bad`",
        id="another name than its entry point's",
    ),
]


def test_a_good_plugin_is_shown_with_what_it_gives(linnet, distribution):
    distribution("linnet-good", "good = good_hooks", {"good_hooks": GOOD})
    done = linnet("plugins", "--json")
    rows = {row["name"]: row for row in json.loads(done.stdout)["plugins"]}
    assert rows["good"] == {
        "name": "good",
        "distribution": "linnet-good",
        "version": "1.0",
        "module": "good_hooks",
        "state": "ok",
        "problem": None,
        "shadowed": [],
        "targets": ["good"],
        "dump_formats": [],
        "commands": [],
        "schemas": ["good-1"],
    }
    assert rows["numpy"]["targets"] == ["numpy"]
    assert done.stderr == ""


@pytest.mark.parametrize(("entry_point", "modules", "words"), BROKEN)
def test_a_bad_plugin_costs_one_line_and_nothing_else(linnet, distribution, entry_point, modules, words):
    distribution("linnet-bad", entry_point, modules)
    done = linnet("plugins", "--json")
    assert done.returncode == 0
    row = next(row for row in json.loads(done.stdout)["plugins"] if row["name"] == "bad")
    assert row["state"] == "failed"
    assert words in row["problem"]
    assert done.stderr.count("\n") == 1
    assert "`bad`" in done.stderr
    assert "linnet-bad" in done.stderr
    assert "Traceback" not in done.stderr


def test_help_names_a_bad_plugin_without_importing_it(linnet, distribution):
    distribution("linnet-bad", "bad = gone_module")
    done = linnet("--help")
    assert done.returncode == 0
    assert "bad" in done.stdout
    assert done.stderr == ""


def test_a_bad_plugins_own_command_says_that_the_plugin_failed(linnet, distribution):
    distribution("linnet-bad", "bad = gone_module")
    done = linnet("bad", "--option", "x")
    assert done.returncode == 2
    assert "its plugin failed" in done.stderr
    assert "no such option" not in done.stderr.lower()


def test_a_plugin_is_switched_off_without_being_imported(linnet, distribution):
    distribution("linnet-bad", "bad = gone_module")
    done = linnet("plugins", "--json", env={"LINNET_DISABLE_PLUGINS": "bad"})
    row = next(row for row in json.loads(done.stdout)["plugins"] if row["name"] == "bad")
    assert row["state"] == "disabled"
    assert done.stderr == ""


def test_a_failing_plugin_can_be_made_to_show_its_traceback(linnet, distribution):
    distribution("linnet-bad", "bad = gone_module")
    done = linnet("plugins", env={"LINNET_RAISE_PLUGIN_ERRORS": "1", "LINNET_TRACEBACK": "1"})
    assert "ModuleNotFoundError" in done.stderr
    assert "Traceback" in done.stderr


def test_what_a_plugin_prints_while_imported_stays_out_of_a_document(linnet, distribution):
    distribution("linnet-good", "good = good_hooks", {"good_hooks": "print('hello')\n" + GOOD})
    done = linnet("plugins", "--json")
    assert {row["name"] for row in json.loads(done.stdout)["plugins"]} >= {"good", "numpy"}
    assert "hello" in done.stderr


def test_two_distributions_with_one_name_are_both_named(linnet, distribution):
    distribution("linnet-b", "good = good_b", {"good_b": GOOD})
    distribution("linnet-a", "good = good_a", {"good_a": GOOD})
    done = linnet("plugins", "--json")
    row = next(row for row in json.loads(done.stdout)["plugins"] if row["name"] == "good")
    assert (row["distribution"], row["shadowed"]) == ("linnet-a", ["linnet-b"])
    assert "linnet-a" in done.stderr
    assert "linnet-b" in done.stderr


def test_nobody_takes_the_name_of_our_own_target(linnet, distribution):
    distribution("a-thief", "numpy = thief", {"thief": GOOD})
    done = linnet("plugins", "--json")
    row = next(row for row in json.loads(done.stdout)["plugins"] if row["name"] == "numpy")
    assert row["distribution"] == "linnet-core"
    assert row["shadowed"] == ["a-thief"]


@pytest.mark.parametrize("metadata", ["", "\x00\x01", "Name: \n"], ids=["empty", "binary", "nameless"])
def test_broken_metadata_of_a_stranger_does_not_matter(linnet, distribution, metadata):
    distribution("linnet-odd", "odd = gone_module", metadata=metadata)
    done = linnet("plugins")
    assert done.returncode == 0
    assert "numpy" in done.stdout


def test_a_missing_target_is_one_line_that_says_what_to_install(linnet):
    (linnet.folder / "m.linnet").write_text("module m\n")
    done = linnet("graph", "--target", "nowhere", "m.linnet")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "pip install linnet-nowhere" in done.stderr
    assert "numpy" in done.stderr
