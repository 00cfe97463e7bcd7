"""A folder's dumps stand in the order of their stages, formats of one moment together, whatever their numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from dumps import PROTO, SMALL

from linnet_core.errors import UsageError
from linnet_ge.formats.files import open_dump
from linnet_ge.model import Dump
from linnet_ge.tools.folder import folder
from linnet_ge.tools.index import contents
from linnet_ge.tools.trace import trace


def told(path: Path) -> list[tuple[str, str, int | None, int, list[tuple[str, int | None]]]]:
    return [(s.folder, s.stage, s.graph_id, s.occurrence, [(f.kind, f.number) for f in s.files]) for s in folder(str(path)).stages]


def fill(path: Path, *names: str, text: str = SMALL) -> None:
    path.mkdir(parents=True, exist_ok=True)
    for name in names:
        (path / name).write_text(text, encoding="utf-8")


def test_formats_are_paired_by_graph_and_stage_and_not_by_number(tmp_path: Path) -> None:
    fill(
        tmp_path,
        "ge_readable_00000001_graph_0_PreRunBegin.txt",
        "ge_readable_00000002_graph_0_Build.txt",
        "ge_readable_00000003_graph_1_Build.txt",
        "ge_proto_00000007_graph_0_PreRunBegin.txt",
        "ge_proto_00000009_graph_0_Build.txt",
        "ge_onnx_00000004_graph_0_PreRunBegin.pbtxt",
    )
    assert told(tmp_path) == [
        (".", "PreRunBegin", 0, 1, [("onnx", 4), ("proto", 7), ("readable", 1)]),
        (".", "Build", 0, 1, [("proto", 9), ("readable", 2)]),
        (".", "Build", 1, 1, [("readable", 3)]),
    ]


def test_moments_of_one_stage_are_paired_in_order(tmp_path: Path) -> None:
    names = [
        f"ge_{kind}_{number:08}_graph_0_RunCustomPass.txt"
        for kind, numbers in (("proto", (2, 5)), ("readable", (1, 9)))
        for number in numbers
    ]
    fill(tmp_path, *names)
    assert [(row[3], row[4]) for row in told(tmp_path)] == [(1, [("proto", 2), ("readable", 1)]), (2, [("proto", 5), ("readable", 9)])]


def test_numbers_give_the_order_and_known_stages_decide_where_they_say_nothing(tmp_path: Path) -> None:
    fill(tmp_path, "ge_proto_00000001_Z.txt", "ge_proto_00000002_A.txt", "ge_proto_00000003_Build.txt", "ge_readable_00000001_M.txt")
    fill(tmp_path, "ge_readable_00000002_Build.txt", "ge_onnx_00000001_PreRunBegin.pbtxt")
    stages = [row[1] for row in told(tmp_path)]
    assert stages.index("Z") < stages.index("A") < stages.index("Build") > stages.index("M")
    assert stages.index("PreRunBegin") < stages.index("Build")


def test_numbers_that_contradict_one_another_still_give_an_order(tmp_path: Path) -> None:
    fill(tmp_path, "ge_proto_00000001_A.txt", "ge_proto_00000002_B.txt", "ge_readable_00000001_B.txt", "ge_readable_00000002_A.txt")
    assert [(row[1], len(row[4])) for row in told(tmp_path)] == [("A", 2), ("B", 2)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("ge_proto_00026_afterUBMatch.txt", ("afterUBMatch", None, [("proto", 26)]), id="five digits"),
        pytest.param("ge_onnx_00000003_aclop_graph_12_Build.pbtxt", ("Build (aclop)", 12, [("onnx", 3)]), id="aclop"),
        pytest.param("ge_readable_00000003_graph_1_a_b c.txt", ("a_b c", 1, [("readable", 3)]), id="any stage"),
        pytest.param("dump.log", ("dump.log", None, [("readable", None)]), id="another name"),
        pytest.param("ge_readable_3_Build.txt", ("ge_readable_3_Build.txt", None, [("readable", None)]), id="too few digits"),
    ],
)
def test_names_of_every_age(tmp_path: Path, name: str, expected: object) -> None:
    fill(tmp_path, name)
    [row] = told(tmp_path)
    assert (row[1], row[2], row[4]) == expected


def test_folders_in_a_folder_and_other_files(tmp_path: Path) -> None:
    fill(tmp_path / "pid_2", "ge_proto_00000001_graph_0_Build.txt")
    fill(tmp_path / "pid_1", "ge_proto_00000001_graph_0_Build.txt", "ge_proto_00000002_graph_0_Build.txt")
    fill(tmp_path, "readme.md", text="no dump\n")
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    (tmp_path / "round").symlink_to(tmp_path)
    assert [(row[0], row[3]) for row in told(tmp_path)] == [("pid_1", 1), ("pid_1", 2), ("pid_2", 1)]
    assert folder(str(tmp_path)).others == 2
    for name in ("readme.md", "missing"):
        with pytest.raises(UsageError, match=name):
            folder(str(tmp_path / name))


def test_what_files_hold(tmp_path: Path) -> None:
    fill(tmp_path, "ge_readable_00000001_Build.txt")
    fill(tmp_path, "ge_readable_00000002_Build.txt", text=SMALL[:150])
    fill(tmp_path, "ge_proto_00000001_Build.txt", text=PROTO)
    fill(tmp_path, "ge_onnx_00000001_Build.pbtxt", text="")
    got = [contents(file) for stage in folder(str(tmp_path)).stages for file in stage.files]
    assert [(one.file.kind, one.graphs, one.nodes, one.problems, one.error is None) for one in got] == [
        ("onnx", 0, 0, 0, False),
        ("proto", 2, 6, 0, True),
        ("readable", 2, 6, 0, True),
        ("readable", 1, 3, 1, True),
    ]
    assert got[2].types[:2] == (("Data", 2), ("Add", 1))


#: The same graph in four stages.
TEXTS = (
    SMALL.replace("%later", "%before").replace("type=Add", "type=Sub"),
    SMALL,
    SMALL,
    SMALL.replace("%later", "%after").replace("x2=%x)", "x2=%k)"),
    SMALL.replace("  %later : [#users=1] = Node[type=Add] (inputs = (x1=%x, x2=%x))\n", "").replace("x=%later", "x=%x"),
)


def traced(path: Path, node: str) -> list[tuple[str, str, str | None, list[tuple[str, str | None, str | None]]]]:
    def read(file: str) -> Dump | None:
        return None if file.endswith("unread.txt") else open_dump(file).dump

    steps = trace(folder(str(path)).stages, node, read)
    return [(s.stage.stage, s.status, s.node, [(c.what, c.a, c.b) for c in s.changes]) for s in steps]


def test_a_node_is_followed_from_stage_to_stage(tmp_path: Path) -> None:
    for number, text in enumerate(TEXTS):
        fill(tmp_path, f"ge_readable_{number:08}_s{number}.txt", text=text)
    fill(tmp_path, "ge_readable_00000002_unread.txt")
    assert traced(tmp_path, "later") == [
        ("s0", "absent", None, []),
        ("s1", "first", "later", []),
        ("s2", "same", "later", []),
        ("unread", "unread", None, []),
        ("s3", "changed", "after", [("renamed", "later", "after"), ("input", "x", "k")]),
        ("s4", "removed", "after", []),
    ]
    assert traced(tmp_path, "top")[4] == ("s3", "same", "top", [])
    assert [(stage, status) for stage, status, _, _ in traced(tmp_path, "gone")] == [
        *((f"s{at}", "absent") for at in range(3)),
        ("unread", "unread"),
        *((f"s{at}", "absent") for at in (3, 4)),
    ]


def test_a_node_is_followed_through_formats(tmp_path: Path) -> None:
    readable = SMALL.replace("%later", "%cast").replace(
        "type=Add] (inputs = (x1=%x, x2=%x)", "type=Cast] (inputs = (x=%k), attrs = {dst_type: 1}"
    )
    fill(tmp_path, "ge_readable_00000001_PreRunBegin.txt", text=readable)
    fill(tmp_path, "ge_proto_00000001_Build.txt", text=PROTO)
    assert traced(tmp_path, "cast") == [
        ("PreRunBegin", "first", "cast", []),
        ("Build", "changed", "cast", [("attribute", "1", "0")]),
    ]
    assert traced(tmp_path, "k")[1] == ("Build", "changed", "c", [("renamed", "k", "c")])
    assert [(step[1], step[2]) for step in traced(tmp_path, "call")] == [("first", "call"), ("changed", "call")]
