"""Text of a kernel from a document goes into generated source only if a writer can have written it."""

from __future__ import annotations

import pytest

from linnet_core.graph.calls import KernelProgram, LaunchKernel, Operand
from linnet_core.python_source.program_text import Grammar, called_in, program_fault

LOOPS = Grammar(
    functions=frozenset(("tl.load", "tl.store", "tl.full", "float", "_div")),
    values=frozenset(("tl.int32", "_largest")),
    methods=frozenset(("to",)),
    attributes=frozenset(("T",)),
    keywords=frozenset(("mask",)),
    strings=frozenset(("ieee", "inf")),
    stores=False,
)
FUNCTIONS = Grammar(LOOPS.functions, LOOPS.values, LOOPS.methods, LOOPS.attributes, LOOPS.keywords, LOOPS.strings, stores=True)
LOOP = "def v0_loop(v0_number, v0_carried):\n    v1 = v0_carried\n    return (v1,)\nv2 = _div(v0_loop, m0_x)"


def launch(body: str, parameters: tuple[str, ...] = ("m0_x", "m1_y"), atomics: dict[str, str] | None = None) -> LaunchKernel:
    return LaunchKernel(
        callee="m::f",
        name="m::k",
        program=KernelProgram(parameters, body, atomics or {}),
        grid=(1,),
        result_shapes=((4,),),
        result_dtypes=("f32",),
        warps=0,
        stages=0,
        operands=(Operand("x", (4,), "f32"),),
    )


@pytest.mark.parametrize(
    ("body", "grammar"),
    [
        pytest.param("v0 = tl.load(m0_x, mask=None)\ntl.store(m1_y, v0.to(tl.int32).T)", LOOPS, id="calls"),
        pytest.param('v0 = (m0_x[:, None] + -1) % 2 < float("inf")', LOOPS, id="operators"),
        pytest.param(
            "for v0_number in range(0, 4):\n    v1 = v0_number\n    for v2_number in range(0, 2):\n        v1 = v1", LOOPS, id="loops"
        ),
        pytest.param(LOOP, FUNCTIONS, id="a function of a loop"),
        pytest.param("m1_y[0, 1] = m0_x[()]", FUNCTIONS, id="a store"),
    ],
)
def test_what_writers_write_is_taken(body: str, grammar: Grammar) -> None:
    assert program_fault(launch(body), grammar) is None


@pytest.mark.parametrize(
    ("body", "due"),
    [
        pytest.param("", "program.body: it is empty", id="nothing"),
        pytest.param("\n \n", "program.body: it is empty", id="blank lines"),
        pytest.param("import os", "line 1: no writer writes a statement `Import`", id="import"),
        pytest.param("v0 = 1\nfrom os import path", "line 2: no writer writes a statement `ImportFrom`", id="import from"),
        pytest.param("v0 = __import__(m0_x)", "no writer calls `__import__`", id="a dunder called"),
        pytest.param("v0 = m0_x.__class__", "no writer reads `.__class__`", id="a dunder read"),
        pytest.param("v0 = tl.load.__globals__[0]", "no writer reads `.__globals__`", id="behind a function"),
        pytest.param("v0 = tl.load", "no writer reads `.load`", id="a function that is not called"),
        pytest.param("v0 = tl.os.system(m0_x)", "no writer calls `tl.os.system`", id="another function"),
        pytest.param("v0 = eval", "`eval` is not known there", id="a builtin"),
        pytest.param("v0 = v1", "`v1` is not known there", id="a name not given"),
        pytest.param("torch = 1", "`torch` is no name a writer gives", id="a name taken over"),
        pytest.param("m0_x = 1", "`m0_x` is no name a writer gives", id="a parameter taken over"),
        pytest.param("v0 = v9 = 1", "no writer writes a statement `Assign`", id="two targets"),
        pytest.param("v0 = (lambda: 1)()", "no writer calls `Lambda`", id="lambda"),
        pytest.param("v0 = (v1 for v1 in m0_x)", "an expression `GeneratorExp`", id="generator"),
        pytest.param("v0 = (v1 := 1)", "an expression `NamedExpr`", id="walrus"),
        pytest.param('v0 = f"ieee"', "an expression `JoinedStr`", id="f-string"),
        pytest.param('v0 = "os"', "no writer writes 'os'", id="a string"),
        pytest.param("v0 = tl.load(*m0_x)", "an expression `Starred`", id="star"),
        pytest.param("v0 = tl.load(**m0_x)", "no writer gives an argument `None`", id="two stars"),
        pytest.param("v0 = tl.load(m0_x, file=1)", "no writer gives an argument `file`", id="another keyword"),
        pytest.param("v0 = 2**9", "an expression `Pow`", id="a power that takes forever"),
        pytest.param("v0 = 1 # x", "'#' stands in no program", id="comment"),
        pytest.param("v0 = 1; v1 = 2", "';' stands in no program", id="semicolon"),
        pytest.param("@tl.load\ndef v0_loop(v0_number, v0_carried):\n    return (1,)", "'@' stands in no program", id="decorator"),
        pytest.param("v0 = 1\rimport os", r"'\r' stands in no program", id="carriage return"),
        pytest.param("v0 = 1\x0cimport os", r"'\x0c' stands in no program", id="form feed"),
        pytest.param("v0 = 1 + \\\n1", r"'\\' stands in no program", id="backslash"),
        pytest.param("\uff56\uff10 = 1", "stands in no program", id="letters that Python takes for others"),
        pytest.param("    v0 = 1", "it is no Python", id="indented"),
        pytest.param("return (1,)\nv0 = 2", "a statement `Return`", id="return"),
        pytest.param("def v0_loop(v0_number, v0_carried):\n    return (1,)", "a statement `FunctionDef`", id="a function"),
        pytest.param("while 1:\n    v0 = 1", "a statement `While`", id="while"),
        pytest.param("for v0_number in m0_x:\n    v1 = 1", "a statement `For`", id="another loop"),
        pytest.param("v0 = " + "(" * 5_000 + "1" + ")" * 5_000, "it is no Python", id="deep"),
        pytest.param("v0 = " + "9" * 5_000, "it is no Python", id="a long number"),
        pytest.param("m1_y[0] = m0_x", "a statement `Assign`", id="a store where none is written"),
        pytest.param('"""\nimport os\n"""', "a statement `Expr`", id="a string over lines"),
    ],
)
def test_other_text_is_refused_with_its_line(body: str, due: str) -> None:
    found = program_fault(launch(body), LOOPS)
    assert found is not None
    assert found.startswith("program.body: ")
    assert due in found


