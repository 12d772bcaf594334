"""A person who learns: a home with bindings, bases and a daemon, and what they type."""

import json
import re
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import trio

from antidriftd.adapters.evidence.inputs import FileInputs
from antidriftd.core.knowledge.model import Candidate, Destination, Input, Kind, Source
from tests.clients import PATIENCE_SECS, State
from tests.daemons import Daemon, open_daemon
from tests.faults.forks import Forks, open_forked
from tests.learning.judge import FakeJudge
from tests.waiting import wait_until

OWNER = "o-5f0c6c1e"
PROFILE = "# Me\nI write a book on lichens.\n"


@dataclass(frozen=True, slots=True)
class Done:
    """How a verb went."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What `--json` printed."""
        return json.loads(self.out)


@dataclass(slots=True)
class World:
    """The person's home."""

    folder: Path
    judge: FakeJudge
    forks: Forks | None = None
    """What forks its daemons; without it each is started by its name."""
    environ: dict[str, str] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def data(self) -> Path:
        return self.home / ".local" / "share" / "antidrift" / "knowledge"

    @property
    def bindings(self) -> Path:
        return self.home / ".config" / "antidrift" / "knowledge.toml"

    @property
    def base(self) -> Path:
        return self.home / ".antidrift"

    @property
    def profile(self) -> Path:
        return self.base / "knowledge.md"

    # --- what is set up -----------------------------------------------------------------------

    def bind(self, bases: str = "", **top: Any) -> None:
        """Write bindings: `me` in ~/.antidrift, or other bases."""
        values = {"version": 1, "owner": OWNER, "harvest": "me/profile", "capture": "on", **top}
        text = "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())
        self.bindings.parent.mkdir(parents=True, exist_ok=True)
        self.bindings.write_text(text + (bases or directory_base("me", self.base)))

    def make_base(self, folder: Path | None = None, **options: str) -> None:
        """Make a base in a directory: a marker, and a profile."""
        folder = folder or self.base
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "antidrift-base.toml").write_text(marker(**options))
        file = folder / options.get("file", "knowledge.md")
        if not file.exists():
            file.write_text(PROFILE)

    def bind_directory(self, **top: Any) -> None:
        """Bind the profile as a node of a directory."""
        self.make_base()
        self.bind(**top)

    def seal(self, *candidates: Candidate, session: str = "s1", **options: Any) -> str:
        """Keep an input of a session that is over, as a daemon would; return its id."""
        found = options.pop("destination", None) or self.destination()
        source = Source(
            id=session,
            label="write the report",
            started="2026-11-30T09:00:00Z",
            ended=f"2026-11-30T10:00:{len(self.inputs()):02}Z",
        )
        packet = Input(
            kind="session",
            source=source,
            owner=OWNER,
            destination=found,
            candidates=tuple(replace(each, n=n) for n, each in enumerate(candidates)),
            **options,
        )
        return FileInputs(self.data).keep(packet)

    def destination(self, ref: str = "me/profile", base: Path | None = None) -> Destination:
        """Return the node of a directory, as it is frozen."""
        return Destination(
            ref=ref,
            base_id=f"{ref.partition('/')[0]}-1",
            kind="directory",
            locator={"path": str(base or self.base), "file": "knowledge.md"},
            bindings="sha256:0",
        )

    # --- what is there ------------------------------------------------------------------------

    def inputs(self) -> dict[str, Any]:
        """Return the sealed inputs by id."""
        paths = sorted((self.data / "inputs").glob("[!.]*.json"))
        return {path.stem: json.loads(path.read_bytes()) for path in paths}

    def candidates(self) -> list[dict[str, Any]]:
        """Return every sealed candidate."""
        return [each for packet in self.inputs().values() for each in packet["candidates"]]

    def claims(self) -> list[str]:
        """Return every sealed claim."""
        return [each["claim"] for each in self.candidates()]

    def runs(self) -> dict[str, Any]:
        """Return the runs' views by id."""
        paths = (self.data / "runs").glob("*/run.json")
        return {path.parent.name: json.loads(path.read_bytes()) for path in paths}

    def receipts(self, run: str) -> list[dict[str, Any]]:
        """Return a run's receipts in order."""
        paths = (self.data / "runs" / run / "receipts").glob("[!.]*.json")
        return sorted((json.loads(p.read_bytes()) for p in paths), key=lambda each: each["seq"])

    def states(self, run: str) -> list[str]:
        """Return the states that a run has been in, in order."""
        return [each["state"] for each in self.receipts(run)]

    def entries(self, path: Path | None = None) -> list[str]:
        """Return the texts that were learned."""
        text = (path or self.profile).read_text()
        return re.findall(r"^- (.*) <!-- k:[0-9a-f]{8}\.\d+ [0-9-]+ -->$", text, re.MULTILINE)

    def marks(self, path: Path | None = None) -> list[str]:
        """Return the ids with revisions of what was learned."""
        return re.findall(r"<!-- (k:[0-9a-f]{8}\.\d+) ", (path or self.profile).read_text())

    # --- the daemon -----------------------------------------------------------------------------

    @asynccontextmanager
    async def daemon(self, *, ai: str = "command", **options: Any) -> AsyncIterator["Person"]:
        """Run a daemon in this home, and give the person at it."""
        env = {"ANTIDRIFT_AI_CMD": self.judge.command, **self.environ, **options.pop("env", {})}
        opened: AbstractAsyncContextManager[Daemon]
        if self.forks is None or "program" in options:
            opened = open_daemon(self.folder, ai=ai, env=env, **options)
        else:
            opened = open_forked(self.forks, self.folder, ai=ai, env=env, **options)
        async with opened as daemon:
            yield Person(self, daemon)


