"""``python -m reportgen``, and what the installed program runs: ready for signals before anything heavy is loaded."""

from reportgen.ending import quiet_endings


def main() -> None:
    """Run the program and end quietly."""
    with quiet_endings():
        from reportgen.cli import main as run  # noqa: PLC0415 - loading it takes a while in which a signal may come

        run()


if __name__ == "__main__":
    main()
