"""`python -m linnet_core` and the `linnet` command.  In: `sys.argv`.  Out: the exit status."""

from __future__ import annotations


def main() -> None:
    """Run the command line and exit with its status."""
    import gc

    # A command builds trees and lists that live until it ends; looking for garbage among them costs a third of its time.  So the collector
    # looks once in many objects instead of in seven hundred; it is not switched off, since a plugin's command may run for long.
    gc.set_threshold(200_000)
    try:
        from linnet_core.cli.app import main as run

        run()
    except KeyboardInterrupt:  # before or after the part that turns it into a status itself
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
