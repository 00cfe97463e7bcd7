"""A document that is no plan is refused with the place, and never with anything but `DocumentError`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from linnet_core.errors import DocumentError
from linnet_core.plan.read import read_plan
from linnet_core.plan.write import plan_document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from linnet_core.ir.module import Module

#: A path into the document, what to put there, and the complaint.
EDITS = [
    pytest.param(("version",), 2, "version: is 2; this reader knows version 1", id="another version"),
    pytest.param(("version",), True, "version: should be an integer", id="a bool as the version"),
    pytest.param(
        ("functions", 0, "kind"), "method", "functions[0].kind: should be one of fn, op, entry, kernel", id="a kind it does not know"
    ),
    pytest.param(("functions", 0, "block"), "Nowhere", "functions[0].block: there is no block `Nowhere`", id="an unknown block"),
    pytest.param(("functions", 0, "body", "ops", 0, "kind"), "adds", "functions[0].body.ops[0].kind: `adds`", id="an unknown operation"),
    pytest.param(("functions", 0, "body", "ops", 0, "operands", 0), 77, "value 77 is not defined before its use", id="an unknown value"),
    pytest.param(("functions", 0, "body", "ops", 0, "operands", 0), 0.0, "operands[0]: should be an integer", id="a float as an id"),
    pytest.param(("functions", 0, "body", "ops", 0, "results", 0, "id"), 0, "value 0 is defined twice", id="an id twice"),
    pytest.param(("functions", 0, "body", "ops", 0, "attrs"), {"axis": 1}, "attrs.axis: no such field", id="an attribute too many"),
    pytest.param(("functions", 0, "results"), [], "breaks a rule of the Core IR", id="a function that gives what it does not declare"),
    pytest.param(("functions", 0, "body", "ops"), [], "breaks a rule of the Core IR", id="no operations"),
    pytest.param(("functions", 1, "name"), "test::a", "functions[1]: a second `test::a`", id="two functions of one name"),
    pytest.param(("functions", 1, "body", "ops", 0, "attrs", "callee"), "test::z", "`test::z`, which is not in the module", id="no callee"),
    pytest.param(("functions", 1, "body", "ops", 0, "attrs", "selected"), None, "selected: should be a string", id="null for a string"),
    pytest.param(("functions", 0, "generics", 0, "class"), "complex", "class: should be one of", id="an unknown class"),
    pytest.param(("functions", 0, "generics", 0, "var"), 99, "no dtype generic has the id", id="a variable nothing declares"),
    pytest.param(("blocks", "B", "members", 0, "type", "kind"), "matrix", "`matrix` is no kind of type", id="an unknown type"),
    pytest.param(("blocks", "B", "members", 0, "type", "dtype"), "f8", "dtype: should be one of", id="an unknown dtype"),
    pytest.param(
        ("functions", 1, "body", "ops", 0, "attrs", "substitution", "dims"), {"9" * 5000: 1}, "is no id", id="an id of 5,000 digits"
    ),
    pytest.param(
        ("functions", 1, "body", "ops", 0, "attrs", "substitution", "dims"), {"01": 1}, "`01` is no id", id="an id with a zero in front"
    ),
    pytest.param(
        ("functions", 1, "body", "ops", 0, "attrs", "substitution", "dims"), {"77": 1}, "other generics", id="a generic nobody has"
    ),
    pytest.param(
        ("functions", 1, "body", "ops", 0, "attrs", "generics"), [{"dtype": "f64"}], "something else for `T`", id="two arguments for one"
    ),
    pytest.param(("root", "name"), "C", "root.name: there is no block `C` of `test`", id="an unknown root"),
    pytest.param(("root", "constraints"), [1], "root.constraints: is not that of block `B`", id="constraints of another root"),
    pytest.param(("root",), None, "manifest: should be empty where there is no root", id="a manifest without a root"),
    pytest.param(("manifest",), [], "manifest: has 0 entries; the blocks declare 1", id="a manifest without its entries"),
    pytest.param(("manifest", 0, "optional"), 0, "manifest[0]: is not `w` as the blocks declare it", id="another entry"),
    pytest.param(("blocks",), {}, "there is no block `B`", id="no blocks"),
    pytest.param(("blocks", "B", "members", 0, "kind"), "sub", "is a sub of type", id="a child that is a scalar"),
    pytest.param(("extra",), 1, "extra: no such field", id="a field too many"),
]

TEXT = """
op a<T: Float>(x: T) -> T { return x + x }
fn b(x: f32) -> f32 { return a(x) }
block B { param w: f32 entry run(x: f32) -> f32 { return b(x) * w } }
"""


def put(document: Any, path: tuple[Any, ...], value: Any) -> None:
    """Put a value at a place of a document."""
    for key in path[:-1]:
        document = document[key]
    document[path[-1]] = value


@pytest.mark.parametrize(("path", "value", "complaint"), EDITS)
def test_an_edited_plan_is_refused(lowered: Callable[..., Module], path: tuple[Any, ...], value: Any, complaint: str) -> None:
    document = plan_document(lowered(TEXT))
    read_plan(document)
    # The document's parts are shared between places; an edit must change one of them.
    document = unshared(document)
    put(document, path, value)
    with pytest.raises(DocumentError) as raised:
        read_plan(document)
    assert complaint in str(raised.value)


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        *[pytest.param(value, "^the document: should be an object$", id=repr(value)) for value in (None, [], "plan", 1, [1])],
        pytest.param({}, "^version: missing$", id="an empty object"),
        pytest.param({"version": 1}, "^module: missing$", id="a version alone"),
    ],
)
def test_something_else_is_refused(value: Any, complaint: str) -> None:
    with pytest.raises(DocumentError, match=complaint):
        read_plan(value)


def unshared(value: Any) -> Any:
    """A copy in which no two places share an object."""
    match value:
        case dict():
            return {key: unshared(inner) for key, inner in value.items()}
        case list():
            return [unshared(inner) for inner in value]
        case _:
            return value


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a document."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


@pytest.mark.parametrize("junk", [None, True, -1, 1.5, "junk", [], {}, [[]], {"kind": "tensor"}], ids=repr)
def test_junk_anywhere_is_a_document_error_or_a_plan(lowered: Callable[..., Module], junk: Any) -> None:
    document = unshared(plan_document(lowered(TEXT)))
    refused = 0
    for path in list(places(document))[1:]:
        edited = unshared(document)
        put(edited, path, junk)
        try:
            read_plan(edited)
        except DocumentError:
            refused += 1
    assert refused > 150


def test_a_number_of_a_dim_has_a_limit(lowered: Callable[..., Module]) -> None:
    document = unshared(plan_document(lowered("fn f<N: Dim>(x: Tensor[N; f32]) -> f32 { return x[0] }"), functions=True))
    put(document, ("functions", 0, "generics", 0, "default"), {"dim": 2**4096})
    with pytest.raises(DocumentError, match=r"default\.dim: a number of more than 4096 bits"):
        read_plan(document)


def test_a_state_that_is_touched_must_be_declared(lowered: Callable[..., Module]) -> None:
    cell = "block Cell { state s: Tensor[1; f32] pub fn g(x: Tensor[1; f32]) -> Tensor[1; f32] { s = x return s } }"
    text = f"{cell}\nblock Model {{ sub cs: [Cell; 2] entry run(x: Tensor[1; f32]) -> Tensor[1; f32] {{ return cs[1].g(x) }} }}"
    document = unshared(plan_document(lowered(text)))
    read_plan(document)
    put(document, ("functions", 1, "states"), ["cs[*].t"])
    with pytest.raises(DocumentError, match=r"touches the state `cs\[\*\].s`, which is not among its states"):
        read_plan(document)


@pytest.mark.parametrize("key", ["test::B", "x::B"])
def test_a_block_has_one_key(lowered: Callable[..., Module], key: str) -> None:
    document = unshared(plan_document(lowered(TEXT)))
    document["blocks"] = {key: document["blocks"]["B"]}
    with pytest.raises(DocumentError, match=f"blocks.{key}: is not the key of block"):
        read_plan(document)


def test_regions_nested_too_deeply(lowered: Callable[..., Module]) -> None:
    document = unshared(plan_document(lowered("fn f(c: bool, x: f32) -> f32 { return if c { x } else { x } }"), functions=True))
    op = document["functions"][0]["body"]["ops"][0]
    one, inner = unshared(op), op
    for depth in range(150):
        deeper = unshared(one)
        deeper["results"][0]["id"] = 1000 + depth
        inner["regions"][0]["ops"].insert(0, deeper)
        inner = deeper
    with pytest.raises(DocumentError, match="regions more than 100 levels deep"):
        read_plan(document)
