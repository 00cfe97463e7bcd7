"""`python -m linnet_core` and the `linnet` command."""

from __future__ import annotations


def main() -> None:
    """Run the command line and exit with its status."""
    from linnet_core.cli.app import main as run

    run()


if __name__ == "__main__":
    main()