@dataclass(slots=True)
class Person:
    """Somebody at a terminal, with a daemon that runs."""

    world: World
    daemon: Daemon

    async def types(self, *arguments: str) -> Done:
        """Run `antidrift` and return how it went."""
        return await run_verb(self.daemon.home.environ, *arguments)

    async def does(self, *arguments: str) -> str:
        """Run `antidrift`, which must succeed; return what it printed."""
        done = await self.types(*arguments)
        assert done.code == 0, (arguments, done)
        return done.out

    async def fails(self, *arguments: str, code: str) -> str:
        """Run `antidrift`, which must fail with exit code 5 and this code; return the message."""
        done = await self.types(*arguments)
        assert done.code == 5, (arguments, done)
        assert done.err.startswith(f"antidrift: {code}: "), done
        return done.err

    async def session(self, *steps: Callable[["Person"], Any], task: str = "write") -> str:
        """Play a whole session, and return its id once its evidence is sealed."""
        await self.daemon.request("start", next_action=task)
        for step in steps:
            await step(self)
        before = set(self.world.inputs())
        await self.daemon.request("complete")
        await self.daemon.request("review")
        sealed = self.world.inputs
        await wait_until(lambda: bool(set(sealed()) - before) and not self.live())
        new = [each for each in sealed() if each not in before]
        session_id: str = sealed()[new[0]]["source"]["id"]
        return session_id

    def live(self) -> list[Path]:
        """Return the live files."""
        return sorted((self.world.data / "open").glob("*.jsonl"))

    async def harvests(self, *flags: str) -> str:
        """Harvest to the end, and return the run's id."""
        done = await self.types("harvest", *flags, "--json")
        assert done.code in {0, 5}, done
        runs = self.world.runs()
        return max(runs, key=lambda run: (runs[run]["began"], runs[run]["seq"], run))

    async def learns(self) -> str:
        """Harvest, accept, and return the run's id."""
        before = set(self.world.runs())
        await self.does("harvest")
        [run] = set(self.world.runs()) - before
        await self.does("harvest", "accept", run)
        return run

    async def state(self) -> State:
        """Return the state."""
        return await self.daemon.request("state")


def claim(text: str, kind: Kind = "note", **more: Any) -> Candidate:
    """Return a candidate; it is stated unless it is said otherwise."""
    values: dict[str, Any] = {"n": 0, "at": "2026-11-30T09:30:00Z", "certainty": "stated", **more}
    return Candidate(kind=kind, claim=text, **values)


def directory_base(name: str, folder: Path, base_id: str = "") -> str:
    """Return the bindings of a base in a directory."""
    id_ = base_id or f"{name}-1"
    return f'[bases.{name}]\nid = "{id_}"\nkind = "directory"\npath = "{folder}"\n'


def marker(
    base_id: str = "me-1", node: str = "profile", file: str = "knowledge.md", owner: str = OWNER
) -> str:
    """Return the text of a marker with one node."""
    return f'version = 1\nid = "{base_id}"\n[nodes.{node}]\nfile = "{file}"\nowner = "{owner}"\n'


def open_world(folder: Path, forks: Forks | None = None) -> World:
    """Make a home in which nothing is bound yet."""
    (folder / "home").mkdir(parents=True, exist_ok=True)
    judged = folder / "ai"
    judged.mkdir(exist_ok=True)
    return World(folder, FakeJudge(judged), forks)


async def run_verb(environ: Mapping[str, str], *arguments: str) -> Done:
    """Run `antidrift` in an environment."""
    with trio.fail_after(PATIENCE_SECS):
        done = await trio.run_process(
            [sys.executable, "-m", "antidrift_cli", *arguments],
            env=dict(environ),
            capture_stdout=True,
            capture_stderr=True,
            check=False,
        )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def note(text: str, *flags: str) -> Callable[[Person], Any]:
    """Return the step of typing a note."""

    async def step(person: Person) -> None:
        await person.daemon.request(
            "capture", text=text, decision="--decision" in flags, unsure="--unsure" in flags
        )

    return step
