"""The option that names the target: `pytest -p linnet_core.conformance.plugin --pyargs linnet_core.conformance --linnet-target NAME`.

In: pytest's command line.  Out: the option, and a line that says what is held to the reference; a usage error where that cannot be.
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--linnet-target`."""
    parser.addoption("--linnet-target", default="numpy", metavar="NAME", help="the installed target that is held to the reference")


def pytest_configure(config: pytest.Config) -> None:
    """The target is there and runs what it prints."""
    from linnet_core.plugins.manager import find_target, target_names

    name = str(config.getoption("--linnet-target"))
    plugin = find_target(name)
    if plugin is None:
        raise pytest.UsageError(f"the target `{name}` is not installed; there are: {', '.join(target_names())}")
    if plugin.run is None:
        raise pytest.UsageError(f"the target `{name}` prints source and runs nothing, so there is nothing to hold to the reference")


def pytest_report_header(config: pytest.Config) -> str:
    """What is held to what."""
    from importlib.metadata import version

    return f"linnet-core {version('linnet-core')}, target {config.getoption('--linnet-target')}"
