"""What the tests of all packages share: the switch of golden files, and property tests that try the same examples every time."""

import os

import pytest
from hypothesis import settings

# no deadline: a busy machine is no fault; fresh randomness only where it was asked for
settings.register_profile("linnet", deadline=None, derandomize="LINNET_FUZZ" not in os.environ)
settings.load_profile("linnet")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update` writes golden files anew; look at their difference before committing it."""
    parser.addoption("--update", action="store_true", help="write golden files anew")
