"""The public items of the standard library have the signatures models are written against, name for name and generic for generic."""

from __future__ import annotations

from pathlib import Path

import pytest
from public_items import Item, items, modules, one_line

CONTRACT = Path(__file__).parent / "signatures.txt"

#: Public items whose signature nobody was promised.
OPEN = {"std.quant": {"unpack_uint4", "dequantize_fp8", "linear_fp8"}}


def promised() -> dict[str, dict[str, str]]:
    """Signatures by module and name."""
    found: dict[str, dict[str, str]] = {}
    module, name = "", ""
    for line in CONTRACT.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            module = line.removeprefix("# ")
            found[module] = {}
        elif line.startswith("    "):
            found[module][name] += f"\n{line}"
        elif line:
            name = line.split("<")[0].split("(")[0].split(":")[0].split()[2]
            found[module][name] = line
    return found


def there(module: str) -> dict[str, Item]:
    return {item.name: item for item in items(modules()[module].read_text(encoding="utf-8"))}


@pytest.mark.parametrize("module", list(modules()))
def test_a_module_has_the_promised_signatures(module: str) -> None:
    found = {name: item.signature for name, item in there(module).items() if name not in OPEN.get(module, set())}
    assert found == promised()[module]


def test_every_promised_module_is_there() -> None:
    assert set(modules()) == set(promised())


@pytest.mark.parametrize("module", list(modules()))
def test_every_public_item_says_what_it_computes(module: str) -> None:
    assert [name for name, item in there(module).items() if not item.doc] == []


WRITTEN = """module std.m

// About the module.
// More.

/// `x + y`
pub op add<
    N: Dim,
    T: Float,
>(
    x: Tensor[N; T],
    y: Tensor[N; T]? = none,
) -> Tensor[N; T]
where N > 0 {
    let a = x
    return a
}

pub block Held<N: Dim>
where N > 0 {
    param w: Tensor[N; f32]

    pub fn forward<*S: Shape>(
        x: Tensor[*S; f32],
    ) -> Tensor[*S; f32] {
        return x
    }

    fn own() -> f32 {
        return 0.0
    }
}

fn private() -> f32 {
    return 0.0
}
"""


def test_a_source_is_taken_apart() -> None:
    add, held = items(WRITTEN)
    assert (add.kind, add.name, add.doc) == ("op", "add", "`x + y`")
    assert add.signature == "pub op add<N: Dim, T: Float>(x: Tensor[N; T], y: Tensor[N; T]? = none) -> Tensor[N; T] where N > 0"
    assert held.doc == ""
    assert held.signature == (
        "pub block Held<N: Dim> where N > 0\n    param w: Tensor[N; f32]\n"
        "    pub fn forward<*S: Shape>(x: Tensor[*S; f32]) -> Tensor[*S; f32]"
    )


@pytest.mark.parametrize(
    ("written", "other"),
    [
        pytest.param("pub op f<A: Dim, B: Dim>()", "pub op f<B: Dim, A: Dim>()", id="order of generics"),
        pytest.param("pub op f(x: f32 = 1e-5)", "pub op f(x: f32)", id="default"),
        pytest.param("pub op f(x: f32)", "pub op f(y: f32)", id="name"),
    ],
)
def test_a_difference_is_seen(written: str, other: str) -> None:
    assert one_line(written) != one_line(other)
