"""Says where a model server on this machine is asked, and refuses any other address."""

from ipaddress import ip_address
from urllib.parse import urlsplit


def chat_url(base_url: str) -> str:
    """Return the address of the chat completions below `base_url`, with or without its `/v1`.

    Raises:
        ValueError: it is no plain http address of this machine; the message is one line.
    """
    problem = ValueError(
        f"ai.base_url {base_url!r} must be the address of a server on this machine, such as "
        "http://127.0.0.1:11434"
    )
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname or "", parts.port or 80
    except ValueError as error:
        raise problem from error
    extras = parts.username is not None or parts.query or parts.fragment
    if parts.scheme != "http" or extras or not _is_loopback(host) or not _is_plain(base_url):
        raise problem
    path = parts.path.rstrip("/")
    netloc = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return f"http://{netloc}{path.removesuffix('/v1')}/v1/chat/completions"


def _is_plain(url: str) -> bool:
    return url.isascii() and url.isprintable() and " " not in url


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
