"""A checked program becomes Core IR.

In: `check.program.Program`.  Out: `ir.module.Module`: every function, op, entry and constant as a region in SSA form, in load
order.  What is decided here: loops carry the locals they assign; constants are inlined where they are used (and kept as regions);
run-time positions outside index notation become comprehensions.  A method's first argument is the block, named `self`.
"""

from __future__ import annotations

from linnet_core.check import program as p
from linnet_core.check.substitute import identity_args
from linnet_core.check.types import BlockType, UnitType
from linnet_core.ir import lower_blocks, lower_control, lower_expressions, lower_index, lower_kernels, lower_numbers, lower_statements
from linnet_core.ir.lower_body import Body, Rule, Steps
from linnet_core.ir.module import Constant, Function, KernelUse, Module, Region
from linnet_core.ir.verify import verify

RULES: dict[type, Rule] = {
    **lower_numbers.RULES,
    **lower_expressions.RULES,
    **lower_index.RULES,
    **lower_blocks.RULES,
    **lower_control.RULES,
    **lower_kernels.RULES,
    **lower_statements.RULES,
}


def lower(program: p.Program) -> Module:
    """The Core IR of a program, verified.

    Raises `SourceError` (E1104) where regions are nested too deeply, `InternalError` for a typed tree that breaks its rules.
    """
    functions = {function.name: lower_function(program, function) for m in program.modules for function in m.functions}
    constants = {f"{m.name}::{const.name}": lower_constant(program, const) for m in program.modules for const in m.constants}
    module = with_functions(program, functions, constants)
    verify(module)
    return module


def with_functions(program: p.Program, functions: dict[str, Function], constants: dict[str, Constant]) -> Module:
    """The module of a program's types and these functions and constants."""
    modules = program.modules
    return Module(
        name=program.name,
        blocks={block.key: block for m in modules for block in m.blocks},
        functions=functions,
        constants=constants,
        structs={f"{m.name}::{struct.name}": struct for m in modules for struct in m.structs},
        enums={f"{m.name}::{enum.name}": enum for m in modules for enum in m.enums},
    )


def lower_function(program: p.Program, function: p.Function) -> Function:
    """One function with its gradient clause, or one kernel."""
    body = Body(program, RULES)
    launch = None
    if function.launch is not None:
        region, launch = lower_kernels.lower_kernel(body, function, function.launch)
    else:
        region = _lower_body(body, function, function.body)
    grad = function.grad
    return Function(
        name=function.name,
        kind=function.kind,
        block=function.block,
        public=function.public,
        generics=function.generics,
        constraints=function.constraints,
        results=() if isinstance(function.result, UnitType) else (function.result,),
        states=function.states,
        body=region,
        span=function.span,
        grad=None if grad is None else _lower_body(body, function, grad.body, (grad.result, grad.gradient)),
        kernel=None if function.kernel is None else KernelUse(function.kernel.kernel, function.kernel.args),
        launch=launch,
    )


def _lower_body(body: Body, function: p.Function, statements: tuple[p.Stmt, ...], more: tuple[p.Local, ...] = ()) -> Region:
    """Statements as a region over the receiver, the parameters and `more`."""
    args = []
    if function.block is not None:
        body.receiver = body.value(own_type(body.program.blocks[function.block]), "self")
        args.append(body.receiver)
    for local in (*(param.local for param in function.params), *more):
        value = body.value(local.type, local.name)
        body.bind(local, value)
        args.append(value)
    body.open_region(tuple(args), function.span)
    body.run(lower_statements.lower_all(body, statements))
    return body.close_region()


def own_type(block: p.Block) -> BlockType:
    """The type of a block inside its own methods: its generics stand for themselves."""
    return BlockType(block.name, block.module, identity_args(block.generics))


def lower_constant(program: p.Program, const: p.Const) -> Constant:
    """A module constant as a region that yields its value."""
    body = Body(program, RULES)
    body.open_region((), const.value.span)

    def steps() -> Steps:
        value = yield const.value
        return body.yield_values((value,), const.value.span)

    region = body.run(steps())
    return Constant(f"{const.module}::{const.name}", const.public, const.type, const.contextual, region)
