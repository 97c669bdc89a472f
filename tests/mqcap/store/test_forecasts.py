from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import Engine, delete, text

from mqcap.domain.forecast import Forecast, ForecastPoint
from mqcap.domain.metric import Statistic
from mqcap.store.forecasts import (
    find_forecast,
    forecast_states,
    forecasts_with_keys,
    newest_cutoff_date,
    read_forecasts,
    renew_forecasts,
    replace_data_notes,
    replace_forecasts,
)
from mqcap.store.tables import ForecastPointRow
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


def renewed(engine: Engine, made: list[Forecast], digests: dict[str, str]) -> dict[str, str | None]:
    """Digests by series, after forecasts of a day were renewed."""
    keys = {(forecast(name).series_id, "peak"): digest for name, digest in digests.items()}
    renew_forecasts(engine, DAY, made, keys)
    return {key[0].partition("/")[2]: one.input_sha256
            for key, one in forecast_states(engine, DAY).items()}  # fmt: skip


def test_a_forecast_with_the_digest_stays_one_without_goes_and_others_are_replaced(
    engine: Engine,
) -> None:
    one, two = "PLEX1/CSQ1", "PLEX1/CSQ2"
    first = [forecast(one, data_note="kept"), forecast(two)]
    assert renewed(engine, first, {one: "a", two: "b"}) == {one: "a", two: "b"}
    other, new = forecast(two, trained_days=9), forecast("PLEX1/CSQ3")
    assert renewed(engine, [other, new], {one: "a", two: "c", "PLEX1/CSQ3": "d"}) == {
        one: "a", two: "c", "PLEX1/CSQ3": "d",
    }  # fmt: skip
    assert read_forecasts(engine, DAY) == [first[0], other, new]
    assert renewed(engine, [], {two: "c"}) == {two: "c"}
    assert read_forecasts(engine, DAY) == [other]


@pytest.mark.parametrize("digests", [{"PLEX1/CSQ1": "other"}, {"PLEX1/CSQ9": "a"}])
def test_what_has_to_stay_and_is_not_stored_so_is_an_error_that_changes_nothing(
    engine: Engine, digests: dict[str, str]
) -> None:
    renewed(engine, [forecast()], {"PLEX1/CSQ1": "a"})
    with pytest.raises(KeyError, match="no forecast of"):
        renewed(engine, [], digests)
    assert read_forecasts(engine, DAY) == [forecast()]


def test_the_digest_counts_only_while_all_days_are_stored(engine: Engine) -> None:
    refused = forecast("PLEX1/CSQ2", points=(), refusal="12 days of data")
    made = [forecast(), refused.model_copy(update={"horizon_days": 2})]
    assert renewed(engine, made, {"PLEX1/CSQ1": "a", "PLEX1/CSQ2": "b"}) == {
        "PLEX1/CSQ1": "a", "PLEX1/CSQ2": "b",
    }  # fmt: skip
    second = ForecastPointRow.site_date > min(point.site_date for point in made[0].points)
    with engine.begin() as connection:
        connection.execute(delete(ForecastPointRow).where(second))
    states = forecast_states(engine, DAY)
    assert [one.input_sha256 for one in states.values()] == [None, "b"]
    assert [one.is_refused for one in states.values()] == [False, True]


def test_the_newest_cutoff_date_is_that_of_the_last_forecast(engine: Engine) -> None:
    assert newest_cutoff_date(engine) is None
    for day in (NEXT_DAY, DAY):
        replace_forecasts(engine, day, [forecast(cutoff_date=day)])
    assert newest_cutoff_date(engine) == NEXT_DAY
    states = forecast_states(engine, DAY).values()
    assert [one.input_sha256 for one in states] == [None]


def test_forecasts_are_found_by_many_series_and_statistics(engine: Engine) -> None:
    mean = forecast(statistic=Statistic.mean, model="sawtooth")
    replace_forecasts(engine, DAY, [forecast(), mean, forecast(series_id="other")])
    key = (ID, Statistic.peak)
    assert forecasts_with_keys(engine, DAY, [key, ("none", Statistic.peak)]) == {key: forecast()}
    assert forecasts_with_keys(engine, NEXT_DAY, [key]) == {}
