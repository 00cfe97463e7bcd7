"""Entry points read from directories are those that `importlib.metadata` finds."""

from __future__ import annotations

import sys
import zipfile
from importlib.metadata import distributions

import pytest

from linnet_core.plugins.entry_points import entry_points


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder that is first on the path; put `name-1.0.dist-info` folders into it."""
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def install(folder, directory, header, name, points):
    info = folder / directory
    info.mkdir(parents=True)
    headers = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\nSummary: Does: nothing.\n"
    (info / header).write_text(f"{headers}\nVersion: of nothing\nSummary: of nothing\n")
    (info / "entry_points.txt").write_text(points)


@pytest.mark.parametrize("group", ["console_scripts", "pytest11", "linnet"])
def test_the_rows_of_this_environment_are_those_of_importlib(group):
    known = {}
    for d in distributions():
        rows = {(d.name, d.version, p.name, p.value, d.metadata["Summary"] or "") for p in d.entry_points if p.group == group}
        if rows:
            known.setdefault(d.name, rows)  # an earlier place hides a later one
    assert set(entry_points(group)) == set().union(*known.values())
    assert known


@pytest.mark.parametrize(
    ("directory", "header"),
    [pytest.param("Odd-1.0.dist-info", "METADATA", id="wheel"), pytest.param("Odd-1.0.egg-info", "PKG-INFO", id="egg-info")],
)
def test_both_forms_of_metadata_are_read(site, directory, header):
    install(site, directory, header, "odd", "[other]\na = x\n\n[group of a test]\n# a comment\n b = y:z \n[more]\nc = w\n")
    assert entry_points("group of a test") == [("odd", "1.0", "b", "y:z", "Does: nothing.")]


def test_an_earlier_place_hides_a_distribution_of_a_later_one(tmp_path, monkeypatch):
    for place, value in (("later", "old"), ("earlier", "new")):
        install(tmp_path / place, "twice-1.0.dist-info", "METADATA", "twice", f"[group of a test]\nname = {value}\n")
        monkeypatch.syspath_prepend(str(tmp_path / place))
    assert entry_points("group of a test") == [("twice", "1.0", "name", "new", "Does: nothing.")]


def test_a_distribution_in_an_archive_is_found(tmp_path, monkeypatch):
    archive = tmp_path / "packed.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("packed-2.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: packed\nVersion: 2.0\n")
        packed.writestr("packed-2.0.dist-info/entry_points.txt", "[group of a test]\nname = module\n")
    monkeypatch.setattr(sys, "path", [*sys.path, str(archive)])
    assert entry_points("group of a test") == [("packed", "2.0", "name", "module", "")]


@pytest.mark.parametrize("text", [b"\xff\xfe\x00", b"", b"[group of a test]\nno value\n"], ids=["binary", "empty", "no value"])
def test_broken_entry_points_are_passed_over(site, text):
    install(site, "broken-1.0.dist-info", "METADATA", "broken", "")
    (site / "broken-1.0.dist-info" / "entry_points.txt").write_bytes(text)
    assert entry_points("group of a test") == []
