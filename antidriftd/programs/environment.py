"""Decides which environment variables a program gets: one of the advisor's, or one of ours."""

import os
import sys
from collections.abc import Iterable, Mapping

_PASSED = {
    "HOME",
    "PATH",
    "LANG",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
}
_PASSED_PREFIXES = ("LC_", "XDG_")
# Programs differ in which case they read.
_PASSED_IN_BOTH_CASES = {"http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy"}


def program_environ(environ: Mapping[str, str], pass_env: Iterable[str] = ()) -> dict[str, str]:
    """Return the part of `environ` that a program gets; `pass_env` names what else it gets."""
    asked_for = set(pass_env)
    return {
        name: value
        for name, value in environ.items()
        if name in _PASSED
        or name.startswith(_PASSED_PREFIXES)
        or name in _PASSED_IN_BOTH_CASES
        or (name.isupper() and name.lower() in _PASSED_IN_BOTH_CASES)
        or name in asked_for
    }


def module_environ(environ: Mapping[str, str]) -> dict[str, str]:
    """Return what a Python module of ours gets: what it needs to import what we do, and no more."""
    kept = {name: environ[name] for name in ("LD_LIBRARY_PATH", "PYTHONHOME") if name in environ}
    return {**kept, "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)}
