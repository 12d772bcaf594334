"""Decides which environment variables a program of the advisor gets."""

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
