from __future__ import annotations

from datetime import date, timedelta

import pytest
from sqlalchemy import Engine

from mqcap.store.distinct_dates import distinct_dates
from mqcap.store.fetch import fetch_values
from mqcap.store.observations import replace_observations
from mqcap.store.tables import ObservationRow
from tests.factories import DAY, observation

FIRST, SECOND, THIRD = (DAY + timedelta(days=number) for number in (0, 2, 3))
ONE_DAY = timedelta(days=1)


@pytest.fixture
def filled(engine: Engine) -> Engine:
    rows = [observation(series_id=name, day=day) for name in "ab" for day in (THIRD, FIRST, SECOND)]
    replace_observations(engine, [FIRST, SECOND, THIRD], rows, {})
    return engine


@pytest.mark.parametrize(
    ("first", "last", "wanted"),
    [
        (None, None, [FIRST, SECOND, THIRD]),
        (FIRST, None, [FIRST, SECOND, THIRD]),
        (FIRST + ONE_DAY, None, [SECOND, THIRD]),
        (None, THIRD - ONE_DAY, [FIRST, SECOND]),
        (None, THIRD, [FIRST, SECOND, THIRD]),
        (SECOND, SECOND, [SECOND]),
        (FIRST + ONE_DAY, FIRST + ONE_DAY, []),
        (THIRD + ONE_DAY, None, []),
    ],
)
def test_each_day_with_rows_comes_once_in_order(
    filled: Engine, first: date | None, last: date | None, wanted: list[date]
) -> None:
    column = ObservationRow.site_date
    assert fetch_values(filled, distinct_dates(column, first, last)) == wanted


def test_an_empty_table_has_no_days(engine: Engine) -> None:
    assert fetch_values(engine, distinct_dates(ObservationRow.site_date)) == []
