"""`linnet plan`: the root block as symbolic JSON.

In: a model, no sizes.  Out: the plan document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from linnet_core.cli import options as shared
from linnet_core.cli.options import one_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.ir.library_calls import Numerics


def command(name: str, arguments: list[str]) -> Callable[..., None]:
    """`linnet plan`."""
    return _plan


def _plan(
    path: shared.Model,
    *,
    root: shared.Root = None,
    functions: Annotated[bool, typer.Option("--functions", help="The module-level entries, without a root block.")] = False,
    numerics: shared.NumericsOption = "exact",
    no_optimize: shared.NoOptimize = False,
    indent: shared.Indent = False,
    no_validate: shared.NoValidate = False,
    std: shared.Std = None,
    json: shared.Failures = False,
    output: shared.Output = None,
) -> None:
    """Print the root block as a symbolic JSON plan, from which a materialiser builds a module."""
    from linnet_core.check.load_program import load_program
    from linnet_core.cli.export import NUMERICS
    from linnet_core.cli.output import failures_as_json, write_document
    from linnet_core.ir.lowered import lowered
    from linnet_core.plan.write import plan_document

    allowed = cast("Numerics", one_of(numerics, NUMERICS, "--numerics"))
    with failures_as_json(json):
        _, program = load_program(path, std)
        document = plan_document(lowered(program, allowed, optimize=not no_optimize), root=root, functions=functions)
    write_document(document, "plan-1", output, indent=indent, validate=not no_validate)
