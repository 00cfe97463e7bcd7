"""`linnet inspect`: what the tools make of a file: its tokens, its tree, its parameters, its Core IR.

In: a model, and one of the flags.  Out: text on stdout, or the parameters as JSON.  Tokens and the tree of a file with syntax errors are
what could be read; the errors are on stderr and the status is 1.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from linnet_core.cli import options as shared
from linnet_core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.check.program import Block
    from linnet_core.cli.parameters import Listing
    from linnet_core.graph.bind import Bindings
    from linnet_core.ir.module import Module
    from linnet_core.modules.load import Package
    from linnet_core.text.diagnostic import Diagnostics
    from linnet_core.text.source import Source

Parameters = Annotated[bool, typer.Option("--parameters", help="Every param, buffer and state of each block.")]
Tokens = Annotated[bool, typer.Option("--tokens", help="The tokens of the file.")]
Ast = Annotated[bool, typer.Option("--ast", help="The syntax tree of the file.")]
CoreIr = Annotated[bool, typer.Option("--core-ir", help="The Core IR of the module and all it imports.")]
Optimized = Annotated[bool, typer.Option("-O", "--optimize", help="With --core-ir: after the passes.")]
Root = Annotated[str | None, typer.Option("--root", metavar="BLOCK", help="With --parameters: this block alone.")]
Json = Annotated[bool, typer.Option("--json", help="With --parameters: print them as JSON.")]


def command(name: str, arguments: list[str]) -> Callable[..., None]:
    """`linnet inspect`."""
    return _inspect


def _inspect(
    path: shared.Model,
    *,
    parameters: Parameters = False,
    tokens: Tokens = False,
    ast: Ast = False,
    core_ir: CoreIr = False,
    optimize: Optimized = False,
    root: Root = None,
    bind: shared.Bind = None,
    preset: shared.Preset = None,
    json: Json = False,
    indent: shared.Indent = False,
    std: shared.Std = None,
    output: shared.Output = None,
) -> None:
    """Show the parameters, tokens, syntax tree or Core IR of a file."""
    from linnet_core.cli.output import failures_as_json, write, write_document

    asked = _asked({"--parameters": parameters, "--tokens": tokens, "--ast": ast, "--core-ir": core_ir})
    _only_with("--core-ir", asked, {"-O": optimize})
    _only_with(
        "--parameters",
        asked,
        {"--root": root is not None, "--bind": bool(bind), "--preset": preset is not None, "--json": json, "--indent": indent},
    )
    match asked:
        case "--parameters":
            from linnet_core.cli.parameters import listing_text, parameters_document

            with failures_as_json(json):
                listings = _listings(path, root, bind or [], preset, std)
            if json:
                write_document(parameters_document(listings), "parameters-1", output, indent=indent)
            else:
                write("\n".join(map(listing_text, listings)) or "no block\n", output)
        case "--core-ir":
            write(_core_ir(path, std, optimize=optimize), output)
        case _:
            _syntax(path, std, output, tree=ast)


def _asked(flags: dict[str, bool]) -> str:
    """The flag given; `UsageError` unless it is one."""
    given = [flag for flag, on in flags.items() if on]
    if len(given) == 1:
        return given[0]
    every = f"{', '.join(list(flags)[:-1])} or {list(flags)[-1]}"
    raise UsageError(f"inspect takes one of {every}, not {' and '.join(given)}" if given else f"inspect takes one of {every}")


def _only_with(flag: str, asked: str, others: dict[str, bool]) -> None:
    """`UsageError` for an option that belongs to another flag than the one given."""
    for other, on in others.items():
        if on and asked != flag:
            raise UsageError(f"{other} belongs to {flag}, not to {asked}")


def _listings(path: str, root: str | None, bind: list[str], preset: str | None, std: str | None) -> list[Listing]:
    """The root block at the sizes given; without sizes the block asked for, or every block of the package."""
    from linnet_core.check.load_program import load_program
    from linnet_core.cli.parameters import listing
    from linnet_core.ir.lower import lower
    from linnet_core.ir.roots import find_block

    package, program = load_program(path, std, whole=False)
    module = lower(program)
    if bind or preset is not None:
        block = find_block(module, root)
        return [listing(module, block, _bindings(block, package, bind, preset))]
    return [listing(module, block, None) for block in ([find_block(module, root)] if root is not None else _own_blocks(module, package))]


def _own_blocks(module: Module, package: Package) -> list[Block]:
    """The blocks of the package itself."""
    names = {own.name for own in package.root_modules}
    return [block for block in module.blocks.values() if block.module in names]


def _bindings(block: Block, package: Package, bind: list[str], preset: str | None) -> Bindings:
    """Numbers for the generics of the block; names of a preset that it has not are left out."""
    from linnet_core.cli.options import bindings
    from linnet_core.graph.bind import bind as bind_generics
    from linnet_core.graph.bind import check_constraints
    from linnet_core.modules.presets import preset as preset_of

    given, more = bindings(bind), preset_of(package, preset)
    bound = bind_generics(block.generics, given, more, entry=block.name, what="block", span=block.span)
    check_constraints(block.constraints, bound, block.span, f"block `{block.name}`")
    return bound


def _core_ir(path: str, std: str | None, *, optimize: bool) -> str:
    """The Core IR as the plan has it, with the passes or without."""
    from linnet_core.check.load_program import load_program
    from linnet_core.ir.lowered import lowered
    from linnet_core.ir.show import show

    return show(lowered(load_program(path, std)[1], "exact", optimize=optimize))


def _syntax(path: str, std: str | None, output: str | None, *, tree: bool) -> None:
    """Print tokens or tree; errors go to stderr and give the status 1."""
    from linnet_core.cli.output import show_diagnostics, write
    from linnet_core.syntax.lexer import lex
    from linnet_core.syntax.parse_file import parse
    from linnet_core.syntax.show import show_tokens, show_tree
    from linnet_core.text.diagnostic import Diagnostics

    diagnostics = Diagnostics()
    source = _source(path, std, diagnostics)
    file = parse(source, diagnostics)
    write(show_tree(file) if tree else show_tokens(source, lex(source, [])), output)
    show_diagnostics(diagnostics.ordered())
    if diagnostics.has_errors:
        raise typer.Exit(1)


def _source(path: str, std: str | None, diagnostics: Diagnostics) -> Source:
    """The file; of a package its root module, whatever is wrong with its manifest."""
    from linnet_core.modules.locate import Locator
    from linnet_core.text.source import read

    if not os.path.isdir(path):
        return read(path, diagnostics)
    return read(Locator(std, diagnostics).root(path).file, diagnostics, named=False)
