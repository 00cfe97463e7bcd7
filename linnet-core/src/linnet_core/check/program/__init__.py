"""The checked program: declarations and typed bodies, every name resolved and every literal given its dtype.

In: `check.py` makes it from a loaded package.  Out: what `ir/lower*.py` reads; it holds no syntax.  Declarations refer to each
other by name (`module::Item`, `module::Block.method`), so a program is plain data without cycles.

Meaning of the typed tree: statements run in order; every expression has a `type` with its shapes proved; contextual literals
and compile-time integers are already `Literal` or `DimValue` of a definite dtype; call arguments stand in parameter order with
defaults filled in; broadcasting between operands is implicit (the result's type says to what).
"""

from __future__ import annotations

from linnet_core.check.program.declarations import *
from linnet_core.check.program.expressions import *
from linnet_core.check.program.statements import *
