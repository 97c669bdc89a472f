from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Engine, text

from mqcap.domain.forecast import Forecast, ForecastPoint
from mqcap.domain.metric import Statistic
from mqcap.store.forecasts import (
    find_forecast,
    forecasts_with_keys,
    read_forecasts,
    replace_data_notes,
    replace_forecasts,
)
from tests.factories import DAY, driver_effect, forecast, mix

NEXT_DAY = DAY + timedelta(days=1)
ID = forecast().series_id


def point(ahead: int, expected: float) -> ForecastPoint:
    return ForecastPoint(
        site_date=DAY + timedelta(days=ahead),
        expected=expected,
        lower=expected - 0.5,
        upper=expected + 0.5,
    )


def found(engine: Engine, statistic: Statistic = Statistic.peak) -> Forecast:
    stored = find_forecast(engine, ID, statistic, DAY)
    assert stored is not None
    return stored


def test_many_forecasts_come_back_in_order_with_their_points(engine: Engine) -> None:
    many = [forecast(f"PLEX1/Q{number:03}") for number in range(20)]
    refused = forecast("PLEX1/QZZZ", points=(), refusal="12 days of data; at least 60 are needed")
    assert replace_forecasts(engine, DAY, iter([refused, *many])) == 40
    assert read_forecasts(engine, DAY) == [*many, refused]


def test_a_forecast_is_found_by_series_statistic_and_cutoff(engine: Engine) -> None:
    mean = forecast(statistic=Statistic.mean, model="sawtooth")
    replace_forecasts(engine, DAY, [forecast(), mean])
    assert find_forecast(engine, ID, Statistic.peak, DAY) == forecast()
    assert find_forecast(engine, ID, Statistic.mean, DAY) == mean
    assert find_forecast(engine, ID, Statistic.p95, DAY) is None
    assert find_forecast(engine, ID, Statistic.peak, NEXT_DAY) is None
    assert find_forecast(engine, "none", Statistic.peak, DAY) is None


def test_replacing_a_cutoff_date_leaves_the_others(engine: Engine) -> None:
    later = forecast(cutoff_date=NEXT_DAY)
    replace_forecasts(engine, DAY, [forecast(), forecast("PLEX1/CSQ2")])
    replace_forecasts(engine, NEXT_DAY, [later])
    assert replace_forecasts(engine, DAY, [forecast("PLEX1/CSQ2")]) == 2
    assert read_forecasts(engine, DAY) == [forecast("PLEX1/CSQ2")]
    assert read_forecasts(engine, NEXT_DAY) == [later]


def test_days_after_the_horizon_come_back_with_their_dates(engine: Engine) -> None:
    ahead = (point(3, 2.0), point(4, 2.25))
    replace_forecasts(engine, DAY, [forecast(horizon_days=2, after_horizon=ahead)])
    assert found(engine).after_horizon == ahead
    assert [day.site_date for day in found(engine).every_day] == [
        DAY + timedelta(days=number) for number in (1, 2, 3, 4)
    ]


def test_days_after_the_horizon_are_packed_as_expected_lower_and_upper(engine: Engine) -> None:
    replace_forecasts(engine, DAY, [forecast(after_horizon=(point(3, 2.0),))])
    with engine.connect() as connection:
        packed = connection.scalar(text("SELECT CAST(beyond AS TEXT) FROM forecast"))
    assert packed == "[[2.0, 1.5, 2.5]]"


def test_a_forecast_of_a_release_without_days_after_the_horizon_is_read(engine: Engine) -> None:
    replace_forecasts(engine, DAY, [forecast(after_horizon=(point(3, 2.0),))])
    with engine.begin() as connection:
        connection.execute(text("UPDATE forecast SET beyond = NULL"))
    assert found(engine) == forecast()


def test_a_model_name_of_an_older_release_is_read_as_todays(engine: Engine) -> None:
    replace_forecasts(engine, DAY, [forecast()])
    with engine.begin() as connection:
        connection.execute(text("UPDATE forecast SET model = 'ratchet'"))
    assert found(engine).model == "sawtooth"


def test_the_driver_of_a_forecast_comes_back_and_others_have_none(engine: Engine) -> None:
    other = forecast("PLEX1/CSQ2")
    replace_forecasts(engine, DAY, [forecast(driver=driver_effect()), other])
    assert found(engine).driver == driver_effect()
    assert read_forecasts(engine, DAY)[1] == other


def test_the_candidates_of_a_forecast_come_back_and_others_have_none(engine: Engine) -> None:
    other = forecast("PLEX1/CSQ2")
    replace_forecasts(engine, DAY, [forecast(mix=mix(0.7, 0.3)), other])
    assert found(engine).mix == mix(0.7, 0.3)
    assert read_forecasts(engine, DAY)[1] == other


def test_notes_on_data_replace_those_of_the_cutoff_date(engine: Engine) -> None:
    replace_forecasts(engine, DAY, [forecast(), forecast(statistic=Statistic.mean)])
    replace_forecasts(engine, NEXT_DAY, [forecast(cutoff_date=NEXT_DAY, data_note="kept")])
    peak, mean = (ID, Statistic.peak), (ID, Statistic.mean)
    assert replace_data_notes(engine, DAY, {peak: "2 days lack records", mean: "1 day"}) == 2
    assert found(engine).data_note == "2 days lack records"
    assert replace_data_notes(engine, DAY, {mean: "1 day"}) == 1
    assert found(engine).data_note is None
    assert found(engine, Statistic.mean).data_note == "1 day"
    assert read_forecasts(engine, NEXT_DAY)[0].data_note == "kept"


def test_forecasts_are_found_by_many_series_and_statistics(engine: Engine) -> None:
    mean = forecast(statistic=Statistic.mean, model="sawtooth")
    replace_forecasts(engine, DAY, [forecast(), mean, forecast(series_id="other")])
    key = (ID, Statistic.peak)
    assert forecasts_with_keys(engine, DAY, [key, ("none", Statistic.peak)]) == {key: forecast()}
    assert forecasts_with_keys(engine, NEXT_DAY, [key]) == {}
