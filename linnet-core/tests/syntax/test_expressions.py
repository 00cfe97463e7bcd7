"""How expressions group: precedence, postfixes, generic arguments or comparisons, reductions, slices."""

from __future__ import annotations

import pytest

from linnet_core.syntax import tree
from linnet_core.syntax.parse_file import parse
from linnet_core.text.diagnostic import Diagnostics
from linnet_core.text.source import Source


def value_of(text: str) -> tree.Expression:
    """The value of `let _v = text`."""
    diagnostics = Diagnostics()
    file = parse(Source("t.linnet", f"module m\nfn f() {{ let _v = {text}\n return }}"), diagnostics)
    assert [(d.code, d.message) for d in diagnostics.found] == []
    (function,) = file.items
    assert isinstance(function, tree.Function)
    first = function.body[0]
    assert isinstance(first, tree.Let)
    return first.value


def spell(node: object) -> str:
    """The node with every grouping written out."""
    match node:
        case None:
            return ""
        case tree.IntLiteral():
            return str(node.value)
        case tree.FloatLiteral():
            return node.text
        case tree.BoolLiteral():
            return str(node.value).lower()
        case tree.StringLiteral():
            return repr(node.value)
        case tree.Ref():
            return node.name
        case tree.Tuple():
            return f"tuple({', '.join(map(spell, node.elements))})"
        case tree.List():
            return f"[{', '.join(map(spell, node.elements))}]"
        case tree.PackRef() | tree.PackComponent():
            return f"*{node.name.text}"
        case tree.Unary():
            return f"({node.operator}{spell(node.operand)})"
        case tree.Binary():
            return f"({spell(node.left)} {node.operator} {spell(node.right)})"
        case tree.Field():
            return f"{spell(node.base)}.{node.name.text}"
        case tree.Call():
            args = "" if node.generics is None else f"<{', '.join(map(spell, node.generics))}>"
            return f"{spell(node.callee)}{args}({', '.join(map(spell, node.arguments))})"
        case tree.Argument():
            return spell(node.value) if node.name is None else f"{node.name.text}={spell(node.value)}"
        case tree.Index():
            return f"{spell(node.base)}[{', '.join(map(spell, node.components))}]"
        case tree.At():
            return spell(node.value)
        case tree.Ellipsis_():
            return "..."
        case tree.Slice():
            return f"{spell(node.start)}:{spell(node.stop)}:{spell(node.step)}"
        case tree.Reduction():
            dtype = "" if node.dtype is None else f"<{node.dtype.text}>"
            indices = ", ".join(("*" if index.pack else "") + index.name for index in node.indices)
            return f"{node.kind}{dtype}[{indices}]{{{spell(node.body)}}}"
        case tree.Some():
            return f"some({spell(node.value)})"
        case tree.NoneLiteral():
            return "none"
        case tree.If():
            return f"if({spell(node.condition)}, {spell(node.then)}, {spell(node.otherwise)})"
        case tree.Match():
            return f"match({spell(node.subject)}; {'; '.join(f'{spell(a.pattern)}: {spell(a.value)}' for a in node.arms)})"
        case tree.ForExpression():
            return f"for({node.loop.name.text}, {spell(node.loop.start)}, {spell(node.loop.stop)}, {len(node.loop.body)})"
        case tree.NamePattern():
            return node.name
        case tree.SomePattern():
            return f"some({spell(node.inner)})"
        case tree.NonePattern():
            return "none"
        case tree.TuplePattern():
            return f"tuple({', '.join(map(spell, node.elements))})"
        case tree.NamedType():
            return node.path.text + ("" if node.args is None else f"<{', '.join(map(spell, node.args))}>")
        case tree.TensorType():
            return f"Tensor[{', '.join(map(spell, node.dims))}; {spell(node.dtype)}]"
        case tree.ShapeArg():
            return f"shape[{', '.join(map(spell, node.dims))}]"
        case tree.OptionalType():
            return f"{spell(node.inner)}?"
        case _:
            raise AssertionError(f"no spelling of {type(node).__name__}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a + b - c", "((a + b) - c)", id="left associative"),
        pytest.param("a / b * c % d", "(((a / b) * c) % d)", id="products are one level"),
        pytest.param("a + b * c", "(a + (b * c))", id="product over sum"),
        pytest.param("a || b && c || d", "((a || (b && c)) || d)", id="and over or"),
        pytest.param("x & 1 == 1", "((x & 1) == 1)", id="bits over equality, unlike C"),
        pytest.param("a == b & c < d", "(a == ((b & c) < d))", id="comparison over equality"),
        pytest.param("a | b ^ c & d + e", "(a | (b ^ (c & (d + e))))", id="bits"),
        pytest.param("a < b == c > d", "((a < b) == (c > d))", id="comparisons inside an equality"),
        pytest.param("(a + b) * c", "((a + b) * c)", id="parentheses leave no node"),
        pytest.param("-a * b", "((-a) * b)", id="unary over product"),
        pytest.param("-a.b[0]", "(-a.b[0])", id="postfix over unary"),
        pytest.param("!a && +b == c", "((!a) && ((+b) == c))", id="unary operators"),
        pytest.param("x - -y", "(x - (-y))", id="minus minus"),
        pytest.param("-(-x)", "(-(-x))", id="minus in parentheses"),
        pytest.param("-128", "-128", id="a minus belongs to its integer"),
        pytest.param("x - 1", "(x - 1)", id="a minus between is infix"),
        pytest.param("x -1", "(x - 1)", id="white space says nothing"),
        pytest.param("-9223372036854775808", "-9223372036854775808", id="smallest integer"),
        pytest.param("9223372036854775807", "9223372036854775807", id="largest integer"),
        pytest.param("-1_0.5e1_0", "-10.5e10", id="the text of a float"),
        pytest.param("0xff + 0b1_01", "(255 + 5)", id="other bases"),
        pytest.param(r'"a\n\u{e9}\\"', repr("a\né\\"), id="string"),
        pytest.param("(a, b)", "tuple(a, b)", id="pair"),
        pytest.param("(a,)", "tuple(a)", id="one element"),
        pytest.param("[a, *S, 2 * H]", "[a, *S, (2 * H)]", id="list"),
        pytest.param("[]", "[]", id="empty list"),
        pytest.param("f(a, k = b,)", "f(a, k=b)", id="call"),
        pytest.param("a.b(c).d[0](e)", "a.b(c).d[0](e)", id="postfix chain"),
        pytest.param("x\n(y)", "x(y)", id="a parenthesis on the next line continues"),
        pytest.param("x[:, ..., a:b, ::2, 0::2, a:b:c, *s, 3]", "x[::, ..., a:b:, ::2, 0::2, a:b:c, *s, 3]", id="components"),
        pytest.param("some(x)", "some(x)", id="some"),
        pytest.param("match m { none => 0 some(_) => 1 }", "match(m; none: 0; some(_): 1)", id="optional match"),
        pytest.param("match m { A => f(x) B => y[0] }", "match(m; A: f(x); B: y[0])", id="enum match"),
        pytest.param("match m { some((a, b)) => a none => c }", "match(m; some(tuple(a, b)): a; none: c)", id="tuple in some"),
        pytest.param("if a && b { c } else { if d { e } else { f } }", "if((a && b), c, if(d, e, f))", id="if"),
        pytest.param("for i in 0..N { yield i }", "for(i, 0, N, 1)", id="scan"),
        pytest.param(
            "f((for i in 0..N { yield i }), for j in a..b + 1 { yield j })",
            "f(for(i, 0, N, 1), for(j, a, (b + 1), 1))",
            id="for inside parses",
        ),
        pytest.param("f<A>(x)", "f<A>(x)", id="generic call"),
        pytest.param(
            "f<8 * D, H / Heads, [B, *S], [], Tensor[N; f32], T?>(x)",
            "f<(8 * D), (H / Heads), shape[B, *S], shape[], Tensor[N; f32], T?>(x)",
            id="kinds of arguments",
        ),
        pytest.param("f<(a < b)>(x)", "f<(a < b)>(x)", id="a comparison in parentheses as an argument"),
        pytest.param("f<g<A>(x), h.K<B>>(y)", "f<g<A>(x), h.K<B>>(y)", id="arguments inside arguments"),
        pytest.param("cast<f32>(x)", "cast<f32>(x)", id="cast"),
        pytest.param("m.f<N, 3,>(x)", "m.f<N, 3>(x)", id="generic call through a module"),
        pytest.param("a < b && c > (d)", "((a < b) && (c > d))", id="two comparisons"),
        pytest.param("a < b > (c)", "((a < b) > c)", id="a space before the parenthesis"),
        pytest.param("a < b", "(a < b)", id="less"),
        pytest.param("f(a < b, c > d)", "f((a < b), (c > d))", id="comparisons as arguments of a call"),
        pytest.param("f(a < b, c > (d))", "f((a < b), (c > d))", id="with a space it stays a comparison"),
        pytest.param("f(a < b, c >(d))", "f(a<b, c>(d))", id="without one it is a generic call"),
        pytest.param("x[a < b] > (c)", "(x[(a < b)] > c)", id="a bracket hides its angles"),
        pytest.param("sum[i] a[i] * b[i] + c", "sum[i]{((a[i] * b[i]) + c)}", id="a reduction takes everything"),
        pytest.param("x + sum[i] a[i] > 0.0", "(x + sum[i]{(a[i] > 0.0)})", id="comparisons included"),
        pytest.param("-(sum[b] x[b]) / n", "((-sum[b]{x[b]}) / n)", id="until its parenthesis"),
        pytest.param("sum<f32>[i, *s] x[i, *s]", "sum<f32>[i, *s]{x[i, *s]}", id="dtype and pack"),
        pytest.param("max(A, B) + min(A, 4)", "(max(A, B) + min(A, 4))", id="max and min as functions"),
        pytest.param("sum < product", "(sum < product)", id="sum as a name"),
        pytest.param("any && all || prod", "((any && all) || prod)", id="any, all and prod as names"),
        pytest.param("if any { prod(a, b) } else { sum + all }", "if(any, prod(a, b), (sum + all))", id="such names in branches"),
        pytest.param("grad + grid * warps - store", "((grad + (grid * warps)) - store)", id="words of one place as names"),
    ],
)
def test_expressions_group_as_the_grammar_says(text: str, expected: str) -> None:
    assert spell(value_of(text)) == expected


