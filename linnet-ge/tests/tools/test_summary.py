"""What a dump holds is counted; what its format does not say is not zero but not known."""

from __future__ import annotations

import pytest
from dumps import PROTO, SMALL, viewed

from linnet_ge.formats.ge_proto import view
from linnet_ge.model import TensorInfo
from linnet_ge.prototext.read import read
from linnet_ge.tools.summary import Change, Constants, size_of, summary


def test_a_readable_dump_is_counted() -> None:
    found = summary(viewed(SMALL))
    assert [(g.name, g.nodes, g.results, g.edges, g.control_edges) for g in found.graphs] == [("main", 5, 2, 5, 0), ("inner", 1, 1, 0, 0)]
    assert found.types == (("Data", 2), ("Add", 1), ("Const", 1), ("PartitionedCall", 1), ("TopKV2", 1))
    assert (found.dtypes, found.dynamic, found.constants) == (None, None, Constants(1, 0, 1))


def test_protobuf_text_is_counted() -> None:
    found = summary(view(read(PROTO, "p.txt"), "p.txt"))
    assert (found.nodes, found.graphs[0].edges, found.graphs[0].control_edges) == (6, 4, 1)
    assert found.casts == (Change("DT_BFLOAT16", "DT_FLOAT", 1),)
    assert found.constants == Constants(1, 8, 0)
    assert found.dtypes == (("DT_FLOAT", 4), ("DT_BFLOAT16", 1))
    assert found.dynamic is not None
    assert [(one.node, one.shapes) for one in found.dynamic] == [("x", ((-1, 4),)), ("call", ((-1, 4),))]


def test_casts_of_a_readable_dump_say_what_they_give() -> None:
    text = 'graph("g"):\n  %a : [#users=1] = Node[type=Cast] (inputs = (x=%a), attrs = {dst_type: 27})\n'
    assert summary(viewed(text)).casts == (Change(None, "DT_BFLOAT16", 1),)


def test_an_empty_constant_has_no_bytes() -> None:
    text = 'graph("g"):\n  %a : [#users=1] = Node[type=Const] (attrs = {value: <empty>})\n'
    assert summary(viewed(text)).constants == Constants(1, 0, 0)


@pytest.mark.parametrize(
    ("info", "size"),
    [
        pytest.param(TensorInfo("DT_FLOAT", ()), 4, id="a scalar"),
        pytest.param(TensorInfo("DT_INT4", (3,)), 2, id="four bits"),
        pytest.param(TensorInfo("DT_FLOAT", (0, 3)), 0, id="nothing"),
        pytest.param(TensorInfo("DT_FLOAT", (-1,)), None, id="a size not known"),
        pytest.param(TensorInfo("DT_STRING", (2,)), None, id="strings"),
        pytest.param(TensorInfo("DT_FLOAT", None), None, id="no shape"),
        pytest.param(None, None, id="nothing known"),
    ],
)
def test_the_size_of_a_tensor(info: TensorInfo | None, size: int | None) -> None:
    assert size_of(info) == size
