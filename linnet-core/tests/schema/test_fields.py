"""Fields of a document: what is read, and the place in every complaint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from linnet_core.errors import DocumentError
from linnet_core.schema.fields import (
    bool_at,
    fail,
    integer_at,
    list_at,
    mapping_at,
    object_at,
    text_at,
    tuple_at,
    typed_at,
    word_at,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def one_field(value: Any, where: str) -> Any:
    return object_at(value, where, ("a",), ("b",))


def a_word(value: Any, where: str) -> str:
    return word_at(value, where, ("dim", "shape"))


def integers(value: Any, where: str) -> tuple[int, ...]:
    return tuple_at(value, where, integer_at)


def typed_list(value: Any, where: str) -> Any:
    return typed_at(value, where, tuple[int, ...])


def typed_texts(value: Any, where: str) -> Any:
    return typed_at(value, where, tuple[str, ...])


def typed_map(value: Any, where: str) -> Any:
    return typed_at(value, where, dict[str, str])


def typed_text(value: Any, where: str) -> Any:
    return typed_at(value, where, str | None)


@pytest.mark.parametrize(
    ("read", "value", "result"),
    [
        pytest.param(one_field, {"a": 1}, {"a": 1}, id="a field"),
        pytest.param(one_field, {"b": 2, "a": 1}, {"b": 2, "a": 1}, id="an optional field"),
        pytest.param(mapping_at, {"x": 1}, {"x": 1}, id="keys of its own"),
        pytest.param(list_at, [1], [1], id="a list"),
        pytest.param(list_at, (1,), (1,), id="a tuple for a list"),
        pytest.param(text_at, "\u00e9", "\u00e9", id="a text"),
        pytest.param(integer_at, -1, -1, id="an integer"),
        pytest.param(bool_at, False, False, id="a bool"),
        pytest.param(a_word, "shape", "shape", id="a word"),
        pytest.param(integers, [1, 2], (1, 2), id="integers"),
        pytest.param(typed_list, [1, 2], (1, 2), id="a typed list"),
        pytest.param(typed_text, None, None, id="a typed null"),
    ],
)
def test_what_is_read(read: Callable[[Any, str], Any], value: Any, result: Any) -> None:
    found = read(value, "here")
    assert found == result
    assert type(found) is type(result)


@pytest.mark.parametrize(
    ("read", "value", "complaint"),
    [
        pytest.param(one_field, [], "here: should be an object", id="a list for an object"),
        pytest.param(one_field, {}, "here.a: missing", id="a field missing"),
        pytest.param(one_field, {"a": 1, "c": 1}, "here.c: no such field", id="a field too many"),
        pytest.param(mapping_at, None, "here: should be an object", id="null for an object"),
        pytest.param(list_at, {}, "here: should be a list", id="an object for a list"),
        pytest.param(list_at, "ab", "here: should be a list", id="a text for a list"),
        pytest.param(text_at, 1, "here: should be a string", id="a number for a text"),
        pytest.param(text_at, "f\ud800", "here: half of a surrogate pair is no text", id="half a pair"),
        pytest.param(integer_at, True, "here: should be an integer", id="a bool for an integer"),
        pytest.param(integer_at, 1.0, "here: should be an integer", id="a float for an integer"),
        pytest.param(bool_at, 1, "here: should be true or false", id="a number for a bool"),
        pytest.param(a_word, "pack", "here: should be one of dim, shape", id="another word"),
        pytest.param(a_word, ["dim"], "here: should be one of dim, shape", id="a list for a word"),
        pytest.param(integers, [1, None], "here[1]: should be an integer", id="an element"),
        pytest.param(typed_list, [1, 2.0], "here: expected `int`, got `float`", id="a typed list with a float"),
        pytest.param(typed_text, "f\ud800", "here: half of a surrogate pair is no text", id="half a pair as a typed text"),
        pytest.param(typed_texts, ["f", "\ud800"], "here[1]: half of a surrogate pair is no text", id="half a pair in a typed list"),
        pytest.param(typed_map, {"a": "\ud800"}, "here.a: half of a surrogate pair is no text", id="half a pair in a typed object"),
        pytest.param(mapping_at, {"\ud800": 1}, "here: half of a surrogate pair is no text", id="half a pair as a key"),
    ],
)
def test_what_is_refused(read: Callable[[Any, str], Any], value: Any, complaint: str) -> None:
    with pytest.raises(DocumentError) as raised:
        read(value, "here")
    assert str(raised.value).startswith(complaint)


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        pytest.param([], "the document: should be an object", id="no object"),
        pytest.param({}, "a: missing", id="a field missing"),
        pytest.param({"a": 1, "c": 1}, "c: no such field", id="a field too many"),
    ],
)
def test_the_document_itself_has_no_place(value: Any, complaint: str) -> None:
    with pytest.raises(DocumentError, match=f"^{complaint}$"):
        one_field(value, "")


def test_a_reader_refuses_in_its_own_words() -> None:
    with pytest.raises(DocumentError, match=r"^values\[0\]: a size is negative$"):
        fail("values[0]", "a size is negative")
