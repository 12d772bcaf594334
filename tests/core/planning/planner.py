"""A machine in which everybody is there whom planning may ask, and the test answers for them."""

from antidriftd.core import events
from antidriftd.core.effects import AskCoach, FetchTaskList, LoadProfile
from antidriftd.core.model import Profile, Proposal, Task
from antidriftd.core.planning_state import Coaching
from antidriftd.core.rules import Rules
from antidriftd.core.state import Planning
from tests.builders import WITH_HELP, Machine

OUTLINE = Proposal("write the outline", "five headings", 1800, ("code", "gimp"))


class Planner(Machine):
    """Asks as a client does, and answers as the coach, the file and the task list do."""

    def __init__(self, rules: Rules = WITH_HELP) -> None:
        super().__init__(rules)

    @property
    def planning(self) -> Planning:
        assert isinstance(self.state.phase, Planning)
        return self.state.phase

    @property
    def coaching(self) -> Coaching:
        return self.planning.coaching

    @property
    def groundings(self) -> list[str]:
        """What of the profile the coach was given, each time it was asked."""
        return [effect.grounding for effect in self.effects if isinstance(effect, AskCoach)]

    @property
    def titles(self) -> list[str]:
        """The tasks that are known."""
        return [task.title for task in self.state.tasks.items]

    def coach(self, intent: str | None = None) -> AskCoach:
        """`coach`; return what the coach is asked."""
        self.feed(events.RequestCoach(intent))
        return self.under_way.only(AskCoach)

    def propose(self, proposal: Proposal = OUTLINE) -> None:
        request = self.under_way.only(AskCoach).request
        self.feed(events.CoachReturned(request, proposal))

    def load(self, text: str, path: str = "/home/me/profile.md") -> None:
        """Have the profile read."""
        request = self.under_way.only(LoadProfile).request
        self.feed(events.ProfileLoaded(request, Profile(text, path)))

    def select(self, path: str) -> None:
        """`knowledge_path`."""
        self.feed(events.SelectProfile(path))

    def fetch(self) -> FetchTaskList:
        """`tasks`; return what is fetched."""
        self.feed(events.FetchTasks())
        return self.under_way.only(FetchTaskList)

    def list_tasks(self, *titles: str) -> None:
        """Have the task list answer."""
        tasks = tuple(Task(f"id-{number}", title, "todo") for number, title in enumerate(titles, 1))
        self.feed(events.TasksFetched(self.under_way.only(FetchTaskList).request, tasks))


def planning(intent: str | None = "the report", rules: Rules = WITH_HELP) -> Planner:
    """Return a machine in planning."""
    machine = Planner(rules)
    machine.plan(intent)
    return machine


def with_a_proposal(proposal: Proposal = OUTLINE) -> Planner:
    """Return a machine whose coach has answered."""
    machine = planning()
    machine.coach()
    machine.propose(proposal)
    return machine
