"""Settings of transports."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from mqcap.settings.analysis import TransportSettings


@pytest.mark.parametrize("largest", [0.9, 1.0, 1.1])
def test_the_largest_message_is_not_below_the_least(largest: float) -> None:
    if largest < 1:
        with pytest.raises(ValidationError, match="largest_message_kib is below"):
            TransportSettings(largest_message_kib=largest)
    else:
        assert TransportSettings(largest_message_kib=largest).least_message_kib == 1


@pytest.mark.parametrize("days", [0, 36])
def test_days_are_those_of_which_the_lake_keeps_records(days: int) -> None:
    with pytest.raises(ValidationError):
        TransportSettings(days=days)
