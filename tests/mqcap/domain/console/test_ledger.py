"""Entries of the ledger: what was foreseen, and when a forecast came."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mqcap.domain.console.ledger import (
    TOLERANCE_DAYS,
    Foreseen,
    Ledger,
    LedgerEvent,
    LedgerForecast,
)
from mqcap.domain.forecast import ForecastBasis
from tests.factories import DAY

EVENT = LedgerEvent(
    resource="PLEX1/CSQ1/active_log", label="CSQ1 active logs", site_date=DAY,
    state="out of active log space", message_id="CSQJ111A",
)  # fmt: skip
DUE = LedgerForecast(
    basis=ForecastBasis.live, resource=EVENT.resource, stated_on=DAY, expected_date=DAY
)


def test_each_event_is_in_one_count() -> None:
    missed = EVENT.model_copy(update={"basis": ForecastBasis.hold_out})
    over = missed.model_copy(update={"stated_on": DAY})
    forecast = over.model_copy(update={"expected_date": DAY})
    ledger = Ledger(events=(EVENT, missed, over, forecast))
    assert [event.foreseen for event in ledger.events] == [
        Foreseen.not_compared,
        Foreseen.missed,
        Foreseen.over_already,
        Foreseen.forecast,
    ]
    assert (ledger.missed_events, ledger.standing_events) == ((missed,), (over,))
    assert ledger.forecast_events == (forecast,)


@pytest.mark.parametrize(
    ("reported", "measured", "came"), [(None, None, None), (1, None, 1), (None, 2, 2), (3, 2, 2)]
)
def test_a_forecast_came_on_the_first_of_both_days(
    reported: int | None, measured: int | None, came: int | None
) -> None:
    days = {"reported_on": reported, "measured_on": measured}
    made = DUE.model_copy(
        update={name: DAY + timedelta(days=day) for name, day in days.items() if day}
    )
    assert made.came_on == (DAY + timedelta(days=came) if came else None)
    assert Ledger(forecasts=(made,)).unfulfilled == (() if came else (made,))
    assert made.due_until == DAY + timedelta(days=TOLERANCE_DAYS)
