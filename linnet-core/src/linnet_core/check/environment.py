"""What names stand for while a program is checked: declarations with their syntax, signatures and scopes.

In: `declarations.py`, `blocks.py` and `functions.py` fill it in from the loaded modules.  Out: what bodies are checked against.
These objects are mutable because declarations refer to each other; the product, `Program`, is frozen and holds no syntax.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field

from linnet_core.check.effects import NO_EFFECTS, Effects
from linnet_core.check.program import Local
from linnet_core.check.types import ERROR, Type
from linnet_core.shapes import Constraint, Dim, Facts, Shape

if TYPE_CHECKING:
    from linnet_core.check.program import Block, Const, Enum_, Expr, Function, Generic, Launch, Member, Struct_
    from linnet_core.check.types import BlockType, EnumType, StructType
    from linnet_core.modules.load import Module
    from linnet_core.syntax import tree
    from linnet_core.text.diagnostic import Diagnostics
    from linnet_core.text.span import Span


class ModuleInfo(Struct, eq=False, dict=True):
    """A module being checked: its own items and what its imports bind, by name.

    `unclear` are names that were refused where they are declared (twice, or those of the prelude): their uses say nothing more.
    """

    module: Module
    items: dict[str, Item] = field(default_factory=dict)
    imports: dict[str, ImportedName] = field(default_factory=dict)
    unclear: set[str] = field(default_factory=set)

    @property
    def name(self) -> str:
        """The module's path, `std.nn.linear`."""
        return self.module.name

    @cached_property
    def declarations(self) -> list[Item]:
        """Every item of the module in the order written; what a block declares follows the block.  Asked for once all are known."""
        found: list[Item] = []
        waiting: list[Item] = list(reversed(self.items.values()))
        while waiting:
            entity = waiting.pop()
            found.append(entity)
            if isinstance(entity, BlockInfo):
                waiting.extend(reversed(entity.items.values()))
        return found


class ImportedName(Struct, eq=False):
    """A name bound by `use`.  `used` is set at the first use, for the lint."""

    entity: Entity
    span: Span
    used: bool = False


class ConstInfo(Struct, eq=False):
    """A constant.  `parent` (here and below) is the block it is declared in, if any: a nested item sees that block's items, not
    its generics or members.  `dim` is set for an untyped integer constant (usable in shapes); `const` when its value is checked."""

    module: ModuleInfo
    syntax: tree.Const
    qualified: str
    parent: BlockInfo | None = None
    state: Literal["new", "busy", "done"] = "new"
    dim: Dim | None = None
    #: Whether it is a string, which nothing can use.
    string: bool = False
    #: The value of an untyped float constant, with its decimal text.
    literal: tuple[float, str] | None = None
    type: Type = ERROR
    const: Const | None = None


class AliasInfo(Struct, eq=False):
    """A type alias, expanded where it is used."""

    module: ModuleInfo
    syntax: tree.Alias
    qualified: str
    parent: BlockInfo | None = None
    state: Literal["new", "busy", "done"] = "new"
    generics: tuple[Generic, ...] = ()
    type: Type = ERROR


class StructInfo(Struct, eq=False):
    """A struct."""

    module: ModuleInfo
    syntax: tree.StructDecl
    qualified: str
    parent: BlockInfo | None = None
    state: Literal["new", "busy", "done"] = "new"
    generics: tuple[Generic, ...] = ()
    decl: Struct_ | None = None


class EnumInfo(Struct, eq=False):
    """An enum."""

    module: ModuleInfo
    syntax: tree.EnumDecl
    qualified: str
    parent: BlockInfo | None = None
    generics: tuple[Generic, ...] = ()
    decl: Enum_ | None = None


