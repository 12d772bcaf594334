"""A length of time that is given lies between a second and a day."""

import pytest

from antidriftd.core.durations import checked_secs
from antidriftd.core.errors import TransitionRefused


@pytest.mark.parametrize("secs", [1, 1500, 86_400])
def test_one_that_can_be_is_returned(secs: int) -> None:
    assert checked_secs("the timebox", secs) == secs


@pytest.mark.parametrize("secs", [0, -1, 86_401, 2**70, -(2**70)])
def test_one_that_cannot_be_is_refused_by_its_name(secs: int) -> None:
    with pytest.raises(TransitionRefused, match="the timebox must be 1 to 86400 seconds") as caught:
        checked_secs("the timebox", secs)

    assert caught.value.kind == "invalid_value"
