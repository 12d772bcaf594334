"""Local matching: whether the allowed context covers a window, with nobody asked."""

from collections.abc import Iterable

from antidriftd.core.model import Allowance, Window


def is_allowed(allowances: Iterable[Allowance], window: Window, page: str | None) -> bool:
    """Return whether any allowance covers the window; `page` is its normalised title if many-faced.

    A class matches class or instance: the same program is `element` to one toolkit and
    `Element` to another (nokia/RED#291).
    """
    program, instance = _fold(window.window_class), _fold(window.instance)
    title = _fold(window.title)
    for entry in allowances:
        if entry.kind == "class":
            covers = _names(entry.value, program) or _names(entry.value, instance)
        else:
            covers = _is_in(entry.value, title) or _is_page(entry.value, page)
        if covers:
            return True
    return False


def covering(allowances: Iterable[Allowance], window: Window, page: str | None) -> Allowance | None:
    """Return the first allowance that covers the window; None when none does."""
    return next((entry for entry in allowances if is_allowed((entry,), window, page)), None)


def window_class_allowed(allowed: Iterable[str], window_class: str) -> bool:
    """Return whether the class equals an allowed one, trimmed and casefolded."""
    wanted = _fold(window_class)
    return any(_names(entry, wanted) for entry in allowed)


def window_title_allowed(allowed: Iterable[str], title: str) -> bool:
    """Return whether an allowed text is a substring of the title, trimmed and casefolded."""
    folded = _fold(title)
    return any(_is_in(entry, folded) for entry in allowed)


def page_allowed(allowed: Iterable[str], page: str) -> bool:
    """Return whether an allowed `=page` equals this normalised title."""
    return any(_is_page(entry, page) for entry in allowed)


def domain_allowed(allowed: Iterable[str], domain: str) -> bool:
    """Return whether the domain is an allowed one or a subdomain of it."""
    wanted = _fold(domain).rstrip(".")
    suffixes = (_fold(entry).strip(".") for entry in allowed)
    return any(
        suffix and (wanted == suffix or wanted.endswith("." + suffix)) for suffix in suffixes
    )


def command_allowed(allowed: Iterable[str], command: str) -> bool:
    """Return whether the executable's base name equals that of an allowed command."""
    wanted = _basename(command)
    return bool(wanted) and any(_basename(entry) == wanted for entry in allowed)


def _names(entry: str, folded_class: str) -> bool:
    return bool(folded_class) and _fold(entry) == folded_class


def _is_in(entry: str, folded_title: str) -> bool:
    text = _fold(entry)
    return bool(text) and text in folded_title


def _is_page(entry: str, page: str | None) -> bool:
    return bool(page) and _fold(entry) == f"={page}"


def _fold(text: str) -> str:
    return text.strip().casefold()


def _basename(command: str) -> str:
    return _fold(command).rpartition("/")[2]
