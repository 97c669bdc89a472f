"""Series under a change, changed once for all states of a day."""

from pathlib import Path

import pytest

from mqcap.domain.metric import Statistic, series_id
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.known import Known
from mqcap.whatif.effects import SeriesChange
from mqcap.whatif.overlay import changed_days, changed_forecast
from tests import factories
from tests.mqcap.whatif.builders import world
from tests.mqcap.whatif.sharing_group import CSQ1, DAY, facts_of

CHINIT = f"{CSQ1}/CHINIT"
USED = ("chinit_31bit_used_pct", CHINIT)
KEY = (series_id(*USED), Statistic.peak)


@pytest.fixture(name="facts")
def given_facts(tmp_path: Path) -> DayFacts:
    """A day with a forecast of the storage, and with what was found for it."""
    forecast = factories.forecast(series_id=KEY[0], cutoff_date=DAY, lines=[(20.0, 21.0, 22.0)])
    return facts_of(tmp_path, forecasts=(forecast,))._replace(known=Known())


def test_states_that_change_a_series_in_the_same_way_share_it(facts: DayFacts) -> None:
    growth = {"subjects": [CHINIT], "metrics": [USED[0]], "pct": 10}
    sizes = [{"subject": CSQ1, "archive_minutes": minutes} for minutes in (8, 9, 8)]
    states = [world(facts, growth=[growth], configuration=[size]).facts for size in sizes]
    first, other, again = (state.observed.measured(*USED) for state in states)
    assert first is other is again
    assert first is not facts.observed.measured(*USED)
    first_estate, other_estate, same_estate = (state.estate for state in states)
    assert first_estate is same_estate
    assert first_estate is not other_estate
    assert states[0].forecasts[KEY] is states[1].forecasts[KEY]


def test_a_change_of_nothing_leaves_days_and_forecast(facts: DayFacts) -> None:
    assert changed_days(facts, USED, SeriesChange()) is facts.observed.measured(*USED)
    assert changed_forecast(facts, KEY, SeriesChange()) is facts.forecasts[KEY]
