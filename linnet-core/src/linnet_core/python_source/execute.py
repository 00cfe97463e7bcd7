"""What running a printed module takes besides its inputs: its constants and what it prepares of the weights.

In: the namespace of an executed module and the parameters in the order of PARAMETERS.  Out: the parameters as `main` wants them, and what
stands behind the states.  Nothing here knows a framework.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def prepared_arguments(module: Mapping[str, Any], parameters: Sequence[Any], *where: Any) -> tuple[list[Any], list[Any]]:
    """(parameters, with None for those that `main` does not read; constants and prepared values).

    `where` is what `constants` and `prepare` take last: the device, where the framework has one.
    """
    extra = list(module["constants"](*where))
    held = list(parameters)
    if "prepare" in module:
        by_name = {f"p{at}": parameter for at, parameter in enumerate(parameters)}
        extra += module["prepare"](*(by_name[name] for name in module["PREPARE_INPUTS"]), *where)
        gone = set(module["PREPARED_ONLY"])
        held = [None if path in gone else parameter for path, parameter in zip(module["PARAMETERS"], parameters, strict=True)]
    return held, extra
