"""How to bring a daemon to each runtime state, and what a refusal leaves there."""

from typing import Any

import pytest

from tests.clients import Client, Refused, State

PATHS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "idle": [],
    "planning": [("plan", {"intent": "read"})],
    "active": [("start", {"next_action": "read", "allowed_window_classes": ["code"]})],
    "review": [
        ("start", {"next_action": "read", "allowed_window_classes": ["code"]}),
        ("complete", {}),
    ],
}
"""How to get to each runtime state."""


async def go_to(client: Client, runtime: str) -> State:
    for method, params in PATHS[runtime]:
        await client.request(method, **params)
    state = await client.request("state")
    assert state["runtime"] == runtime
    return state


async def refused(client: Client, method: str, /, **params: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        await client.request(method, **params)
    return caught.value


def without_time(state: State) -> State:
    return {name: value for name, value in state.items() if name != "evidence"}
