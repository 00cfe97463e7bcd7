"""A folder of dumps in the order of their stages.

In: a folder.  Out: `Folder`: stages in the order they were dumped, each with its files of one or several formats; nothing is read but names
(and the first bytes of files with other names, which may be dumps too).

`ge_FORMAT_NUMBER[_aclop][_graph_ID]_STAGE.txt` (`.pbtxt` of the ONNX copy).  Each format counts for itself, so files of several formats
belong together by folder, graph and stage: the first of a stage with the first, the second with the second.  Stages keep the order that
each format's numbers give; where these say nothing, the compiler's order of the stages that are known decides.
"""

from __future__ import annotations

import os
import re
from heapq import heapify, heappop, heappush
from itertools import pairwise

from msgspec import Struct

from linnet_core.errors import UsageError
from linnet_ge.model import DumpKind
from linnet_ge.text.sniff import HEAD, sniff

_NAME = re.compile(r"ge_(proto|onnx|readable)_(\d{5,8})(_aclop)?(?:_graph_(\d+))?_(.+)\.(?:txt|pbtxt)", re.DOTALL)
_KINDS: dict[str, DumpKind] = {"readable": "readable", "proto": "proto", "graph": "proto", "onnx": "onnx"}
#: Stages in the order the compiler comes to them.
STAGES = (
    "PreRunBegin",
    "PreRunAfterNormalizeGraph",
    "AfterInfershape",
    "PreRunAfterPrepare",
    "PreRunAfterOptimizeOriginalGraph",
    "PreRunAfterOptimizeAfterStage1",
    "PreRunAfterOptimizeSubgraph",
    "PreRunAfterOptimizeGraphBeforeBuild",
    "Build",
    "ComputeGraphBeforeLowering",
    "ExeGraphBeforeOptimize",
    "ExecuteGraphAfterSplit",
)
_RANK = {stage: at for at, stage in enumerate(STAGES)}


class File(Struct, frozen=True):
    """A dump: its path, its format, its number, its size in bytes.  `number` is None where the name is another."""

    path: str
    kind: DumpKind
    number: int | None
    bytes: int


class Stage(Struct, frozen=True):
    """One moment: files of the same graph in several formats.  `occurrence` counts moments of one folder, graph and stage, from 1."""

    folder: str
    graph_id: int | None
    stage: str
    occurrence: int
    files: tuple[File, ...]


class Folder(Struct, frozen=True):
    """A folder: its stages in order, folder after folder; how many other files there are."""

    path: str
    stages: tuple[Stage, ...]
    others: int


_Key = tuple[bool, int | None, str]


def folder(path: str) -> Folder:
    """The dumps in `path` and the folders in it; `UsageError` where it is none or cannot be read."""
    if not os.path.isdir(path):
        raise UsageError(f"{path}: {'not a directory' if os.path.exists(path) else 'No such file or directory'}")
    stages: list[Stage] = []
    others = 0

    def refuse(error: OSError) -> None:
        raise UsageError(f"{error.filename}: {error.strerror or error}")

    for place, inner, names in os.walk(path, onerror=refuse):
        inner.sort()
        found, rest = _in_one(path, place, sorted(names))
        stages += found
        others += rest
    return Folder(path, tuple(stages), others)


def _in_one(root: str, place: str, names: list[str]) -> tuple[list[Stage], int]:
    """The stages of one folder, and how many files are no dumps."""
    where = os.path.relpath(place, root)
    numbered: dict[DumpKind, list[tuple[int, _Key, File]]] = {}
    unnamed: list[Stage] = []
    others = 0
    for name in names:
        path = os.path.join(place, name)
        match = _NAME.fullmatch(name)
        if match is not None and os.path.isfile(path):
            kind = _KINDS[match[1]]
            key = (match[3] is not None, None if match[4] is None else int(match[4]), match[5])
            file = File(path, kind, int(match[2]), os.path.getsize(path))
            numbered.setdefault(kind, []).append((int(match[2]), key, file))
        elif (kind := _kind_of(path)) is not None:
            unnamed.append(Stage(where, None, name, 1, (File(path, kind, None, os.path.getsize(path)),)))
        else:
            others += 1
    return [*_ordered(where, numbered), *unnamed], others


def _kind_of(path: str) -> DumpKind | None:
    """The format of a file, from its content; None where it is no dump, or cannot be read."""
    if not os.path.isfile(path):
        return None
    try:
        with open(path, "rb") as file:
            return _KINDS.get(sniff(file.read(HEAD)))
    except OSError:
        return None


def _ordered(where: str, numbered: dict[DumpKind, list[tuple[int, _Key, File]]]) -> list[Stage]:
    """The stages in an order that all formats' numbers agree with."""
    moments: dict[tuple[_Key, int], dict[DumpKind, File]] = {}
    rows: list[list[tuple[_Key, int]]] = []
    for kind, files in numbered.items():
        seen: dict[_Key, int] = {}
        row: list[tuple[_Key, int]] = []
        for _, key, file in sorted(files, key=lambda one: (one[0], one[2].path)):
            seen[key] = seen.get(key, 0) + 1
            moments.setdefault((key, seen[key]), {})[kind] = file
            row.append((key, seen[key]))
        rows.append(row)
    return [
        Stage(
            where,
            key[1],
            f"{key[2]} (aclop)" if key[0] else key[2],
            occurrence,
            tuple(file for _, file in sorted(moments[key, occurrence].items())),
        )
        for key, occurrence in _merged(rows)
    ]


def _merged(rows: list[list[tuple[_Key, int]]]) -> list[tuple[_Key, int]]:
    """One order of all moments that keeps each row's; where rows contradict one another, the earliest of what is left comes next."""
    place: dict[tuple[_Key, int], int] = {}
    before: dict[tuple[_Key, int], int] = {}
    after: dict[tuple[_Key, int], list[tuple[_Key, int]]] = {}
    for row in rows:
        for at, moment in enumerate(row):
            place[moment] = min(at, place.get(moment, at))
            before.setdefault(moment, 0)
        for one, other in pairwise(row):
            after.setdefault(one, []).append(other)
            before[other] += 1

    def urgency(moment: tuple[_Key, int]) -> tuple[int, int, str, int, int]:
        (_, graph_id, stage), occurrence = moment
        return _RANK.get(stage, len(_RANK)), place[moment], stage, -1 if graph_id is None else graph_id, occurrence

    by_urgency = sorted(before, key=urgency)
    ready = [(urgency(moment), at) for at, moment in enumerate(by_urgency) if not before[moment]]
    heapify(ready)
    numbers = {moment: at for at, moment in enumerate(by_urgency)}
    waiting = iter(by_urgency)
    found: dict[tuple[_Key, int], None] = {}
    while len(found) < len(by_urgency):
        moment = by_urgency[heappop(ready)[1]] if ready else next(one for one in waiting if one not in found)
        if moment in found:
            continue
        found[moment] = None
        for other in after.get(moment, ()):
            before[other] -= 1
            if not before[other]:
                heappush(ready, (urgency(other), numbers[other]))
    return list(found)