class BlockInfo(Struct, eq=False):
    """A block: its generics and facts are known to all members and methods.

    `items` are the names declared inside it (methods and nested items); `used_members` serves the lint.
    """

    module: ModuleInfo
    syntax: tree.Block
    qualified: str
    parent: BlockInfo | None = None
    state: Literal["new", "busy", "done"] = "new"
    generics: tuple[Generic, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    facts: Facts = Facts()
    #: Whether a clause of its `where` was reported, so that nothing about sizes can be told.
    broken: bool = False
    members: dict[str, Member] = field(default_factory=dict)
    items: dict[str, Item] = field(default_factory=dict)
    used_members: set[str] = field(default_factory=set)
    #: As those of a module.
    unclear: set[str] = field(default_factory=set)
    #: The type of the receiver in its methods, made when one first asks for it (`receivers.self_reference`).
    self_type: BlockType | None = None
    decl: Block | None = None


class FunctionInfo(Struct, eq=False):
    """A function's signature, resolved before any body is checked.

    `facts` are its own `where` and its block's.  `params` are immutable locals of the declared types.  `function` and `effects` are set
    when the body is checked.
    """

    module: ModuleInfo
    syntax: tree.Function
    qualified: str
    block: BlockInfo | None
    generics: tuple[Generic, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    facts: Facts = Facts()
    #: Whether a clause of its `where` (or of its block's) was reported.
    broken: bool = False
    params: tuple[Local, ...] = ()
    #: Default values as typed expressions over the function's own generics; read them through `functions.default_of`.
    defaults: list[Expr | None] = field(default_factory=list)
    defaults_state: Literal["new", "busy", "done"] = "new"
    result: Type = ERROR
    function: Function | None = None
    effects: Effects = NO_EFFECTS

    @property
    def kind(self) -> Literal["fn", "op", "entry"]:
        """`fn`, `op` or `entry`."""
        return self.syntax.kind


class KernelInfo(Struct, eq=False):
    """A kernel declaration (never a value): its signature, in terms of its own generics.

    `launch` is None while a size of the grid or a hint is wrong; `function` and `effects` are set when the body is checked.
    """

    module: ModuleInfo
    syntax: tree.Kernel
    qualified: str
    generics: tuple[Generic, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    facts: Facts = Facts()
    #: Whether a clause of its `where` was reported.
    broken: bool = False
    params: tuple[Local, ...] = ()
    results: tuple[Local, ...] = ()
    launch: Launch | None = None
    #: The first write of each result, by the result's name.
    writes: dict[str, tree.Store] = field(default_factory=dict)
    function: Function | None = None
    effects: Effects = NO_EFFECTS


class PreludeFunction(Struct, frozen=True):
    """A function of the prelude (`cast`, `reshape`, ...), checked by `prelude.py`."""

    name: str


class PreludeType(Struct, frozen=True):
    """A dtype name, `Tensor`, or a kind of generic (`Dim`, `Float`, ...): a name of the prelude that is no value."""

    name: str


class UnknownEntity(Struct, frozen=True):
    """What `module.name` stands for when the module has no such item one may use; it was reported."""


class GenericRef(Struct, frozen=True):
    """A generic parameter in scope."""

    generic: Generic


class MemberEntity(Struct, eq=False):
    """A member of the block whose method is checked."""

    block: BlockInfo
    member: Member


class IndexBinding(Struct, eq=False):
    """An index of index notation while its statement or reduction is checked.

    `domain` is set by the first axis the index is used at; `uses` keeps every axis for diagnostics.
    """

    id: int
    name: str
    pack: bool
    span: Span
    #: Where a reduction's head or the `let` stands, for E2201.
    head: Span
    reduction: bool
    domain: Shape | None = None
    uses: list[IndexUse] = field(default_factory=list)
    #: Whether two uses gave it two extents, which was reported.
    clashes: bool = False
    #: First place the index stands in an access without having been bound there.
    used_at: Span | None = None


class IndexUse(Struct, frozen=True):
    """One axis an index stands at: the tensor as written, the axis' units, the index's span there."""

    tensor: str
    domain: Shape
    span: Span


#: What a module or a block declares.
Item = ConstInfo | AliasInfo | StructInfo | EnumInfo | BlockInfo | FunctionInfo | KernelInfo

#: What a name can stand for.
Entity = ModuleInfo | Item | PreludeFunction | PreludeType | UnknownEntity | GenericRef | MemberEntity | Local | IndexBinding


class Checker(Struct, eq=False):
    """The state of one run: modules in load order and where problems go.  Ids are given in the order of declaration."""

    diagnostics: Diagnostics
    #: The directory of the standard library.
    std: str
    modules: list[ModuleInfo] = field(default_factory=list)
    next_id: int = 0
    #: Qualified names of the declarations whose generics are resolved.
    declared: set[str] = field(default_factory=set)
    #: Unknown names that were reported, with the declaration they stand in: each once.
    unknown: set[tuple[str, str]] = field(default_factory=set)
    #: Generics whose default was reported: that one of them has no value is no news.
    broken_defaults: set[int] = field(default_factory=set)
    #: Divisors and names of what is no size that were reported, with the declaration they stand in: each once.
    said: set[tuple[str, str]] = field(default_factory=set)
    #: Facts that an error asked for, with the declaration they were missing in.
    assumed: set[tuple[str, str]] = field(default_factory=set)
    #: Constants and aliases being worked out, each named by the one before it.
    busy: list[ConstInfo | AliasInfo] = field(default_factory=list)
    #: Declarations of nominal types by module and name, as types refer to them.
    structs: dict[tuple[str, str], StructInfo] = field(default_factory=dict)
    enums: dict[tuple[str, str], EnumInfo] = field(default_factory=dict)
    blocks: dict[tuple[str, str], BlockInfo] = field(default_factory=dict)
    #: What the standard library offers, looked up when a name is unknown.
    offered: dict[str, str] | None = None

    def fresh_id(self) -> int:
        """The next id of a generic (unique in the program, ascending in order of declaration)."""
        self.next_id += 1
        return self.next_id - 1

    def struct_of(self, type: StructType) -> StructInfo:
        """The declaration of a struct type."""
        return self.structs[type.module, type.name]

    def enum_of(self, type: EnumType) -> EnumInfo:
        """The declaration of an enum type."""
        return self.enums[type.module, type.name]

    def block_of(self, type: BlockType) -> BlockInfo:
        """The declaration of a block type."""
        return self.blocks[type.module, type.name]
