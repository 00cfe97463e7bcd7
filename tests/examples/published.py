"""How many numbers the weights of an example hold.

In: the name of an example and of a preset.  Out: the elements of its required and of its optional parameters.
"""

from __future__ import annotations

import contextlib
import io
import json

from tiny import EXAMPLES

from linnet_core.cli.app import run


def parameters_at(package: str, preset: str) -> tuple[int, int]:
    """As `linnet inspect --parameters` counts them."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        status = run(["inspect", "--parameters", "--json", "--root", "Model", "--preset", preset, str(EXAMPLES / package)])
    assert status == 0
    counts = {"param": 0, "optional param": 0}
    for total in json.loads(printed.getvalue())["blocks"][0]["totals"]:
        counts[("optional " if total["optional"] else "") + total["kind"]] = total["elements"]
    return counts["param"], counts["optional param"]
