"""The entry point of the `antidrift` command."""

import sys


def main() -> None:
    """Run `antidrift` with the arguments of this process, and exit."""
    try:
        # Here, so that Ctrl-C while they import is no traceback either.
        if sys.argv[1:] == ["prompt"]:
            from antidrift_cli.prompt_process import show

            show()
        from antidrift_cli.run import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
