"""Random files that parse, with random white space and numbered comments between any two tokens.

In: a `random.Random`.  Out: text.  The grammar is all that is followed: most of it would not pass the checker.
"""

from __future__ import annotations

from random import Random

NAMES = ["x", "y", "sum", "N", "H", "grid", "store", "grad", "long_name_of_a_value", "warps", "random", "i", "max"]
DTYPES = ["f32", "bf16", "i64", "T"]
LITERALS = ["0", "1_000", "0xff", "0b1010", "1.5", "1e-5", "3.141_592", "true", "false", "none", "500000.0"]
BINARY = ["||", "&&", "==", "!=", "<", "<=", ">", ">=", "|", "^", "&", "+", "-", "*", "/", "%"]
#: Binds as tightly as a generic argument must.
ARITHMETIC = ["+", "-", "*", "/", "%"]
GAPS = [" ", " ", " ", " ", "\n", "\n", "\n\n", "\r\n", "\n\n\n   \n", "\t", "    \n        "]
#: What stands in a gap with a comment; `@` is its number.
COMMENTS = [
    " // @\n",
    "\n// @\n",
    " /* @ */ ",
    "\n/* @ */\n",
    " /* @ */\n",
    "\n  /* @ */ ",
    "\n    /* @\n     * more\n       */\n",
    " /* @\n  more */ ",
    "\n\n/// @\n\n",
    "\n\t/** @\n\t * more\n\t */\n",
    " /*@*/",
    " /* /* @ */ */ // and @ */  \n",
    "\n// @\r\n\n// next\n",
    " /* @ */ /* more */\n",
    "\n/* @ */ /* more */ ",
    " // @\n/* more */ ",
    "\n/* @ */\n\n/* more\n*/ // last\n",
    " /* @ */\n/* more */\n/* last\n */ ",
]


