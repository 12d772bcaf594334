"""Window titles that try to do harm, and what must never be shown of any text from outside."""

import unicodedata
from collections.abc import Iterator
from typing import Final

from hypothesis import strategies as st

CANARY: Final = "canary"
"""The file that comes into being where a title is executed."""

_RUN: Final = f"touch {CANARY}"

ALWAYS_HIDDEN: Final = [
    *map(chr, range(0x20)),
    *map(chr, range(0x7F, 0xA0)),
    *map(chr, range(0x202A, 0x202F)),  # bidirectional embeddings and overrides
    *map(chr, range(0x2066, 0x2070)),  # isolates and deprecated controls
    *map(chr, range(0xE0000, 0xE0080)),  # tags
    *"\u061c\u200b\u200e\u200f\u2028\u2029\u2060\u2061\u2064\ufeff\u00ad\u180e\u034f\u3164\u115f",
    "\ud800",
    "\udfff",
    "\u2065",
    "\ufff0",
    "\ufff9",
    "\U000e0fff",
    "\U0001d173",
]

_HIDDEN: Final = frozenset(ALWAYS_HIDDEN)

HOSTILE: Final = st.text(
    st.characters(codec=None)
    | st.sampled_from(ALWAYS_HIDDEN)
    | st.sampled_from("\u200c\u200d\ufe0e\ufe0f\U000e0100\u0301👩❤🏻🇫🇷한ᄀ각ᅡक्षनी")
)
"""A mix in which dangerous characters are not rare."""

