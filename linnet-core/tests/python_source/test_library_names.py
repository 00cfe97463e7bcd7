"""Names of library calls are taken apart as the table spells them."""

from __future__ import annotations

import pytest

from linnet_core.python_source.library_names import base_name


@pytest.mark.parametrize(
    ("implementation", "name", "words"),
    [
        pytest.param("torch.matmul", "torch.matmul", set(), id="nothing said of it"),
        pytest.param("torch.nn.functional.gelu(tanh)", "torch.nn.functional.gelu", {"tanh"}, id="one word"),
        pytest.param("torch.softmax (input dtype)", "torch.softmax", {"input dtype"}, id="two words in one"),
        pytest.param("f (enable_gqa) (input dtype)", "f", {"enable_gqa", "input dtype"}, id="two"),
    ],
)
def test_a_name_and_what_is_said_of_it(implementation: str, name: str, words: set[str]) -> None:
    assert base_name(implementation) == (name, words)
