"""The built-in judge: known distractions, and words in common with the plan."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antidriftd.adapters.advisor.local import LocalDriftJudge, local_drift_judge
from antidriftd.adapters.advisor.port import DriftJudge
from antidriftd.core.model import Commitment, Verdict, Window

PLAN = Commitment("Fix the login redirect loop", "the failing tests of AUTH-219 pass", 1500)


@pytest.fixture(scope="module", name="judge")
def packaged_judge() -> DriftJudge:
    return local_drift_judge()


@pytest.mark.parametrize(
    ("window_class", "title", "name"),
    [
        ("firefox", "(12) Cat videos - YouTube — Mozilla Firefox", "YouTube"),
        ("Google-chrome", "YouTube - Google Chrome", "YouTube"),
        ("firefox", "reddit: the front page — Mozilla Firefox", "Reddit"),
        ("firefox", "What's that? : r/AskReddit — Mozilla Firefox", "r/AskReddit"),
        ("firefox", "(4) Home / X — Mozilla Firefox", "X"),
        ("firefox", "Home / Twitter", "Twitter"),
        ("Microsoft-edge", "Facebook - Work - Microsoft Edge", "Facebook"),
        ("firefox", "(31) Instagram • Reels — Mozilla Firefox", "Instagram"),
        ("firefox", "(1) TikTok - Make Your Day — Mozilla Firefox", "TikTok"),
        ("firefox", "Netflix — Mozilla Firefox", "Netflix"),
        ("firefox", "Big tournament - Twitch — Mozilla Firefox", "Twitch"),
        ("firefox", "Hacker News — Mozilla Firefox", "Hacker News"),
        ("firefox", "9GAG - Best Of — Mozilla Firefox", "9GAG"),
        ("firefox", "Amazon.com : headphones — Mozilla Firefox", "Amazon.com"),
        ("firefox", "Rennrad | eBay — Mozilla Firefox", "eBay"),
        ("firefox", "(3) WhatsApp — Mozilla Firefox", "WhatsApp"),
        ("Whatsapp-for-linux", "", "WhatsApp"),
        ("TelegramDesktop", "Jana - (2)", "TelegramDesktop"),
        ("discord", "#general", "Discord"),
        ("steam", "", "Steam"),
        ("steam_app_413150", "Stardew Valley", "steam_app_413150"),
    ],
)
async def test_a_known_distraction_is_drift(
    judge: DriftJudge, window_class: str, title: str, name: str
) -> None:
    verdict = await judge.judge(PLAN, Window(window_class, title))
    assert verdict == Verdict(False, f"{name}, and no word in common with the plan")


@pytest.mark.parametrize(
    ("title", "word"),
    [
        ("Redirect loops explained - YouTube — Mozilla Firefox", "Redirect"),
        ("[AUTH-219] Users bounce - Jira", "AUTH"),
        ("How to write a TEST : r/Python", "TEST"),
    ],
)
async def test_a_word_in_common_with_the_plan_is_on_task_even_there(
    judge: DriftJudge, title: str, word: str
) -> None:
    assert await judge.judge(PLAN, Window("firefox", title)) == Verdict(
        True, f"“{word}” is in the plan"
    )


@pytest.mark.parametrize(
    ("window_class", "title"),
    [
        ("firefox", ""),
        ("", ""),
        ("firefox", "Mozilla Firefox"),
        ("firefox", "PEP 8 — Mozilla Firefox"),
        ("Spotify", "A song - Spotify"),
        ("firefox", "Steam engine - Wikipedia — Mozilla Firefox"),
        ("firefox", "Amazon S3 user guide — Mozilla Firefox"),
        ("firefox", "Muscle twitch - Wikipedia — Mozilla Firefox"),
        ("firefox", "myoutubed — Mozilla Firefox"),
        ("xterm", "X Window System"),
        ("firefox", "the and what with you — Mozilla Firefox"),
        ("Discordia", "law of fives"),
    ],
)
async def test_anything_else_it_cannot_tell(
    judge: DriftJudge, window_class: str, title: str
) -> None:
    assert (await judge.judge(PLAN, Window(window_class, title))).on_task is None


async def test_words_that_say_nothing_are_not_in_common(judge: DriftJudge) -> None:
    plan = Commitment("Open the page in Firefox and 2024 go", "", 1500)
    window = Window("firefox", "the open page 2024 go - YouTube — Mozilla Firefox")
    assert (await judge.judge(plan, window)).on_task is False


@given(st.text(), st.text(), st.text())
async def test_the_same_question_gets_the_same_clean_answer(
    action: str, window_class: str, title: str
) -> None:
    commitment, window = Commitment(action, title[::-1], 1500), Window(window_class, title)
    first = await local_drift_judge().judge(commitment, window)
    assert first == await local_drift_judge().judge(commitment, window)
    assert 0 < len(first.reason) < 300
    assert "\n" not in first.reason


async def test_the_data_is_read_before_the_first_question() -> None:
    judge = LocalDriftJudge(["Chess.com"], ["the"])
    assert (await judge.judge(PLAN, Window("firefox", "Play - Chess.com"))).on_task is False
    assert (await judge.judge(PLAN, Window("firefox", "YouTube"))).on_task is None
    assert (await LocalDriftJudge([], []).judge(PLAN, Window("steam", "YouTube"))).on_task is None


def test_it_sends_nothing_to_anybody(judge: DriftJudge) -> None:
    assert judge.text_for(PLAN, Window("firefox", "YouTube")) == ""


def test_it_costs_nothing(judge: DriftJudge) -> None:
    assert (judge.name, judge.free) == ("local", True)
