"""Models as loaders hold them: from a file, a plan, a preset; the tree of members; the cache of printed source."""

from __future__ import annotations

import json
import os
import stat
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from linnet_core.errors import LinnetError, RuntimeFailure
from linnet_core.loading.generated import GeneratedModule
from linnet_core.loading.model import open_model, reopen
from linnet_core.loading.source import entry_source
from linnet_core.loading.source_cache import cached_source, code_digest
from linnet_core.loading.tree import leaves
from linnet_core.plan.write import plan_document
from linnet_core.targets.numpy.target import NumpyTarget

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = """module m

block Row<N: Dim, T: Float> where N > 0 {
    param w: Tensor[N; T]
    param bias: Tensor[N; T]?
    state seen: Tensor[N; T]
}

block M<N: Dim, L: Dim, T: Float = f32> where N > 2 {
    buffer scale: T
    sub rows: [Row<N, T>; L]
    sub extra: Row<N - 2, T>?

    pub entry run<B: Dim>(x: Tensor[B, N; T]) -> Tensor[B, N; T] { return x * scale }
}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "m.linnet").write_text(SOURCE)
    return tmp_path / "m.linnet"


def test_the_members_stand_in_order_with_numbers(path: Path) -> None:
    model = open_model(path, generics={"N": 3, "L": 2})
    assert [(leaf.path, leaf.kind, leaf.shape, leaf.dtype, leaf.optional) for leaf in leaves(model.tree)] == [
        ("scale", "buffer", (), "f32", False),
        ("rows.0.w", "param", (3,), "f32", False),
        ("rows.0.bias", "param", (3,), "f32", True),
        ("rows.0.seen", "state", (3,), "f32", False),
        ("rows.1.w", "param", (3,), "f32", False),
        ("rows.1.bias", "param", (3,), "f32", True),
        ("rows.1.seen", "state", (3,), "f32", False),
        ("extra.w", "param", (1,), "f32", False),
        ("extra.bias", "param", (1,), "f32", True),
        ("extra.seen", "state", (1,), "f32", False),
    ]
    absent = frozenset({"rows.0.bias", "extra"})
    assert [leaf.path for leaf in leaves(model.tree, absent) if leaf.kind == "param"] == ["rows.0.w", "rows.1.w", "rows.1.bias"]


def test_a_plan_is_the_same_model(path: Path, tmp_path: Path) -> None:
    model = open_model(path, generics={"N": 3, "L": 1})
    document = plan_document(model.module)
    (tmp_path / "plan.json").write_text(json.dumps(document))
    for other in (open_model(document, generics={"N": 3, "L": 1}), open_model(tmp_path / "plan.json", generics={"N": 3, "L": 1})):
        assert (other.tree, other.digest) == (model.tree, model.digest)
    again = reopen(model.plan, {"N": 3, "L": 1}, {}, "m::M", "equivalent")
    assert (again.tree, again.digest) == (model.tree, model.digest)


def test_the_plan_of_a_model_lists_functions_of_the_library_that_nothing_calls(tmp_path: Path) -> None:
    text = "module m\nuse std.nn.activations::silu\nentry f(x: Tensor[4; f32]) -> Tensor[4; f32] { return silu(x) }\n"
    (tmp_path / "m.linnet").write_text(text)
    model = open_model(tmp_path / "m.linnet")
    assert "std.nn.activations::gelu" in model.plan
    assert open_model(json.loads(model.plan)).digest == model.digest


WRONG = [
    pytest.param({"L": 1}, {}, "block `M` needs a value for `N`", id="missing"),
    pytest.param({"N": 3, "L": 1, "Q": 1}, {}, "block `M` has no generic `Q`; there are: N, L, T, B", id="unknown"),
    pytest.param({"N": 1, "L": 1}, {}, "of block `M` does not hold: 1 > 2 is false", id="where of the root"),
    pytest.param({"N": "x", "L": 1}, {}, "N=x: an integer is due", id="no size"),
    pytest.param({"N": 3, "L": 1, "T": "i32"}, {}, "`T` takes a float dtype", id="dtype class"),
    pytest.param({"N": 3, "L": 1}, {"root": "Q"}, "has no block `Q`", id="root"),
    pytest.param({"N": 3, "L": 1}, {"root": "Row"}, "block `Row` has no entry", id="no entry"),
    pytest.param({"N": 3, "L": 1}, {"numerics": "loose"}, "numerics is one of", id="policy"),
    pytest.param({"N": 3, "L": 1}, {"preset": "tiny"}, "there is no preset `tiny`", id="preset"),
]


@pytest.mark.parametrize(("generics", "options", "said"), WRONG)
def test_what_is_said_of_a_model_that_cannot_be_made(path: Path, generics: dict[str, Any], options: dict[str, Any], said: str) -> None:
    with pytest.raises(LinnetError) as caught:
        open_model(path, generics=generics, **options)
    assert said in str(caught.value)


def test_a_plan_that_forgets_a_fact_is_held_against_the_sub_blocks(path: Path) -> None:
    document = plan_document(open_model(path, generics={"N": 3, "L": 1}).module)
    document["blocks"]["M"]["constraints"] = document["root"]["constraints"] = []
    open_model(document, generics={"N": 3, "L": 1})
    with pytest.raises(LinnetError, match="of block `Row` does not hold: 0 > 0 is false"):
        open_model(document, generics={"N": 2, "L": 1})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LINNET_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "source"


def test_source_is_printed_once_and_kept_for_the_user_alone(path: Path, folder: Path) -> None:
    made: list[int] = []

    def target() -> NumpyTarget:
        made.append(1)
        return NumpyTarget("equivalent")

    model = open_model(path, generics={"N": 3, "L": 1})
    entry = model.entries["run"]
    bindings = model.bindings.joined(type(model.bindings)({entry.function.generics[0].id: 2}))
    texts = [entry_source(model, "run", bindings, frozenset({"extra", "rows.0.bias"}), target, "linnet_core") for _ in range(2)]
    assert texts[0] == texts[1]
    assert len(made) == 1
    printed = GeneratedModule(*texts[0])
    assert (printed.inputs, printed.parameters, printed.states, printed.results) == (["x"], ["scale", "rows.0.w"], [], 1)
    (kept,) = folder.iterdir()
    assert str(kept) == texts[0][1]
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def corrupt(kept: Path) -> None:
    kept.write_text(kept.read_text() + "raise SystemExit\n")


def truncate(kept: Path) -> None:
    kept.write_bytes(kept.read_bytes()[:-3])


def open_to_others(kept: Path) -> None:
    kept.chmod(0o666)


def link(kept: Path) -> None:
    kept.rename(kept.with_suffix(".real"))
    kept.symlink_to(kept.with_suffix(".real"))


def pipe(kept: Path) -> None:
    # nobody writes into it, so that who opens it as a file waits for ever
    kept.unlink()
    os.mkfifo(kept)


def not_text(kept: Path) -> None:
    kept.write_bytes(b"\xff\xfe")


@pytest.mark.parametrize("harm", [corrupt, truncate, open_to_others, link, pipe, not_text])
def test_a_kept_file_that_is_not_as_it_was_written_is_printed_again(folder: Path, harm: Any) -> None:
    assert cached_source(["k"], lambda: "x = 1\n")[0] == "x = 1\n"
    (kept,) = folder.iterdir()
    harm(kept)
    assert cached_source(["k"], lambda: "x = 2\n")[0] == "x = 2\n"
    assert cached_source(["k"], lambda: "x = 3\n")[0] == "x = 2\n"


def test_a_folder_that_others_may_write_is_not_used(folder: Path) -> None:
    cached_source(["k"], lambda: "x = 1\n")
    folder.chmod(0o777)
    assert cached_source(["k"], lambda: "x = 2\n") == ("x = 2\n", None)


def test_the_cache_can_be_switched_off(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINNET_CACHE", "")
    assert cached_source(["k"], lambda: "x = 1\n") == ("x = 1\n", None)
    assert not os.path.exists(folder)


def test_what_a_package_printed_before_it_changed_counts_no_more(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "backend" / "__init__.py"
    file.parent.mkdir()
    file.write_text("")
    backend = ModuleType("a_backend")
    backend.__file__ = str(file)
    monkeypatch.setitem(sys.modules, "a_backend", backend)
    for text in ("x = 1\n", "x = 2\n"):
        assert cached_source(["k"], lambda text=text: text, ("a_backend",))[0] == "x = 1\n"
    file.write_text("changed = True")
    code_digest.cache_clear()  # of each process, whose code does not change while it runs
    assert cached_source(["k"], lambda: "x = 2\n", ("a_backend",))[0] == "x = 2\n"
    code_digest.cache_clear()


def test_no_part_of_a_key_runs_into_the_next(folder: Path) -> None:
    cached_source(["a\\0b", "c"], lambda: "x = 1\n")
    assert cached_source(["a", "b\\0c"], lambda: "x = 2\n")[0] == "x = 2\n"


def test_a_parameter_that_no_machine_can_hold_is_said_before_one_is_made(path: Path) -> None:
    with pytest.raises(RuntimeFailure, match=r"`rows.0.w` \(f32\[4611686018427387904\]\) is larger than an array can be"):
        open_model(path, generics={"N": 2**62, "L": 1})
