"""The entry point of the `antidrift` command."""

import os
import sys

TYPE_CHECKING = False  # as `typing` has it
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> "NoReturn":
    """Run `antidrift` with the arguments of this process, and end it."""
    try:
        # Here, so that Ctrl-C while they import is no traceback either.
        if sys.argv[1:] == ["prompt"]:
            from antidrift_cli.prompt_process import show

            show()
        from antidrift_cli.run import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    # All is written and closed: taking a hundred modules down would be a sixth of a verb's time.
    os._exit(code)


if __name__ == "__main__":
    main()
