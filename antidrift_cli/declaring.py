"""How a verb is declared: without Click, which takes longer to import than most verbs take to run.

`main` makes a Click command of it once there is something to parse or to explain. A verb that is
typed alone is called as it is, each of its parameters by its default; a test holds those to what
Click would hand over.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

Function = Callable[..., int | None]
"""What a verb does; it returns the exit code, where that isn't always 0."""


JSON_FLAG: Final = "--json"


class Parameter(NamedTuple):
    """An option or an argument.

    `settings` are Click's, and two of ours: `choices`, the texts that are allowed, and `read`,
    which makes a value of the text and raises ValueError where that says nothing.
    """

    kind: Literal["option", "argument"]
    names: Sequence[str]
    settings: Mapping[str, Any]


class Verb(NamedTuple):
    """A function and how its arguments are written; its docstring is the help."""

    function: Function
    parameters: Sequence[Parameter]
    examples: Sequence[str]
    settings: Mapping[str, Any]

    @property
    def can_stand_alone(self) -> bool:
        """Whether it may be typed without any argument."""
        return not any(each.settings.get("required") for each in self.parameters)


def option(*names: str, **settings: Any) -> Parameter:
    """Declare an option."""
    return Parameter("option", names, settings)


def argument(name: str, *, required: bool = False, **settings: Any) -> Parameter:
    """Declare an argument."""
    return Parameter("argument", [name], {"required": required, **settings})


JSON_OPTION: Final = option(
    JSON_FLAG, "as_json", is_flag=True, help="Print the result, or the error, as one JSON line."
)
"""What every verb takes."""


def verb(
    *parameters: Parameter, examples: Sequence[str], **settings: Any
) -> Callable[[Function], Verb]:
    """Make a verb of a function, with `--json` besides its `parameters`.

    The `settings` are Click's for a command.
    """
    return lambda function: Verb(function, (*parameters, JSON_OPTION), examples, settings)


def epilog(examples: Iterable[str]) -> str:
    r"""Return the end of a verb's help; `\b` keeps Click from joining the lines."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in examples)