@pytest.mark.parametrize(
    ("body", "due"),
    [
        pytest.param(LOOP.replace("v0_carried)", "v0_carried=tl)"), "is no function of a loop", id="default"),
        pytest.param(LOOP.replace("v0_carried)", "v0_carried: tl)"), "is no function of a loop", id="annotation"),
        pytest.param(LOOP.replace("v0_carried)", "v0_carried, *v3)"), "is no function of a loop", id="star"),
        pytest.param(LOOP.replace("):", ") -> tl:"), "is no function of a loop", id="result"),
        pytest.param(LOOP.replace("def v0_loop", "def print"), "`print` is no name a writer gives", id="a builtin taken over"),
        pytest.param(LOOP + "\nv3 = v1", "`v1` is not known there", id="a name of the inside"),
        pytest.param("v0 = m0_x\nv0[0] = 1", "`v0` is no parameter", id="a store elsewhere"),
        pytest.param("tl.load[0] = 1", "a statement `Assign`", id="a store into a module"),
        pytest.param("async " + LOOP, "a statement `AsyncFunctionDef`", id="async"),
    ],
)
def test_other_functions_are_refused(body: str, due: str) -> None:
    assert due in str(program_fault(launch(body), FUNCTIONS))


@pytest.mark.parametrize(
    ("call", "due"),
    [
        pytest.param(launch("v0 = 1", ("m0_x",)), "program.parameters: 2 are due, not 1", id="too few"),
        pytest.param(launch("v0 = 1", ("m0_x", "m1_y):\n    import os")), "program.parameters[1]: ", id="text"),
        pytest.param(launch("v0 = 1", ("m0_x", "m0_x")), "program.parameters[1]: 'm0_x'", id="twice"),
        pytest.param(launch("v0 = 1", ("m0_x", "m1_=os")), "program.parameters[1]: ", id="a default"),
        pytest.param(launch("v0 = 1", atomics={"m0_x": "sum"}), "program.atomics: 'm0_x'", id="no result is accumulated"),
        pytest.param(launch("v0 = 1", atomics={"m1_y": "os"}), "program.atomics: 'm1_y' with 'os'", id="in no known way"),
    ],
)
def test_parameters_are_names_a_writer_gives(call: LaunchKernel, due: str) -> None:
    assert str(program_fault(call, LOOPS)).startswith(due)


def test_functions_of_ours_are_found() -> None:
    assert called_in(KernelProgram((), "v0 = _rem(_div(m0_x, 1), tl._no(2))\nv1 = _largest", {})) == ["_div", "_rem"]
