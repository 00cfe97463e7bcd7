"""The entry points of one group, read from the metadata of the installed distributions.

In: the directories of `sys.path`.  Out: rows `(distribution, version, name, value, summary)`, the summary being that of the
distribution; nothing is imported, and a distribution whose metadata cannot be read is passed over.

`importlib.metadata` answers the same, but it loads the `email` package to read three headers, which costs a third of `linnet --help`.
It is asked where reading directories would not do: a path entry that is an archive, or an import finder with distributions of its own.
"""

from __future__ import annotations

import os
import sys

#: (distribution, version, name, value, summary), as strings.
Row = tuple[str, str, str, str, str]
#: (distribution, version, summary, its entry points).
Distribution = tuple[str, str, str, list[tuple[str, str]]]

#: The endings of metadata directories, and the file with the headers in each.
HEADERS = {".dist-info": "METADATA", ".egg-info": "PKG-INFO"}


def entry_points(group: str) -> list[Row]:
    """The entry points of `group`, in the order of `sys.path`; of two distributions of one name the earlier place hides the later."""
    rows: list[Row] = []
    seen: set[str] = set()
    for name, version, summary, points in _distributions(group) if _only_directories() else _asked(group):
        if name not in seen:
            seen.add(name)
            rows.extend((name, version, key, value, summary) for key, value in points)
    return rows


def _only_directories() -> bool:
    if any(os.path.isfile(place) or place.endswith(".egg") for place in sys.path):
        return False
    return not any(hasattr(finder, "find_distributions") for finder in sys.meta_path if getattr(finder, "__name__", "") != "PathFinder")


def _distributions(group: str) -> list[Distribution]:
    """Every distribution that has entry points in `group`."""
    found: list[Distribution] = []
    for place in sys.path:
        try:
            entries = os.listdir(place or ".")
        except OSError:
            continue
        for entry in sorted(entries):
            header = HEADERS.get(os.path.splitext(entry)[1].lower())
            if header is None:
                continue
            directory = os.path.join(place, entry)
            points = _section(_text(os.path.join(directory, "entry_points.txt")), group)
            if not points:
                continue
            name, version, summary = _headers(_text(os.path.join(directory, header)))
            if name:
                found.append((name, version, summary, points))
    return found


def _text(path: str) -> str:
    """The file's text; nothing when it is not there or is not text."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, ValueError):
        return ""


def _section(text: str, group: str) -> list[tuple[str, str]]:
    """The `name = value` lines below `[group]`."""
    points: list[tuple[str, str]] = []
    inside = False
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            inside = line[1:-1] == group
        elif inside and line and not line.startswith("#"):
            name, equals, value = line.partition("=")
            if equals:
                points.append((name.strip(), value.strip()))
    return points


def _headers(text: str) -> tuple[str, str, str]:
    """The `Name`, `Version` and `Summary` of a metadata file, empty where it has none."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        if not line:  # the description follows
            break
        key, _, value = line.partition(":")
        found.setdefault(key.strip().lower(), value.strip())
    return found.get("name", ""), found.get("version", ""), found.get("summary", "")


def _asked(group: str) -> list[Distribution]:
    """The same as `_distributions`, of everything that `importlib.metadata` finds."""
    from importlib.metadata import distributions

    found: list[Distribution] = []
    for distribution in distributions():
        try:
            points = [(p.name, p.value.strip()) for p in distribution.entry_points if p.group == group]
            name, version, summary = distribution.metadata["Name"], distribution.version, distribution.metadata["Summary"]
        except Exception:  # unreadable or broken metadata is no plugin; a stranger's broken package must not stop a command
            continue
        if points and name is not None:
            found.append((name, version or "", summary or "", points))
    return found
