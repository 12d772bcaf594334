"""What was learned as clients see it, and which of it they mean when they say to forget."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final

from antidriftd.adapters.store.port import StoreError
from antidriftd.core.learned import Lesson
from antidriftd.core.titles import HASH_CHARS
from antidriftd.runtime.experience import NumberedLesson, PastAnswers
from protocol import views
from protocol.errors import RpcError
from protocol.methods import UnlearnParams

_MOST_LESSONS: Final = 500
_MAX_CHARS: Final = 120
"""So that a reply stays under its limit, whatever the texts are made of."""

_HASH: Final = re.compile(rf"[0-9a-f]{{{HASH_CHARS}}}")


def view_of(lessons: Iterable[NumberedLesson]) -> views.Learned:
    """Return numbered lessons as clients see them, at most the last 500."""
    told = list(lessons)
    return views.Learned(
        lessons=tuple(_lesson(number, each) for number, each in told[-_MOST_LESSONS:]),
        more=max(0, len(told) - _MOST_LESSONS),
    )


async def forget(past: PastAnswers, params: UnlearnParams) -> views.Learned:
    """Forget what `params` name; return what it was.

    Raises:
        RpcError: nothing is named, something named isn't there, or the history can't be written;
            then nothing is forgotten.
    """
    classes = {text.strip().casefold() for text in params.window_classes}

    def choose(known: Sequence[NumberedLesson]) -> list[NumberedLesson]:
        _check(params, classes, known)
        return [
            (number, each)
            for number, each in known
            if params.everything or number in params.numbers or each.subject.program in classes
        ]

    try:
        return view_of(await past.forget(choose))
    except StoreError as error:
        raise RpcError("unavailable", f"nothing is forgotten: {error}") from error


def _check(params: UnlearnParams, classes: set[str], known: Sequence[NumberedLesson]) -> None:
    if not (params.everything or params.numbers or classes):
        raise RpcError(
            "invalid_params", "unlearn: name `numbers`, `window_classes` or `everything`"
        )
    listed = {number for number, _ in known if number}
    unknown = [str(number) for number in params.numbers if number not in listed]
    unknown += sorted(classes - {each.subject.program for _, each in known})
    if unknown:
        message = f"nothing was learned as {unknown[0][:_MAX_CHARS]}; see: antidrift learned"
        raise RpcError("invalid_value", message)


def _lesson(number: int, lesson: Lesson) -> views.Lesson:
    page = lesson.subject.page
    ontask = sum(label.on_task for label in lesson.labels)
    return views.Lesson(
        number=number,
        kind=lesson.kind[:_MAX_CHARS],
        window_class=lesson.window_class[:_MAX_CHARS],
        is_page=bool(page),
        page="" if _HASH.fullmatch(page) else page[:_MAX_CHARS],
        ontask=ontask,
        offtask=len(lesson.labels) - ontask,
        sessions=lesson.sessions,
        since=datetime.fromtimestamp(lesson.labels[0].at, UTC),
        hint="" if lesson.hint is None else "ontask" if lesson.hint.on_task else "offtask",
    )
