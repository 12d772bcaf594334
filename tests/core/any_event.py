"""Hypothesis's idea of anything that can happen to a daemon."""

from collections.abc import Callable

from hypothesis import strategies as st

from antidriftd.core import events
from antidriftd.core.model import Display, Profile, Proposal, Task, Verdict, Window

CANARY = "I breed canaries"
NAMES = st.sampled_from([None, "gimp", "Firefox", "cats", "=cats", "a", "", "\n"])
WINDOWS = st.sampled_from(
    [
        None,
        Window("gimp", "a.png"),
        Window("gimp", "b.png", "other"),
        Window("steam", "cats"),
        Window("firefox", "(1) cats — Mozilla Firefox"),
        Window("firefox", "dogs"),
        Window("firefox", "Mozilla Firefox"),
        Window("kitty", "vim"),
        Window("kitty", "antidrift watch"),
        Window("rofi", ""),
        Window("", ""),
        Window("", "a game"),
    ]
)
SECS = st.sampled_from([0.0, 0.03, 0.05, 0.5, 1.9, 2.0, 8.0, 10.0, 15.0, 30.0, 60.0, 300.0, 601.0])
LONG_SECS = st.sampled_from([0.5, 30.0, 61.0, 3600.0, 7200.0, 4 * 3600.0 - 1, 4 * 3600.0, 1e6])
COMMANDS = st.one_of(
    st.builds(events.EnterPlanning, NAMES),
    st.builds(events.EnterPlanning, task_id=st.sampled_from(["1", "2", ":1", "nobody's"])),
    st.builds(events.RequestCoach, NAMES),
    st.just(events.FetchTasks()),
    st.builds(events.SelectProfile, st.sampled_from(["", "/profile.md", "~/me", "me"])),
    st.just(events.CancelPlanning()),
    st.builds(
        events.StartSession,
        session_id=st.uuids().map(str),
        next_action=st.sampled_from([None, "write", "write", " "]),
        timebox_secs=st.sampled_from([None, 1, 60, 86_400, 0]),
        allowed_window_classes=st.sampled_from([None, (), ("gimp",), ("firefox", "")]),
        allowed_window_titles=st.sampled_from([None, ("cats",), ("=dogs",)]),
    ),
    st.builds(events.AllowContext, NAMES, NAMES),
    st.just(events.AllowContext()),
    st.builds(events.DisallowContext, NAMES, NAMES),
    st.just(events.DisallowContext()),
    st.builds(events.Refocus, st.sampled_from([None, "mail", "\n"])),
    st.just(events.CondemnContext()),
    st.just(events.PauseSession()),
    st.just(events.ResumeSession()),
    st.builds(events.ExtendSession, st.just(0), st.just(True)),
    st.builds(events.ExtendSession, st.sampled_from([0, 1, 600, 86_400])),
    st.just(events.CompleteSession()),
    st.builds(events.CloseReview, st.sampled_from(["done", None]), st.just("a note")),
    st.builds(events.OfferDisplay, st.builds(Display, st.sampled_from([":0", ":1", "host:0"]))),
)


PROPOSALS = st.sampled_from(
    [
        Proposal("write", "two pages", 600, ("gimp", "firefox")),
        Proposal("write", "", 86_400),
        Proposal(" ", "two pages", 600),
        Proposal("write", "", 0, ("",)),
    ]
)
TASK_LISTS = st.lists(
    st.builds(
        Task, st.sampled_from("123"), st.sampled_from(["read", "x" * 600, "\n"]), st.just("a")
    )
).map(tuple)
PROFILES = st.builds(Profile, st.sampled_from(["", CANARY]), st.just("/profile.md"))
ANSWERS: st.SearchStrategy[Callable[[int], events.Answer]] = st.one_of(
    st.builds(
        lambda on_task: lambda at: events.JudgmentReturned(at, Verdict(on_task, "")),
        st.sampled_from([True, False, None]),
    ),
    st.just(lambda at: events.JudgmentFailed(at, "no")),
    st.builds(lambda proposal: lambda at: events.CoachReturned(at, proposal), PROPOSALS),
    st.just(lambda at: events.CoachFailed(at, "no")),
    st.builds(lambda profile: lambda at: events.ProfileLoaded(at, profile), PROFILES),
    st.just(lambda at: events.ProfileFailed(at, "/profile.md")),
    st.builds(lambda tasks: lambda at: events.TasksFetched(at, tasks), TASK_LISTS),
    st.just(lambda at: events.TasksFailed(at, "no")),
    st.builds(lambda text: lambda at: events.NudgeReturned(at, text), st.sampled_from(["", "go"])),
    st.just(lambda at: events.NudgeFailed(at, "no")),
)

DESKTOP_NEWS: st.SearchStrategy[events.Observation] = st.one_of(
    st.builds(events.InputSeen, st.sampled_from([None, 0.0, 5.0, 100.0, 180.0, 700.0, 1e5])),
    st.builds(events.ScreenLocked, st.booleans()),
    st.builds(events.MachineSleeps, st.booleans()),
)
