"""Makes a child process believe that Python packages aren't installed, whether they are or not."""

from pathlib import Path


def without(folder: Path, *modules: str) -> str:
    """Return a directory for PYTHONPATH: with it first, `modules` can't be found."""
    absent = "".join(f"sys.modules[{module!r}] = None\n" for module in modules)
    (folder / "sitecustomize.py").write_text(f"import sys\n{absent}")
    return str(folder)
