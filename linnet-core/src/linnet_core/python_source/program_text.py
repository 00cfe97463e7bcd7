"""Whether the text of a kernel is one a writer can have written.

In: a `launch_kernel`, perhaps read from a document, and the grammar of the language its program is in.  Out: what is wrong with it, with
the field, or None.  The text goes into generated source, so nothing is let through that is not known: statements, calls, attributes, names
and strings are each taken from a list, and a name is used after it was given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.errors import DocumentError

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from linnet_core.graph.calls import KernelProgram, LaunchKernel

_CHARACTERS = frozenset('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ .,:()[]+-*/%&|^~<>=!"')
_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_ACCUMULATED = ("sum", "max", "min")
#: Nodes of expressions that say nothing by themselves; what they hold is looked at.
_PLAIN = frozenset((
    "BinOp", "UnaryOp", "Compare", "Tuple", "Slice", "Subscript", "Load", "Store", "Add", "Sub", "Mult", "Div", "FloorDiv", "Mod",
    "BitAnd", "BitOr", "BitXor", "LShift", "RShift", "Invert", "USub", "Eq", "NotEq", "Lt", "LtE", "Gt", "GtE",
))  # fmt: skip


class Grammar(Struct, frozen=True):
    """What the programs of a language are made of; names with dots are written out.

    `functions` are called; `values` stand for themselves; `methods` are called on any expression and `attributes` read from one;
    `stores` says that a parameter is assigned at an index.
    """

    functions: frozenset[str]
    values: frozenset[str]
    methods: frozenset[str]
    attributes: frozenset[str]
    keywords: frozenset[str]
    strings: frozenset[str]
    stores: bool


def called_in(program: KernelProgram) -> list[str]:
    """The functions of ours that the text calls, in the order of their names."""
    import re

    return sorted(set(re.findall(r"(?<![\w.])(_\w+)\(", program.body)))


def program_fault(call: LaunchKernel, grammar: Grammar) -> str | None:
    """What is wrong with the program of the call; None where it can be printed."""
    program = call.program
    if not program.body.strip():
        return "program.body: it is empty, as that of a kernel that cannot be written"
    due = len(call.operands) + len(call.result_shapes)
    if len(program.parameters) != due:
        return f"program.parameters: {due} are due, not {len(program.parameters)}"
    for at, name in enumerate(program.parameters):
        if not name.startswith(f"m{at}_") or not _NAME_CHARACTERS.issuperset(name):
            return f"program.parameters[{at}]: {name!r} is no name a writer gives"
    for name, kind in program.atomics.items():
        if name not in program.parameters[len(call.operands) :] or kind not in _ACCUMULATED:
            return f"program.atomics: {name!r} with {kind!r} is no result that is accumulated"
    return _body_fault(program, grammar)


def _body_fault(program: KernelProgram, grammar: Grammar) -> str | None:
    import ast

    for number, line in enumerate(program.body.split("\n"), 1):
        strange = next((character for character in line if character not in _CHARACTERS), None)
        if strange is not None:
            return f"program.body: line {number}: {strange!r} stands in no program a writer writes"
    try:
        tree = ast.parse(program.body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "program.body: it is no Python"
    try:
        _Checker(grammar, program.parameters).statements(tree.body)
    except DocumentError as fault:
        return f"program.body: {fault}"
    except RecursionError:
        return "program.body: it is nested too deeply"
    return None


class _Checker:
    """Walks a body; `known` are the names given so far."""

    def __init__(self, grammar: Grammar, parameters: tuple[str, ...]) -> None:
        self.grammar = grammar
        self.parameters = frozenset(parameters)
        self.known = set(parameters)

    def statements(self, body: list[ast.stmt], inside: str = "") -> None:
        """The statements of one scope; `inside` is the function that a `return` ends."""
        import ast

        for at, statement in enumerate(body):
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self.expression(value)
                    self.give(name, statement)
                case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=index)], value=value) if self.grammar.stores:
                    if name not in self.parameters:
                        raise _fault(statement, f"`{name}` is no parameter")
                    self.expression(index)
                    self.expression(value)
                case ast.Expr(value=ast.Call() as call):
                    self.expression(call)
                case ast.For(
                    target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=[start, stop], keywords=[]), orelse=[]
                ):
                    self.expression(start)
                    self.expression(stop)
                    self.give(name, statement)
                    self.statements(statement.body)
                case ast.FunctionDef() if self.grammar.stores:
                    self.function(statement)
                case ast.Return(value=ast.Tuple() as value) if inside and at == len(body) - 1:
                    self.expression(value)
                case _:
                    raise _fault(statement, f"no writer writes a statement `{type(statement).__name__}`")

    def function(self, function: ast.FunctionDef) -> None:
        """The body of a loop: a function of the number and what is carried, and nothing more."""
        given = function.args
        names = [argument.arg for argument in given.args]
        plain = not (function.decorator_list or function.returns or getattr(function, "type_params", None) or function.type_comment)
        plain = plain and not (given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg or given.defaults)
        if not plain or len(names) != 2 or any(argument.annotation for argument in given.args):
            raise _fault(function, f"`{function.name}` is no function of a loop")
        outer = set(self.known)
        for name in names:
            self.give(name, function)
        self.statements(function.body, function.name)
        self.known = outer
        self.give(function.name, function)

    def give(self, name: str, node: ast.AST) -> None:
        """A name a writer counts: `v3`, or `v3_number` of a loop."""
        head, _, rest = name.partition("_")
        if not (head.startswith("v") and head[1:].isdigit()) or rest not in ("", "number", "carried", "loop"):
            raise _fault(node, f"`{name}` is no name a writer gives")
        self.known.add(name)

    def expression(self, root: ast.expr) -> None:
        """Everything in an expression, by a list of our own, so that depth costs no stack."""
        waiting: list[ast.AST] = [root]
        while waiting:
            waiting += self.parts(waiting.pop())

    def parts(self, node: ast.AST) -> Iterator[ast.AST]:
        """What is to be looked at inside a node that may stand where it does."""
        import ast

        grammar = self.grammar
        match node:
            case ast.Name(id=name):
                if name not in self.known and name not in grammar.values:
                    raise _fault(node, f"`{name}` is not known there")
            case ast.Constant(value=value):
                if not (value is None or isinstance(value, bool | int | float) or (isinstance(value, str) and value in grammar.strings)):
                    raise _fault(node, f"no writer writes {value!r}")
            case ast.Attribute(value=value, attr=name):
                if _dotted(node) not in grammar.values:
                    if name not in grammar.attributes:
                        raise _fault(node, f"no writer reads `.{name}`")
                    yield value
            case ast.Call(func=function, args=arguments, keywords=keywords):
                yield from arguments
                for keyword in keywords:
                    if keyword.arg not in grammar.keywords:
                        raise _fault(node, f"no writer gives an argument `{keyword.arg}`")
                    yield keyword.value
                if _dotted(function) not in grammar.functions:
                    if not isinstance(function, ast.Attribute) or function.attr not in grammar.methods:
                        raise _fault(node, f"no writer calls `{_dotted(function) or type(function).__name__}`")
                    yield function.value
            case _:
                if type(node).__name__ not in _PLAIN:
                    raise _fault(node, f"no writer writes an expression `{type(node).__name__}`")
                yield from ast.iter_child_nodes(node)


def _dotted(node: ast.AST) -> str | None:
    """The name with its dots, when the node is one."""
    import ast

    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else None


def _fault(node: ast.AST, text: str) -> DocumentError:
    return DocumentError(f"line {getattr(node, 'lineno', 1)}: {text}")
