"""The syntax tree, one file a family; names that mean different things at other stages keep this room's name in front.

In: nothing.  Out: `from linnet_core.syntax import tree`, then `tree.Call`, `tree.TensorType`.
"""

from __future__ import annotations

from linnet_core.syntax.tree.expressions import *
from linnet_core.syntax.tree.items import *
from linnet_core.syntax.tree.node import *
from linnet_core.syntax.tree.patterns import *
from linnet_core.syntax.tree.statements import *
from linnet_core.syntax.tree.types import *
