"""The day that a run without one judges."""

from datetime import date, timedelta
from pathlib import Path

import pytest

from mqcap.completeness.days import newest_day
from mqcap.domain.feed import FeedState
from mqcap.store.feeds import replace_feed_days
from mqcap.store.observations import replace_observations
from tests.factories import DAY, feed_day, observation
from tests.stores import new_store

NEXT = DAY + timedelta(days=1)


@pytest.mark.parametrize(
    ("states", "today", "expected"),
    [
        ({}, NEXT, None),
        ({DAY: FeedState.complete}, NEXT, (DAY, "complete day")),
        ({DAY: FeedState.complete, NEXT: FeedState.partial}, NEXT, (DAY, f"{NEXT} have only")),
        ({DAY: FeedState.complete, NEXT: FeedState.complete}, NEXT, (NEXT, "complete day")),
        ({DAY: FeedState.partial}, NEXT, (DAY, "none is complete")),
        ({DAY: None, NEXT: None}, NEXT, (DAY, "have only begun")),
        ({DAY: None, NEXT: None}, NEXT + timedelta(days=1), (NEXT, "complete day")),
    ],
)
def test_the_newest_complete_day_is_chosen_else_the_newest(
    tmp_path: Path,
    states: dict[date, FeedState | None],
    today: date,
    expected: tuple[date, str] | None,
) -> None:
    engine = new_store(tmp_path / "store.db")
    replace_observations(engine, states, [observation(site_date=day) for day in states], {})
    for day, state in states.items():
        if state is not None:
            replace_feed_days(engine, day, day, [feed_day(site_date=day, state=state)])
    found = newest_day(engine, today)
    engine.dispose()
    if expected is None:
        assert found is None
    else:
        assert found is not None
        assert found.day == expected[0]
        assert expected[1] in found.reason
