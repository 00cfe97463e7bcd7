"""The switch that all tests with golden files share."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update` writes golden files anew; look at their difference before committing it."""
    parser.addoption("--update", action="store_true", help="write golden files anew")