class Text:
    """Writes tokens; `tight` ones stand right after the one before."""

    def __init__(self, random: Random, *, comments: float, size: int = 4) -> None:
        self.random = random
        self.comments = comments
        self.size = size
        self.parts: list[str] = []
        self.count = 0

    # tokens

    def put(self, *tokens: str) -> None:
        for token in tokens:
            self.parts += (self.gap(token), token)

    def tight(self, token: str) -> None:
        self.parts += ("", token)

    def gap(self, token: str) -> str:
        if self.random.random() < self.comments:
            self.count += 1
            return self.random.choice(COMMENTS).replace("@", f"c{self.count}")
        before = self.parts[-1] if self.parts else "("
        if (before in "()[]{},;" or token in "()[]{},;") and before != ">" and self.random.random() < 0.5:
            return ""
        return self.random.choice(GAPS) if self.random.random() < 0.5 else " "

    def chance(self, likely: float) -> bool:
        return self.random.random() < likely

    def pick(self, choices: list[str]) -> str:
        return self.random.choice(choices)

    def some(self, least: int, most: int) -> int:
        return self.random.randint(least, most)

    def several(self, write, least: int, most: int, *, comma: bool) -> None:
        """Parts between commas, perhaps with one at the end."""
        count = self.some(least, most)
        for index in range(count):
            if index:
                self.put(",")
            write()
        if comma and count and self.chance(0.25):
            self.put(",")

    def name(self) -> str:
        return self.pick(NAMES)

    # expressions

    def expression(self, depth: int, *, tightest: bool = False) -> None:
        """An expression; `tightest` where a comparison may not stand."""
        match self.some(0, 11) if depth and not tightest else 11:
            case 0:
                self.put("if")
                self.expression(depth - 1)
                self.put("{")
                self.expression(depth - 1)
                self.put("}", "else", "{")
                self.expression(depth - 1)
                self.put("}")
            case 1:
                self.put("match")
                self.expression(depth - 1)
                self.put("{")
                for _ in range(self.some(1, 3)):
                    self.arm_pattern()
                    self.put("=>")
                    self.expression(depth - 1)
                self.put("}")
            case 2:
                self.loop(depth - 1)
            case _:
                count = self.random.choice([1, 1, 1, 2, 3, 4, 12])
                for index in range(count):
                    if index:
                        self.put(self.pick(ARITHMETIC if tightest else BINARY))
                    self.operand(depth, tightest=tightest)

    def operand(self, depth: int, *, tightest: bool) -> None:
        if self.chance(0.15):
            self.put(self.pick(["-", "+"] if tightest else ["-", "+", "!"]))
        self.primary(depth, tightest=tightest)
        while depth and self.chance(0.35):
            self.link(depth - 1)

    def primary(self, depth: int, *, tightest: bool) -> None:
        """An operand; `tightest` where neither what reaches further right nor a shape may stand."""
        match self.some(0, 9) if depth else 9:
            case 0:
                self.put("(")
                self.expression(depth - 1)
                self.put(")")
            case 1:
                self.put("(")
                self.expression(depth - 1)
                self.put(",")
                self.several(lambda: self.expression(depth - 1), 0, 2, comma=True)
                self.put(")")
            case 2 if not tightest:
                self.put("[")
                self.several(lambda: self.dim(depth - 1), 0, 3, comma=True)
                self.put("]")
            case 3 if not tightest:
                self.put(self.pick(["sum", "prod", "max", "min", "any", "all"]))
                if self.chance(0.5):
                    self.put("<", self.pick(DTYPES), ">")
                self.index_names()
                self.expression(depth - 1)
            case 4:
                self.put("some", "(")
                self.expression(depth - 1)
                self.put(")")
            case 5 | 6:
                self.put(self.name())
                if self.chance(0.4):
                    self.args(depth - 1)
                    self.call(depth - 1, tight=True)
                else:
                    self.call(depth - 1)
            case _:
                self.put(self.pick([*LITERALS, *["x", "y", "N", "value", "another_long_name"] * 2]))

    def link(self, depth: int) -> None:
        match self.some(0, 2):
            case 0:
                self.put(".", self.name())
                if self.chance(0.6):
                    self.call(depth)
            case 1:
                self.put("[")
                self.several(lambda: self.component(depth), 1, 3, comma=False)
                self.put("]")
            case _:
                self.call(depth)

    def call(self, depth: int, *, tight: bool = False) -> None:
        if tight:
            self.tight("(")
        else:
            self.put("(")
        self.several(lambda: self.argument(depth), 0, 4, comma=True)
        self.put(")")

    def argument(self, depth: int) -> None:
        if self.chance(0.25):
            self.put(self.name(), "=")
        self.expression(depth)

    def component(self, depth: int) -> None:
        match self.some(0, 4):
            case 0:
                self.put("...")
            case 1:
                self.put("*", "s")
            case 2:
                for index in range(self.some(2, 3)):
                    if index:
                        self.put(":")
                    if self.chance(0.6):
                        self.expression(depth)
            case _:
                self.expression(depth)

    def index_names(self) -> None:
        self.put("[")
        self.several(lambda: self.put(*(["*", "s"] if self.chance(0.2) else [self.name()])), 1, 4, comma=False)
        self.put("]")

    # types

    def type(self, depth: int) -> None:
        match self.some(0, 5) if depth else 5:
            case 0 | 1:
                self.put("Tensor", "[")
                self.several(lambda: self.dim(depth - 1), 1, 5, comma=False)
                self.put(";", self.pick(DTYPES), "]")
            case 2:
                self.put("(")
                self.several(lambda: self.type(depth - 1), 1, 3, comma=True)
                self.put(")")
            case 3:
                self.put("[")
                self.type(depth - 1)
                self.put(";")
                self.expression(depth - 1)
                self.put("]")
            case 4:
                self.put("nn", ".", "Linear")
                self.args(depth - 1)
            case _:
                self.put(self.pick(DTYPES))
        if self.chance(0.2):
            self.put("?")

    def dim(self, depth: int) -> None:
        if self.chance(0.2):
            self.put("*", "S")
        else:
            self.expression(depth, tightest=True)

    def args(self, depth: int) -> None:
        self.put("<")
        self.several(lambda: self.arg(depth), 1, 4, comma=True)
        self.put(">")

    def arg(self, depth: int) -> None:
        match self.some(0, 4):
            case 0:
                self.type(depth)
            case 1:
                self.put("[")
                self.several(lambda: self.dim(depth), 0, 3, comma=False)
                self.put("]")
            case 2:
                self.put(self.pick(["1", "N", "f32"]))
            case _:
                self.expression(depth, tightest=True)

    def generics(self) -> None:
        if self.chance(0.4):
            return
        self.put("<")
        self.several(self.generic, 1, 6, comma=True)
        self.put(">")

    def generic(self) -> None:
        if self.chance(0.2):
            self.put("*")
        self.put(self.name(), ":", self.pick(["Dim", "Shape", "Float"]))
        if self.chance(0.2):
            self.put("=")
            self.arg(1)

    def where(self) -> None:
        if self.chance(0.5):
            return
        self.put("where")
        self.several(self.constraint, 1, 5, comma=True)

    def constraint(self) -> None:
        self.expression(1, tightest=True)
        self.put(self.pick(["==", "!=", "<", "<=", ">", ">="]))
        self.expression(1, tightest=True)

    # patterns, statements

    def arm_pattern(self) -> None:
        match self.some(0, 2):
            case 0:
                self.put("none")
            case 1:
                self.put("some", "(")
                self.pattern(2)
                self.put(")")
            case _:
                self.put(self.pick(["Mean", "Max", "_"]))

    def pattern(self, depth: int) -> None:
        if depth and self.chance(0.3):
            self.put("(")
            self.several(lambda: self.pattern(depth - 1), 1, 3, comma=True)
            self.put(")")
        else:
            self.put(self.pick(["a", "b", "_"]))

    def loop(self, depth: int) -> None:
        self.put("for", "t", "in")
        self.expression(0, tightest=True)
        self.put("..")
        self.expression(0, tightest=True)
        self.body(depth)

    def body(self, depth: int) -> None:
        self.put("{")
        for _ in range(self.some(0, self.size)):
            self.statement(depth)
        self.put("}")

    def annotation(self, depth: int) -> None:
        if self.chance(0.4):
            self.put(":")
            self.type(depth)

    def statement(self, depth: int) -> None:
        match self.some(0, 11):
            case 0 | 1:
                self.put("let")
                self.pattern(2)
                self.annotation(depth)
                self.put("=")
                self.expression(depth)
            case 2 | 3:
                self.put("let", "c")
                self.index_names()
                self.put("=")
                self.expression(depth)
            case 4:
                self.put("var", "v")
                self.annotation(depth)
                self.put("=")
                self.expression(depth)
            case 5:
                self.put("v", "=")
                self.expression(depth)
            case 6:
                self.put("return")
                if self.chance(0.8):
                    self.expression(depth)
            case 7 if depth:
                self.put("while")
                self.expression(0)
                self.body(depth - 1)
            case 8 if depth:
                self.put("static", "for")
                self.pattern(1)
                self.put("in")
                self.expression(0, tightest=True)
                if self.chance(0.5):
                    self.put("..")
                    self.expression(0, tightest=True)
                self.body(depth - 1)
            case 9 if depth:
                self.loop(depth - 1)
            case 10:
                self.put(self.pick(["store", "atomic_add", "atomic_max"]), "(")
                self.several(lambda: self.expression(depth), 2, 3, comma=False)
                self.put(")")
            case _:
                self.put("yield")
                self.expression(depth)

    # items

    def file(self) -> str:
        self.put("module", "a", ".", "b")
        for _ in range(self.some(0, 3)):
            self.use()
        for _ in range(self.some(0, 4)):
            self.item(1)
        self.parts.append(self.gap(")"))
        return "".join(self.parts)

    def use(self) -> None:
        self.put("use", self.pick(["std", "crate", "other"]), ".", "nn")
        if self.chance(0.2):
            return
        self.put(":")
        self.tight(":")
        if self.chance(0.2):
            self.put("Linear")
            return
        self.put("{")
        self.several(lambda: self.put("softmax", *(["as", "y"] if self.chance(0.3) else [])), 1, 9, comma=True)
        self.put("}")

    def item(self, depth: int) -> None:
        if self.chance(0.5):
            self.put("pub")
        match self.some(0, 7 if depth else 6):
            case 0:
                self.put("const", "X")
                self.annotation(1)
                self.put("=")
                if self.chance(0.2):
                    self.put(self.pick(['"a\\n\\u{1F600}b // no comment"', '"é /* \\" */"']))
                else:
                    self.expression(1)
            case 1:
                self.put("type", "Row")
                self.generics()
                self.put("=")
                self.type(2)
            case 2:
                self.put("struct", "S")
                self.generics()
                self.put("{")
                for _ in range(self.some(0, 3)):
                    self.put(self.name(), ":")
                    self.type(1)
                self.put("}")
            case 3:
                self.put("enum", "E")
                self.generics()
                self.put("{")
                self.several(lambda: self.put("Variant"), 0, 9, comma=True)
                self.put("}")
            case 4:
                self.kernel()
            case 7:
                self.block(depth - 1)
            case _:
                self.function()

    def function(self) -> None:
        kind = self.pick(["fn", "op", "entry"])
        self.put(kind, self.name())
        self.generics()
        self.params()
        if kind == "op" or self.chance(0.6):
            self.put("->")
            self.type(2)
        if self.chance(0.2):
            self.put("kernel", "k")
            if self.chance(0.6):
                self.args(1)
        self.where()
        self.body(2)
        if self.chance(0.2):
            self.put("grad", "(", "y", ",", "dy", ")")
            self.body(1)

    def params(self) -> None:
        self.put("(")
        self.several(self.param, 0, 5, comma=True)
        self.put(")")

    def param(self) -> None:
        self.put(self.name(), ":")
        self.type(1)
        if self.chance(0.2):
            self.put("=")
            self.expression(1)

    def kernel(self) -> None:
        self.put("kernel", "k")
        self.generics()
        self.params()
        self.put("->")
        if self.chance(0.5):
            self.put("(")
            self.several(self.result, 1, 3, comma=False)
            self.put(")")
        else:
            self.result()
        self.put("grid", "(")
        self.several(lambda: self.expression(1), 1, 2, comma=False)
        self.put(")")
        for _ in range(self.some(0, 2)):
            self.put(self.pick(["warps", "stages"]), "(")
            self.expression(0)
            self.put(")")
        self.where()
        self.body(1)

    def result(self) -> None:
        self.put("y", ":")
        self.type(1)

    def block(self, depth: int) -> None:
        self.put("block", "B")
        self.generics()
        self.where()
        self.put("{")
        for _ in range(self.some(0, 6)):
            if self.chance(0.6):
                kind = self.pick(["param", "buffer", "state", "sub"])
                self.put(kind, self.name(), ":")
                self.type(2)
                if kind in ("param", "sub") and self.chance(0.3):
                    self.put("=")
                    self.expression(1)
            else:
                self.item(depth)
        self.put("}")
