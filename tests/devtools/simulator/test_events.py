"""Events of a simulated system."""

from __future__ import annotations

import numpy as np
import pytest
from pydantic import ValidationError

from devtools.simulator.events import LoadChange, Outage, Silence, changed
from devtools.simulator.timeline import day_number
from tests.devtools.simulator.builders import ANCHOR


@pytest.mark.parametrize("start", ["00:00", "03:10", "23:59"])
def test_an_outage_starts_at_a_local_time_of_day(start: str) -> None:
    assert Outage(day_offset=0, start_local=start).start_local == start


@pytest.mark.parametrize("start", ["24:00", "-1:00", "03:60", "03", "noon"])
def test_what_is_no_time_of_day_is_refused(start: str) -> None:
    with pytest.raises(ValidationError, match="start_local"):
        Outage(day_offset=0, start_local=start)


@pytest.mark.parametrize(
    ("minutes", "accepted"), [(0, False), (1, True), (10_080, True), (10_081, False)]
)
def test_an_outage_lasts_up_to_a_week(minutes: int, accepted: bool) -> None:
    document = {"day_offset": 0, "minutes": minutes}
    if accepted:
        assert Outage.model_validate(document).minutes == minutes
    else:
        with pytest.raises(ValidationError, match="minutes"):
            Outage.model_validate(document)


@pytest.mark.parametrize(
    ("key", "value"), [("first_hour", -1), ("first_hour", 24), ("hours", 0), ("hours", 25)]
)
def test_a_silence_is_hours_of_one_day(key: str, value: int) -> None:
    with pytest.raises(ValidationError, match=key):
        Silence.model_validate({"system": "SYS1", "day_offset": 0, key: value})


def test_an_event_does_not_change_and_has_no_unknown_key() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Outage(day_offset=0).minutes = 5  # type: ignore[misc]
    with pytest.raises(ValidationError, match="hours"):
        Outage.model_validate({"day_offset": 0, "hours": 1})


@pytest.mark.parametrize(
    ("gradual", "ratios"), [(False, [0.5, 0.5, 1.0, 1.0]), (True, [0.5, 0.5, 0.75, 1.0])]
)
def test_a_change_comes_at_once_or_grows_until_the_anchor(
    gradual: bool, ratios: list[float]
) -> None:
    days = np.array([day_number(ANCHOR) + offset for offset in (-9, -2, -1, 0)])
    change = LoadChange(day_offset=-1, before=0.5, gradual=gradual)
    assert changed(change, days, ANCHOR).tolist() == ratios
    assert changed(None, days, ANCHOR).tolist() == [1.0] * 4
