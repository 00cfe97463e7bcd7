"""Whatever is wrong with a file or an option is a diagnostic or one line: never a traceback, and nothing half-written."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

FILES = [
    pytest.param(b"", "E1102", id="empty"),
    pytest.param(b"\n\n\n", "E1102", id="blank"),
    pytest.param(bytes(range(256)) * 8, "E1001", id="binary"),
    pytest.param("module m\n".encode("utf-16"), "E1001", id="UTF-16"),
    pytest.param(b"module m\nconst A = " + b"(" * 10_000 + b"1" + b")" * 10_000 + b"\n", "E1104", id="10,000 parentheses"),
    pytest.param(b"module m\nconst A = " + b"(" * 10_000, "E1104", id="10,000 open parentheses"),
    pytest.param(b"module m\nconst A = " + b"-" * 10_000 + b"1\n", "E1101", id="10,000 minus signs"),
    pytest.param(b"module m\nfn f(x: " + b"(" * 10_000 + b"f32", "E1104", id="10,000 parentheses in a type"),
    pytest.param(b"module m\nconst A = 1" + b" + 1" * 20_000 + b"\n", "E1104", id="a sum of 20,000"),
    pytest.param(b"module m\n" + b"/*" * 10_000, "E1002", id="10,000 open comments"),
    pytest.param(b"module m\n" + b"}" * 10_000, "E1101", id="10,000 closing braces"),
    pytest.param(b"module m\nuse std.nowhere::{x}\n", "E1202", id="a module that does not exist"),
    pytest.param(b"module m\nuse crate.x::{y}\n", "E1202", id="crate outside a package"),
]


@pytest.mark.parametrize("command", ["check", "plan", "numpy"])
@pytest.mark.parametrize(("data", "code"), FILES)
def test_a_file_that_is_no_program(linnet, data, code, command):
    (linnet.folder / "odd.linnet").write_bytes(data)
    done = linnet(command, "odd.linnet")
    assert (done.returncode, done.stdout) == (1, "")
    assert f"error {code}" in done.stderr
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stderr


def test_a_source_of_5_mb_is_read(linnet):
    line = "// " + "x" * 96 + "\n"
    (linnet.folder / "large.linnet").write_text("module m\n" + line * 50_000 + "const A: f32 = true\n")
    done = linnet("check", "large.linnet")
    assert done.returncode == 1
    assert "large.linnet:50002:16" in done.stderr


def test_8000_statements_are_checked_and_exported(linnet):
    body = "".join(f"    x{i + 1} = x{i} + 1.0\n".replace("    x", "    let x", 1) for i in range(8_000))
    (linnet.folder / "long.linnet").write_text(f"module m\n\nentry f(x0: f32) -> f32 {{\n{body}    return x8000\n}}\n")
    assert linnet("check", "long.linnet").returncode == 0
    assert linnet("graph", "--target", "numpy", "long.linnet").returncode == 0


def test_a_missing_standard_library_is_named_at_the_import(linnet):
    (linnet.folder / "m.linnet").write_text("module m\nuse std.nn.linear::{linear}\n")
    done = linnet("check", "m.linnet", env={"LINNET_STD": "gone"})
    assert done.returncode == 1
    assert "error E1202" in done.stderr
    assert "m.linnet:2:5" in done.stderr


def test_a_folder_without_a_manifest_is_no_package(linnet):
    (linnet.folder / "plain").mkdir()
    for command in (["plan"], ["numpy"], ["graph", "--target", "numpy"]):
        done = linnet(*command, "plain")
        assert (done.returncode, done.stdout) == (2, "")
        assert "plain: this directory has no linnet.toml" in done.stderr


def test_check_of_a_folder_without_programs_says_so(linnet):
    (linnet.folder / "plain").mkdir()
    done = linnet("check", "plain")
    assert (done.returncode, done.stderr) == (2, "linnet: plain: no .linnet file in this directory\n")


def test_a_wrong_manifest_is_shown_at_its_line(linnet, folder):
    manifest = folder / "pack" / "linnet.toml"
    manifest.write_text(manifest.read_text() + "Width = 4\n")
    done = linnet("plan", "pack")
    assert done.returncode == 1
    assert "error E5001" in done.stderr
    assert "pack/linnet.toml:8:1" in done.stderr


@pytest.mark.parametrize(
    "data", [b"", b"\x00\xff", b"[package", "[package]\nname = 'é'\n".encode()], ids=["empty", "binary", "cut", "half"]
)
@pytest.mark.parametrize("module", [True, False], ids=["with a module", "without"])
def test_a_manifest_that_cannot_be_used_is_a_diagnostic(linnet, folder, data, module):
    (folder / "pack" / "linnet.toml").write_bytes(data)
    if not module:
        (folder / "pack" / "src" / "lib.linnet").unlink()
    done = linnet("plan", "pack")
    assert (done.returncode, done.stdout) == (1, "")
    assert "error E5001" in done.stderr
    assert "pack/linnet.toml:" in done.stderr


BINDINGS = [
    pytest.param("M=3", 2, "`M`", id="a name nothing has"),
    pytest.param("N=f32", 2, "N=f32", id="a dtype for a size"),
    pytest.param("N=1,2", 2, "N=1,2", id="a list for a size"),
    pytest.param("N=3.5", 2, "N=3.5", id="a fraction"),
    pytest.param("N=-1", 2, "negative", id="a negative size"),
    pytest.param("N=", 2, "N=", id="nothing"),
    pytest.param("N", 2, "NAME=VALUE", id="no equals sign"),
    pytest.param("=3", 2, "NAME=VALUE", id="no name"),
    pytest.param("N=9223372036854775808", 2, "9223372036854775807", id="a size beyond 64 bits"),
    pytest.param("N=" + "9" * 6000, 2, "larger", id="a size of 6,000 digits"),
    pytest.param("T=3", 2, "no dtype", id="a number for a dtype"),
    pytest.param("T=f33", 2, "`f33`", id="a dtype that does not exist"),
    pytest.param("T=i32", 1, "E6002", id="a dtype of another class"),
]


@pytest.mark.parametrize(("binding", "status", "words"), BINDINGS)
def test_a_binding_that_does_not_fit(linnet, folder, binding, status, words):
    done = linnet("numpy", "--bind", "N=3", "--bind", binding, "good.linnet")
    assert (done.returncode, done.stdout) == (status, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_the_largest_size_exports(linnet, folder):
    assert linnet("graph", "--target", "numpy", "--bind", "N=9223372036854775807", "good.linnet").returncode == 0


def document(linnet, kind: str) -> str:
    options = {"plan": ["plan"], "graph": ["graph", "--target", "numpy", "--bind", "N=3"]}[kind]
    return linnet(*options, "good.linnet").stdout


def edited(text: str, *path, value) -> str:
    whole = json.loads(text)
    place = whole
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return json.dumps(whole)


@pytest.mark.parametrize("kind", ["plan", "graph"])
@pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.99])
def test_a_truncated_document_is_one_line(linnet, folder, kind, part):
    text = document(linnet, kind)
    (folder / "cut.json").write_text(text[: int(len(text) * part)])
    done = linnet("validate", "cut.json")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("cut.json: not JSON at line 1, column " if part else "cut.json: not JSON: there is nothing in it")
    assert done.stderr.count("\n") == 1


EDITS = [
    pytest.param("plan", ("version",), 2, "version", id="plan, version"),
    pytest.param("plan", ("functions", 0, "body", "ops", 0, "kind"), "surprise", "functions[0].body.ops[0].kind", id="plan, kind"),
    pytest.param("plan", ("manifest", 0, "kind"), "weight", "manifest[0].kind", id="plan, kind of a parameter"),
    pytest.param("plan", ("surprise",), 1, "surprise", id="plan, a field too many"),
    pytest.param("graph", ("nodes", 1, "op"), "surprise", "nodes[1].op", id="graph, op"),
    pytest.param("graph", ("nodes", 0, "shape", 0), 3.0, "nodes[0].shape[0]", id="graph, 3.0 for a size"),
    pytest.param("graph", ("values", 0, "dtype"), "f33", "values[0].dtype", id="graph, dtype"),
    pytest.param("graph", ("nodes", 0, "results"), None, "nodes[0].results", id="graph, null"),
]


@pytest.mark.parametrize(("kind", "path", "value", "words"), EDITS)
def test_an_edited_document_names_the_place(linnet, folder, kind, path, value, words):
    (folder / "edited.json").write_text(edited(document(linnet, kind), *path, value=value))
    done = linnet("validate", "edited.json")
    assert (done.returncode, done.stdout) == (1, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_one_wrong_field_among_10000_nodes_is_named(linnet, folder):
    graph = json.loads(document(linnet, "graph"))
    node = {"op": "iota", "length": 3, "operands": [], "results": [0]}
    graph["nodes"][1:1] = [dict(node) for _ in range(10_000)]
    graph["nodes"][7_000]["length"] = "three"
    (folder / "wide.json").write_text(json.dumps(graph))
    done = linnet("validate", "wide.json")
    assert done.returncode == 1
    assert "nodes[7000].length" in done.stderr


@pytest.mark.parametrize("depth", [1_000, 100_000])
def test_a_document_nested_without_end_is_refused(linnet, folder, depth):
    (folder / "deep.json").write_text('{"version":1,"nodes":' + '[{"body":' * depth + "[]" + "}]" * depth + "}")
    done = linnet("validate", "deep.json")
    assert done.returncode == 1
    assert "nested too deeply" in done.stderr
    assert done.stderr.count("\n") == 1


def test_several_documents_are_each_told(linnet, folder):
    (folder / "plan.json").write_text(document(linnet, "plan"))
    (folder / "wrong.json").write_text("[")
    done = linnet("validate", "plan.json", "wrong.json", "plan.json")
    assert done.returncode == 1
    assert done.stdout == "plan.json: plan-1\nplan.json: plan-1\n"
    assert done.stderr.startswith("wrong.json: ")


def test_a_document_is_read_up_to_a_limit(folder, monkeypatch, capsys):
    from linnet_core.cli import validate
    from linnet_core.cli.app import run

    monkeypatch.chdir(folder)
    monkeypatch.setattr(validate, "MAX_BYTES", 1 << 20)
    (folder / "large.json").write_bytes(b" " * ((1 << 20) + 1))
    assert run(["validate", "large.json"]) == 1
    assert capsys.readouterr().err == "linnet: large.json: larger than 1 MiB, the largest document that is read\n"
    (folder / "large.json").write_bytes(b" " * (1 << 20))
    assert run(["validate", "large.json"]) == 1
    assert "not JSON" in capsys.readouterr().err


def test_a_pipe_below_a_directory_is_passed_over_and_a_link_to_nothing_told(linnet, folder):
    os.mkfifo(folder / "pack" / "src" / "pipe.linnet")
    assert linnet("check", "pack").returncode == 0
    (folder / "pack" / "src" / "link.linnet").symlink_to("nowhere")
    done = linnet("check", "pack")
    assert done.returncode == 2
    assert "link.linnet`: no such file or directory" in done.stderr


def test_a_pipe_that_is_imported_is_refused(linnet, folder):
    """Nobody writes to it: reading it would wait for ever."""
    source = folder / "pack" / "src"
    os.mkfifo(source / "pipe.linnet")
    (source / "zero.linnet").symlink_to("/dev/zero")
    (source / "lib.linnet").write_text("module m\nuse crate.pipe::{x}\nuse crate.zero::{y}\n")
    (folder / "pack" / "linnet.toml").write_text('[package]\nname = "m"\nversion = "0.1.0"\nlanguage = "0.1"\n')
    done = linnet("plan", "pack")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("error E1202") == 2
    for line, file in ((2, "pipe"), (3, "zero")):
        assert f"cannot read `pack/src/{file}.linnet`: it is a pipe or a device, not a file" in done.stderr
        assert f"pack/src/lib.linnet:{line}:5" in done.stderr


@pytest.mark.parametrize("command", [("plan",), ("inspect", "--ast")], ids=["plan", "inspect"])
def test_a_package_whose_root_module_is_a_pipe_is_refused(linnet, folder, command):
    root = folder / "pack" / "src" / "lib.linnet"
    root.unlink()
    os.mkfifo(root)
    done = linnet(*command, "pack")
    message = "linnet: cannot read `pack/src/lib.linnet`: it is a pipe or a device, not a file\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)


@pytest.mark.parametrize("command", ["check", "plan"])
@pytest.mark.parametrize("path", ["-", "/dev/stdin", "<(cat good.linnet)"], ids=["dash", "device", "substitution"])
def test_a_pipe_named_on_the_command_line_is_read(linnet, folder, command, path):
    done = subprocess.run(
        ["bash", "-c", f"cat good.linnet | '{sys.executable}' -m linnet_core {command} {path}"],
        cwd=folder,
        env=linnet.environment(None),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("arguments", [pytest.param(("check", "-"), id="check"), pytest.param(("plan", "x.linnet"), id="plan")])
def test_a_directory_that_is_gone_is_said_in_one_line(linnet, folder, arguments):
    gone = folder / "gone"
    gone.mkdir()
    command = [sys.executable, "-c", "import os,sys; os.rmdir(os.getcwd()); os.execv(sys.executable, sys.argv[1:])"]
    command += [sys.executable, "-m", "linnet_core", *arguments]
    done = subprocess.run(command, cwd=gone, env=linnet.environment(None), input="module m\n", capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "the current directory does not exist" in done.stderr or "no such file" in done.stderr


def test_names_of_files_and_words_of_files_move_no_cursor(linnet, folder):
    (folder / "a\x1b[31m.json").write_text('{"version": 1, "\\u001b[32m": 1, "values": [], "nodes": [], "target": "t"}')
    done = linnet("validate", "a\x1b[31m.json")
    assert done.returncode == 1
    assert "\x1b" not in done.stdout + done.stderr
    assert "a\\x1b[31m.json: " in done.stderr