@pytest.mark.parametrize(
    ("text", "of", "expected"),
    [
        pytest.param("(a + b) * c", tree.Binary, "(a + b) * c", id="operands in parentheses count"),
        pytest.param("a + (b)", tree.Binary, "a + (b)", id="the last parenthesis counts"),
        pytest.param("(a + b)", tree.Binary, "a + b", id="outer parentheses do not"),
        pytest.param("-128", tree.IntLiteral, "-128", id="minus and number"),
        pytest.param("(a)[0]", tree.Index, "(a)[0]", id="postfix of a parenthesis"),
        pytest.param("f<N>(x)", tree.Call, "f<N>(x)", id="generic call"),
        pytest.param("x[0].y", tree.Field, "x[0].y", id="field"),
        pytest.param("match x { none => 1 }", tree.Match, "match x { none => 1 }", id="match"),
    ],
)
def test_spans_cover_the_words_of_a_node(text: str, of: type, expected: str) -> None:
    node = value_of(text)
    assert isinstance(node, of)
    assert node.span.text == expected


def test_the_head_of_a_reduction_has_its_own_span() -> None:
    node = value_of("1.0 + sum<f32>[i, j] x[i, j]")
    assert isinstance(node, tree.Binary)
    assert isinstance(node.right, tree.Reduction)
    assert node.right.head.text == "sum<f32>[i, j]"
