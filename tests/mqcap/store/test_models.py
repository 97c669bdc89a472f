"""Models of the store: frozen, read from rows by attribute."""

from __future__ import annotations

from datetime import datetime
from types import SimpleNamespace

import pytest
from pydantic import ValidationError

from mqcap.domain.metric import Direction, Statistic, SubjectKind
from mqcap.store.models import Observation, SeriesFacts, StoredModel, WindowDay
from tests import factories

MANAGER = SubjectKind.queue_manager
MODELS = (
    factories.source_file(),
    factories.series_facts(),
    factories.observation(),
    factories.annotation(),
    factories.scenario(),
    factories.step_run(),
)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_a_model_is_read_from_a_row_by_attribute_and_stays_as_it_is(model: StoredModel) -> None:
    row = SimpleNamespace(**dict(model))
    assert type(model).model_validate(row) == model
    field = next(iter(type(model).model_fields))
    with pytest.raises(ValidationError, match="frozen"):
        setattr(model, field, getattr(model, field))


def test_an_instant_without_a_zone_is_refused() -> None:
    naive = datetime(2026, 3, 2, 9)  # noqa: DTZ001 - what is refused
    with pytest.raises(ValidationError, match="timezone"):
        Observation(**dict(factories.observation()) | {"busiest_hour_utc": naive})


def test_a_series_is_not_forecast_and_limited_from_above_unless_it_says_otherwise() -> None:
    facts = SeriesFacts(
        series_id="m/P/Q",
        metric="m",
        subject="P/Q",
        subject_kind=MANAGER,
        unit="%",
    )
    assert (facts.forecast, facts.direction, facts.ceiling) == (False, Direction.upward, None)
    assert (facts.first_site_date, facts.last_site_date) == (None, None)


@pytest.mark.parametrize(
    ("statistic", "value"), [(Statistic.mean, 1.0), (Statistic.p95, 2.0), (Statistic.peak, 3.0)]
)
def test_a_day_of_a_window_has_the_figure_of_each_statistic(
    statistic: Statistic, value: float
) -> None:
    day = WindowDay(
        "m",
        "PLEX1/CSQ1",
        MANAGER,
        "%",
        factories.DAY,
        mean=1.0,
        p95=2.0,
        peak=3.0,
    )
    assert day.value(statistic) == value