GRAPHEMES: Final = (
    *("e\u0301", "👩‍💻", "👩🏽‍🚀", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🇫🇷", "1️⃣"),
    *("\u1112\u1161\u11ab", "क्षि", "நி", "葛󠄀"),
)
"""What a reader takes for one character each."""

_INVISIBLE: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180e\u200b\u200c\u200d\u200e\u200f"
    "\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2065"
    "\u2066\u2067\u2068\u2069\u206a\u206b\u206c\u206d\u206e\u206f\u3164\ufe00\ufe0e\ufe0f"
    "\ufeff\uffa0\ufff0\ufff9\ufffa\ufffb\U0001bca0\U0001d173\U0001d17a"
    "\U000e0001\U000e0020\U000e0041\U000e007f\U000e0100\U000e01ef"
)
_TERMINAL: Final = (
    *("\x1b[2J\x1b[H", "\x1b[31mred", "\x1b[8mhidden", "\x1b[1;1Hhome", "\x1b[?1049h", "\x1b[6n"),
    *("\x1b[20t", "\x1b[c", "\x1b[3J", "\x1b[?2004l", "\x1b[999A", "\x1b[2K\ridle: ", "\x1bc"),
    *("\x1b]0;title\x07", "\x1b]2;title\x1b\\", "\x1b]52;c;cm0gLXJmIH4K\x07", "\x1b]52;c;?\x1b\\"),
    *("\x1b]8;;http://evil/\x1b\\link\x1b]8;;\x1b\\", "\x1b]8;;file:///\x07x", "\x1b]4;0;?\x07"),
    *("\x1b]1337;File=x:\x07", "\x1b]777;notify;a;b\x07", "\x1b]133;A\x07", "\x1b]7;file://x\x07"),
    *("\x1bP$q q\x1b\\", "\x1bP+q544e\x1b\\", "\x1bPtmux;\x1b\x1b]52;c;QQ==\x07\x1b\\"),
    *(
        "\x1b_Gi=31;AAAA\x1b\\",
        "\x1b^private\x1b\\",
        "\x1bXsos\x1b\\",
        "\x9b2J",
        "\x9d52;c;QQ==\x9c",
    ),
    *(
        "\x90q\x9c",
        "\x1b",
        "\x1b[",
        "\x1b]0;",
        "\x1bP",
        "\x1b(0lqk",
        "\x0e lqk \x0f",
        "\x05",
        "a\bb",
    ),
    *("real\rforged", "tab\tab", "one\ntwo", "one\r\ntwo", "ends\n", "\n\n\n", "a\x0bb\x0cc"),
    *("x\ndrift: on task", "x\nwindow: trusted: page", "x\u2028answer: antidrift ontask"),
)
_SHELL: Final = (
    *(f"$({_RUN})", f"`{_RUN}`", f"<({_RUN})", f"${{x:-$({_RUN})}}", f"$((a[$({_RUN})]))"),
    *(f"; {_RUN} #", f"| {_RUN}", f"& {_RUN} &", f"&& {_RUN}", f"|| {_RUN}", f"\n{_RUN}\n"),
    *(f"'; {_RUN}; '", f'"; {_RUN}; "', f"'$({_RUN})'", f'"$({_RUN})"', f"\\'; {_RUN}; \\'"),
    *(f"x\\'; {_RUN}; '", f"' \\'; {_RUN}; '\\", f"'\"'; {_RUN}; '", f"\\`{_RUN}\\`", "\\", "\\\\"),
    *(
        "'",
        '"',
        "''",
        "\"'",
        "$'\\x41'",
        f"$'\\'; {_RUN}'",
        "$HOME",
        "${HOME}",
        "~root",
        "~+",
        "=ls",
        "%self",
    ),
    *("*", "?", "[a-z]", "{a,b}", "!!", "!x", "^a^b", "#comment", "> canary", f">{CANARY}"),
    *("-rf", "--help", "--", "-", "=", "a=b", "(;_;)", f"({_RUN})", f"{{ {_RUN}; }}", "\\n\\e[31m"),
    *(f"a[$({_RUN})]", f"@({_RUN})", f"eval {_RUN}", f"(touch {CANARY})", f"x;{_RUN}"),
)
_PROMPTS: Final = (
    *(
        "%",
        "%%",
        "%n%m",
        "%{",
        "%{\x1b[31m%}",
        "%F{red}%K{blue}",
        "%s%d%n",
        "%(?.a.b)",
        "%1~",
        "%E",
    ),
    *(
        "%D{%s}",
        "\\u@\\h:\\w\\$ ",
        "\\[\\e[31m\\]",
        "\\!\\#",
        "\\001\\002",
        "\x01\x02",
        "%$x%99999d",
    ),
    *(
        f"%{{$({_RUN})%}}",
        f"${{(e):-$({_RUN})}}",
        f"${{(%):-%n}}$({_RUN})",
        "$PROMPT",
        "set_color red",
    ),
    *(
        "#[fg=red]",
        f"#({_RUN})",
        "#{pane_title}",
        f"#{{E:#({_RUN})}}",
        "##[fg=red]",
        "#S#W",
        "{0}{x!r}",
    ),
)
_MARKUP: Final = (
    *("<b>bold</b>", "<i>", "</b>", "<span foreground='red'>x</span>", "<a href='http://x/'>y</a>"),
    *("<img src='http://x/y.png'/>", "<script>alert(1)</script>", "&amp;", "&lt;b&gt;", "&#0;"),
    *("&#x202e;", "&nosuch;", "&", "R&D <3", "]]>", "<!--", "<?xml?>", "<!DOCTYPE x>", "<>"),
    *(
        "[bold red]x[/]",
        "[link=http://evil/]x[/link]",
        "[/]",
        "[/bold]",
        "[[x]]",
        "\\[bold]",
        ":smile:",
    ),
    *(
        "[@click=app.bell]x[/]",
        "[not a tag",
        "**bold**",
        "[x](http://y/)",
        "^c#ff0000^",
        "%{F#f00}",
    ),
    *(
        '"',
        '\\"',
        '"}',
        '{"a": 1}',
        '"}\n{"jsonrpc":"2.0"}',
        "\\u0000",
        "\\ud800",
        "null",
        "\\x1b[2J",
    ),
    *(
        "</script>",
        "\u2028\u2029",
        "'\"`",
        "{{7*7}}",
        "${jndi:ldap://x/}",
        "\\N{BULLET}",
        "C:\\new",
    ),
)
_SCRIPTS: Final = (
    *("مرحبا بالعالم", "שלום עולם", "abc שלום 123", "می‌خواهم", "हिन्दी में क्षत्रिय", "ক্ষ", "நிலை"),
    *(
        "നന്‍മ",
        "ภาษาไทย",
        "မြန်မာ",
        "日本語のタイトル",
        "한국어",
        "\u1112\u1161\u11ab\u1100\u1173\u11af",
    ),
    *("👨‍👩‍👧‍👦 family", "👩🏽‍🚀", "🏳️‍🌈🏴‍☠️", "🇫🇷🇩🇪🇯", "🏴\U000e0067\U000e0062\U000e007f"),
    *("1️⃣2️⃣", "❤️‍🔥", "Z̴̡̛̞a̸͓̚l̶̙̽g̷̺̈o̷͈͝", "e\u0301\u0301\u0301", "\u0301alone", "\ufffd\ufffd", "ﷺ"),
    *(
        "𒐫𒈙",
        "\u0600123",
        "naïve — “quotes” …",
        "pay\u200dpal",
        "\u0430\u200cdmin",
        "👩\u200d",
        "\u200d💻",
    ),
)
_LONG: Final = tuple(
    (piece * 10_000)[: 10_000 // len(piece) * len(piece)]
    for piece in (
        *(
            "a",
            " ",
            "日",
            "e\u0301",
            "👨‍👩‍👧‍👦",
            "🇫🇷",
            "👍🏽",
            "क्षि ",
            "\u1112\u1161\u11ab",
            "❤\ufe0f",
        ),
        *(
            "\u0301",
            "\u202e",
            "\x1b[31m",
            f"$({_RUN}) ",
            "[bold]",
            "<b>",
            "%F{red}",
            "\n",
            "\0",
            "&",
        ),
    )
)


def _titles() -> Iterator[str]:
    for code in (*range(0x20), 0x7F, *range(0x80, 0xA0)):
        yield f"c{chr(code)}d"
    for char in _INVISIBLE:
        yield f"in{char}visible"
    for char in "\u202e\u2066\u2067\u200f\u061c":
        yield f"{char}gnp.exe and no end"
    yield from (*_TERMINAL, *_SHELL, *_PROMPTS, *_MARKUP, *_SCRIPTS, *_LONG)


TITLES: Final = tuple(dict.fromkeys(_titles()))


def is_hidden(char: str) -> bool:
    """Return whether `char` must never be shown as it is."""
    return char in _HIDDEN or unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"}


def hidden_in(line: str) -> list[str]:
    """Return what is in a shown `line` and mustn't be: what hides, turns, moves or blanks."""
    if line.isascii() and line.isprintable():
        return []
    return [
        f"U+{ord(char):04X} at {at}"
        for at, char in enumerate(line)
        if is_hidden(char) or (char in _INVISIBLE and not _has_use(line, at))
    ]


def _has_use(line: str, at: int) -> bool:
    """Return whether a joiner or a selector stands where a script or an emoji needs it."""
    before, after = line[at - 1 : at] or " ", line[at + 1 : at + 2] or " "
    match line[at]:
        case "\u200c" | "\u200d":
            return not (before + after).isascii() and not (before + after).isspace()
        case "\u180b" | "\ufe00" | "\ufe0e" | "\ufe0f" | "\U000e0100" | "\U000e01ef":
            return not is_hidden(before) and not before.isspace() and before not in _INVISIBLE
        case _:
            return False
