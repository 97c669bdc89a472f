"""Days of a forecast, and documents of older releases."""

from __future__ import annotations

from datetime import timedelta

from mqcap.domain.forecast import Forecast
from tests.factories import DAY, forecast, points


def test_every_day_is_the_horizon_and_the_days_after_it() -> None:
    ahead = points(DAY, [(1.0, 2.0, 3.0)] * 5)
    made = forecast(points=ahead[:3], beyond=ahead[3:])
    assert made.every_day == ahead
    assert [point.site_date for point in made.every_day][-1] == DAY + timedelta(days=5)


def test_a_refusal_has_no_days() -> None:
    assert forecast(points=(), refusal="constant").every_day == ()


def test_the_stored_model_is_no_part_of_a_document() -> None:
    made = forecast(stored_model="{}")
    assert "stored_model" not in made.model_dump()
    assert Forecast.model_validate_json(made.model_dump_json()).stored_model is None


def test_a_document_of_an_older_release_has_the_model_by_its_present_name() -> None:
    former = forecast().model_dump() | {"model": "ratchet"}  # codespell:ignore ratchet
    assert Forecast.model_validate(former).model == "sawtooth"
    assert Forecast.model_validate(former | {"model": "prophet"}).model == "prophet"
