"""The built-in coach: the intent's own words, the time that it names, and an end."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from antidriftd.adapters.advisor.local.coach import local_coach
from antidriftd.adapters.advisor.local.judge import local_drift_judge
from antidriftd.adapters.advisor.port import AdvisorError
from antidriftd.core.model import Proposal

COACH = local_coach(local_drift_judge().topics)


async def proposal(intent: str, grounding: str = "") -> Proposal:
    return await COACH.coach(intent, grounding)


async def test_an_intent_becomes_a_contract_of_its_own_words() -> None:
    assert await proposal("  write the\n report  45 min ") == Proposal(
        next_action="Write the report",
        success_condition="I have written the report, to the last line, and it is saved",
        timebox_secs=45 * 60,
        allowed_window_classes=(),
    )


@pytest.mark.parametrize(
    ("intent", "action", "minutes"),
    [
        ("write the report", "Write the report", 25),
        ("write the report 45 min", "Write the report", 45),
        ("write the report, 45m", "Write the report", 45),
        ("write the report (1h30)", "Write the report", 90),
        ("Write the report - 2 hours", "Write the report", 120),
        ("write the report for 90 minutes", "Write the report", 90),
        ("write the report for half an hour", "Write the report", 30),
        ("write the report in 20 minutes.", "Write the report", 20),
        ("write the report 1.5 hours", "Write the report", 90),
        ("write the report 1,5h", "Write the report", 90),
        ("write for half an hour on the report", "Write on the report", 30),
        ("45 min: write the report", "Write the report", 45),
        ("1h 5m write the report", "Write the report", 65),
        ("2 hours and 15 minutes, the report", "The report", 135),
        ("an hour and a half of reading", "Reading", 90),
        ("For about 1 hour write", "Write", 60),
        ("write 24h", "Write", 1440),
        # A number without a unit, a time that is said of something else, or no sensible time.
        ("review PR 45", "Review PR 45", 25),
        ("1h 30 tests", "30 tests", 60),
        ("write the 30 minute talk", "Write the 30 minute talk", 25),
        ("write the 30-minute talk", "Write the 30-minute talk", 25),
        ("prepare a talk of 30 minutes", "Prepare a talk of 30 minutes", 25),
        ("run 5km", "Run 5km", 25),
        ("write 0 min", "Write 0 min", 25),
        ("sleep 900 hours", "Sleep 900 hours", 25),
        # Nothing but a time.
        ("45 min", "45 min", 45),
    ],
)
async def test_a_time_in_the_intent_becomes_the_timebox(
    intent: str, action: str, minutes: int
) -> None:
    answer = await proposal(intent)
    assert (answer.next_action, answer.timebox_secs) == (action, minutes * 60)


@pytest.mark.parametrize(
    ("intent", "action", "minutes"),
    [
        ("Bericht schreiben 45 Minuten", "Bericht schreiben", 45),
        ("Bericht schreiben, 2 Std", "Bericht schreiben", 120),
        ("eine halbe Stunde Vokabeln", "Vokabeln", 30),
        ("anderthalb Stunden lesen", "Lesen", 90),
        ("rédiger le rapport pendant 2 heures", "Rédiger le rapport", 120),
        ("rédiger le rapport (1h30)", "Rédiger le rapport", 90),
        ("escribir el informe durante media hora", "Escribir el informe", 30),
        ("escribir el informe en 40 minutos", "Escribir el informe", 40),
        ("scrivere la relazione per 2 ore", "Scrivere la relazione", 120),
        ("escrever o relatório por 50 minutos", "Escrever o relatório", 50),
        ("verslag schrijven 3 uur", "Verslag schrijven", 180),
        ("napisać raport przez 30 minut", "Napisać raport", 30),
        ("написать отчёт за 2 часа", "Написать отчёт", 120),
        ("30分で報告書を書く", "報告書を書く", 30),
        ("1時間半 報告書を書く", "報告書を書く", 90),
        ("写报告 45分钟", "写报告", 45),
        ("보고서 쓰기 2시간", "보고서 쓰기", 120),
        # Of something else.
        ("第3部分を読む", "第3部分を読む", 25),
    ],
)
async def test_a_time_is_understood_in_many_languages(
    intent: str, action: str, minutes: int
) -> None:
    answer = await proposal(intent)
    assert (answer.next_action, answer.timebox_secs) == (action, minutes * 60)


@pytest.mark.parametrize("intent", ["iOS build", "e-mail", "/etc/hosts", "42 things", "Tidy up"])
async def test_a_first_word_with_a_spelling_of_its_own_keeps_it(intent: str) -> None:
    assert (await proposal(intent)).next_action == intent


@pytest.mark.parametrize("intent", ["", " \n\t", "\x1b\x00"])
async def test_without_an_intent_there_is_nothing_to_propose(intent: str) -> None:
    with pytest.raises(AdvisorError, match=r"^there is no intent to make a contract of$"):
        await proposal(intent)


async def test_the_profile_is_of_no_use_to_it() -> None:
    assert await proposal("write", "I am a writer, 90 minutes") == await proposal("write")


@given(st.text(max_size=1500))
@settings(deadline=None)
async def test_any_intent_gives_the_same_clean_contract_each_time(intent: str) -> None:
    try:
        answer = await proposal(intent)
    except AdvisorError:
        return
    assert answer == await proposal(intent)
    assert 60 <= answer.timebox_secs <= 86400
    for text in (answer.next_action, answer.success_condition):
        assert text == text.strip()
        assert 0 < len(text) <= 512
        assert not {unicodedata.category(character) for character in text} & {"Cc", "Cs", "Zl"}


def test_it_is_named_as_the_user_names_it() -> None:
    assert COACH.name == "local"
