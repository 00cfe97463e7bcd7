"""The walk that passes which look at one operation at a time share.

In: regions of one function and a rule.  Out: the regions after every operation was shown to the rule once, in order; the same objects
where nothing changed.
"""

from __future__ import annotations

from collections.abc import Callable

from linnet_core.ir.module import Op, Region, Value
from linnet_core.ir.passes.share import BODIES

#: Given an operation and the operations that define the values before it (by id), what stands in its place: itself, another operation
#: with the same results, or an earlier value that its only result is replaced by.
Rule = Callable[[Op, dict[int, Op]], "Op | Value"]


def forward(regions: tuple[Region, ...], rule: Rule, *, only_statements: bool = False) -> tuple[Region, ...]:
    """Apply `rule` to every operation; operands are replaced before an operation is shown, and its own regions walked before it.

    With `only_statements`, not to those of an arm, of the body of a reduction or of a constant, where source has no statements.
    """
    walk = _Walk(rule, only_statements)
    return tuple(walk.region(region, region.ops[-1].kind == "return") for region in regions)


class _Walk:
    def __init__(self, rule: Rule, only_statements: bool) -> None:
        self.rule = rule
        self.only_statements = only_statements
        self.replaced: dict[int, Value] = {}
        self.definitions: dict[int, Op] = {}

    def region(self, region: Region, has_statements: bool) -> Region:
        ops: list[Op] = []
        changed = False
        for op in region.ops:
            new = self.inside(op)
            if has_statements or not self.only_statements:
                new = self.rule(new, self.definitions)
            changed = changed or new is not op
            if isinstance(new, Value):
                self.replaced[op.results[0].id] = new
                continue
            ops.append(new)
            for result in new.results:
                self.definitions[result.id] = new
        return Region(region.args, tuple(ops)) if changed else region

    def inside(self, op: Op) -> Op:
        """The operation with replaced operands and regions."""
        operands, regions = op.operands, op.regions
        replaced = self.replaced
        if replaced and any(value.id in replaced for value in operands):
            operands = tuple(replaced.get(value.id, value) for value in operands)
        if regions:
            body = BODIES.get(op.kind)
            walked = tuple(self.region(inner, at == body) for at, inner in enumerate(regions))
            if any(new is not old for new, old in zip(walked, regions, strict=True)):
                regions = walked
        if operands is op.operands and regions is op.regions:
            return op
        return Op(op.kind, operands, op.results, op.attrs, regions, op.span)
