"""What lets torch.compile trace a repeated function once, as text.

In: nothing.  Out: `FUNCTIONS`, a part of the table in `support.py`.

`torch.compiler.nested_compile_region` is made for this and takes much on trust: it refuses arguments that share memory, computes wrongly
where two arguments are one tensor in some calls and two in others, loses tangents, knows no transform of `torch.func`, and where gradients
are taken neither writes in place nor runs under the backend `eager`.  It keeps a trace for each kind of arguments and raises where they
become more than `max_reuse_entries`, 8 unless it is told: here no number of them is an error.  What `_region` asks first is answered while
torch.compile traces and leaves nothing in the graph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linnet_core.python_source.support import Functions

_REGION = '''
def _region(*views):
    """Before a function: torch.compile traces it once for all its calls whose arguments allow it, and where nothing is differentiated.

    `views` are the positions of arguments that are views this module makes, no two of one value.
    """

    def mark(function):
        try:
            once = torch.compiler.nested_compile_region(function, max_reuse_entries=2**31)
            transforms, forward = torch._C._functorch.get_dynamic_layer_stack_depth, torch.autograd.forward_ad
        except (AttributeError, TypeError):  # an older torch traces every call
            return function

        def region(*arguments):
            if not torch.compiler.is_dynamo_compiling() or torch.compiler.is_exporting():
                return function(*arguments)
            plain = transforms() == 0 and getattr(forward, "_current_level", 0) < 0 and _apart(arguments, views)
            return (once if plain else function)(*arguments)

        return region

    return mark


def _apart(arguments, views):
    """Whether they are torch's own tensors of known sizes, none differentiated, each but those at `views` all that lies in its memory."""
    for at, each in enumerate(arguments):
        if type(each) is not torch.Tensor and type(each) is not torch.nn.Parameter:
            return False
        if each.requires_grad and torch.is_grad_enabled():
            return False
        if not all([torch.fx.experimental.symbolic_shapes.has_static_value(size) for size in each.shape]):
            return False
        if at not in views and each.untyped_storage().size() != each.numel() * each.element_size():
            return False
    return len(set(arguments)) == len(arguments)
'''

FUNCTIONS: Functions = {"_region": (_REGION, ())}
