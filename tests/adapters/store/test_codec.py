"""The snapshot's bytes: they come back as they went, or are known to be damaged."""

import dataclasses
import json
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antidriftd.adapters.store import codec
from antidriftd.adapters.store.codec import NewerSchema, Unreadable
from antidriftd.adapters.store.records import SCHEMA
from antidriftd.core.model import Proposal
from antidriftd.core.planning_state import Coaching
from antidriftd.core.recording_state import SessionReviewed
from antidriftd.core.restore import Saved
from antidriftd.core.state import Active, Planning
from antidriftd.rpc.wire import state_view
from tests.adapters.store.samples import SNAPSHOTS, planned, running
from tests.builders import NO_JUDGE, Machine
from tests.fakes.clock import FakeTime

SCHEMAS = Path(__file__).parent / "schemas"
"""A snapshot of each schema, as the version wrote it that brought it."""


def about(value: Any) -> Any:
    """Return plain data with the times rounded: the file keeps microseconds."""
    if dataclasses.is_dataclass(value):
        fields = dataclasses.fields(value)
        return {field.name: about(getattr(value, field.name)) for field in fields}
    if isinstance(value, float):
        return pytest.approx(value, abs=2e-5, rel=0)
    if isinstance(value, tuple | list):
        return [about(item) for item in value]
    if hasattr(value, "items"):
        return {key: about(item) for key, item in value.items()}
    return value


def is_refused(data: bytes) -> bool:
    try:
        codec.decode(data)
    except (Unreadable, NewerSchema):
        return True
    return False


@given(saved=SNAPSHOTS)
def test_a_snapshot_comes_back_as_it_was_written(saved: Saved) -> None:
    again = codec.decode(codec.encode(saved))

    assert about(again) == about(saved)


@given(saved=SNAPSHOTS)
def test_one_that_was_read_is_written_as_it_was(saved: Saved) -> None:
    """Restart after restart, nothing wanders."""
    once = codec.decode(codec.encode(saved))
    twice = codec.decode(codec.encode(once))

    assert about(twice) == about(once)


@given(
    boot=st.integers(0, 10**13),
    utc=st.integers(10**15, 4 * 10**15),
    apart=st.integers(-900_000, 900_000),
)
def test_what_clients_saw_of_a_session_comes_back_to_the_microsecond(
    boot: int, utc: int, apart: int
) -> None:
    """Also with clocks that a restart finds a little further apart, as each has its own pace."""
    time = FakeTime(boot=boot / 1e6)
    time.utc = utc / 1e6
    machine = Machine(NO_JUDGE, time=time)
    machine.start("code")
    machine.time.advance(1.5)
    seen = state_view(machine.state).commitment
    machine.time.step_wall_clock(apart / 1e6)
    for _ in range(2):
        machine.restart(codec.decode(codec.encode(machine.saved())))

    assert state_view(machine.state).commitment == seen


def test_it_is_one_line_of_json_with_a_schema() -> None:
    data = codec.encode(running())

    assert data.count(b"\n") == 1
    assert json.loads(data)["schema"] == SCHEMA
    assert json.loads(data)["body"]["session"]["started_at"].endswith("Z")


def test_every_flipped_bit_is_noticed() -> None:
    data = codec.encode(running())
    for index in range(len(data)):
        for bit in range(8):
            damaged = bytearray(data)
            damaged[index] ^= 1 << bit
            assert is_refused(bytes(damaged)), (index, bit)


def test_every_cut_is_noticed() -> None:
    """Only the line end at the very end may be missing."""
    data = codec.encode(running())

    assert [at for at in range(len(data)) if not is_refused(data[:at])] == [len(data) - 1]


@given(data=st.binary(max_size=200))
def test_any_other_bytes_are_refused(data: bytes) -> None:
    assert is_refused(data)


BODY = json.loads(codec.encode(running()))["body"]
IDLE = {"revision": 1, "boot_id": "b", "runtime": "idle"}


def signed(body: object, **envelope: object) -> bytes:
    """Return a file with a right checksum, as a person with an editor could not make it."""
    data = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    header = json.dumps({"schema": 1, "crc32": zlib.crc32(data)} | envelope).encode()
    return header[:-1] + b',"body":' + data + b"}"


@pytest.mark.parametrize("path", sorted(SCHEMAS.glob("*.json")), ids=lambda path: path.stem)
def test_what_every_version_wrote_is_still_read(path: Path) -> None:
    saved = codec.decode(path.read_bytes())
    session = running().phase
    assert isinstance(saved.phase, Active)
    assert isinstance(session, Active)

    assert about(saved.phase) == about(session)
    kinds = [type(entry.record) for entry in saved.recording.waiting]
    assert kinds[-1] is SessionReviewed
    assert saved.recording.next_number > saved.recording.waiting[-1].number


@pytest.mark.fault("F11", "another version wrote the file")
def test_the_newest_schema_is_kept_too() -> None:
    assert (SCHEMAS / f"{SCHEMA}.json").read_bytes() == codec.encode(running())


def test_what_is_signed_by_hand_is_read() -> None:
    assert codec.decode(signed(IDLE)).revision == 1
    assert about(codec.decode(signed(BODY))) == about(running())


def test_a_plan_from_before_there_was_a_coach_is_read() -> None:
    plan = IDLE | {"runtime": "planning", "intent": "read"}

    assert codec.decode(signed(plan)).phase == Planning("read")


def test_a_proposal_is_kept_and_what_else_the_coach_is_doing_is_not() -> None:
    proposal = Proposal("write", "two pages", 600, ("code",))
    for coaching, kept in [
        (Coaching("ready", proposal=proposal), Coaching("ready", proposal=proposal)),
        (Coaching("pending", request=3), Coaching()),
        (Coaching("error", error="no"), Coaching()),
    ]:
        saved = Saved(revision=1, boot_id="b", phase=Planning("read", coaching))

        assert codec.decode(codec.encode(saved)).phase == Planning("read", kept)


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        None,
        IDLE | {"runtime": "asleep"},
        IDLE | {"revision": "1"},
        IDLE | {"revision": 2**80},
        IDLE | {"surprise": 1},
        IDLE | {"runtime": "active"},
        IDLE | {"session": BODY["session"]},
        IDLE | {"runtime": "planning", "proposal": {"next_action": "write"}},
        BODY | {"runtime": "review"},
        BODY | {"runtime": "planning"},
        BODY | {"ended_at": "2026-01-01T00:00:00Z"},
        BODY | {"session": BODY["session"] | {"started_at": "soon"}},
        BODY | {"session": BODY["session"] | {"timebox_secs": None}},
    ],
)
def test_a_body_that_makes_no_sense_is_refused(body: object) -> None:
    with pytest.raises(Unreadable):
        codec.decode(signed(body))


@pytest.mark.parametrize("schema", [0, -1, "1", 1.5, None, True, [1]])
@pytest.mark.fault("F11", "another version wrote the file")
def test_a_schema_that_never_was_is_refused(schema: object) -> None:
    with pytest.raises(Unreadable):
        codec.decode(signed(IDLE, schema=schema))


@pytest.mark.parametrize("line", [b'{"schema":3}', signed(IDLE, schema=3), signed(3, schema=99)])
@pytest.mark.fault("F11", "another version wrote the file")
def test_a_newer_schema_is_told_apart_whatever_else_it_holds(line: bytes) -> None:
    with pytest.raises(NewerSchema, match="this version knows 2"):
        codec.decode(line)


def test_a_text_that_no_file_can_hold_is_refused_when_written() -> None:
    with pytest.raises(UnicodeEncodeError):
        codec.encode(planned("half \ud800 a pair"))
