"""Every move of a date has a reason, and the reason is a figure."""

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.crossing import Crossing
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Direction
from mqcap.queries.date_changes import reasons, short_reason, why_moved
from mqcap.queries.fleet import fleet_lines
from mqcap.settings import Settings
from mqcap.store.crossings import replace_crossings
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.observations import replace_observations
from tests import factories
from tests.stores import new_store

DAY = date(2026, 10, 15)
CF_BUSY = "cf_busy_pct/PLEX1/CF01"


def made(day: date, level: float, **changed: Any) -> Forecast:
    lines = [(level - 2, level, level + 2)] * 99
    return factories.forecast(lines=lines, series_id=CF_BUSY, cutoff_date=day, **changed)


def crossing(day: date, ahead: int, limit: float = 30.0) -> Crossing:
    return factories.crossing(
        "PLEX1/CF01", rule_id="CF-BUSY-1", series_id=CF_BUSY, limit_value=limit, unit="%",
        cutoff_date=day, expected_date=day + timedelta(days=ahead),
        earliest_date=None, latest_date=None,
    )  # fmt: skip


WAS, NOW = crossing(DAY, 60), crossing(DAY + timedelta(days=1), 30)
EARLIER, LATER = made(DAY, 24.0), made(DAY + timedelta(days=1), 25.0)
USUAL, HIGH = [(DAY + timedelta(days=1), 24.5)], [(DAY + timedelta(days=1), 28.0)]


def test_a_day_outside_the_interval_is_named_with_its_forecast() -> None:
    [reason] = reasons(WAS, NOW, EARLIER, LATER, HIGH)
    assert reason == (
        "1 of 1 new days outside the prediction interval: 16 Oct 2026 measured 28 %, "
        "forecast 22 to 26 %"
    )


def test_a_date_that_comes_later_is_not_explained_by_a_day_above_the_interval() -> None:
    later = crossing(NOW.cutoff_date, 90)
    [reason] = reasons(WAS, later, EARLIER, LATER, HIGH)
    assert reason.startswith("with the new days 2026-12-14 is expected at")
    low = [(NOW.cutoff_date, 20.0)]
    [reason] = reasons(WAS, later, EARLIER, LATER, low)
    assert reason.startswith("1 of 1 new days outside")


def test_without_anything_odd_both_forecasts_of_the_expected_day_are_compared() -> None:
    [reason] = reasons(WAS, NOW, EARLIER, LATER, USUAL)
    assert reason == (
        "with the new days 2026-12-14 is expected at 25 % (23 to 27 %), before at 24 % (22 to 26 %)"
    )


@pytest.mark.parametrize(
    ("later", "words"),
    [
        ({"model": "sawtooth"}, "forecast by sawtooth, not prophet"),
        ({"interval_width": 0.9}, "horizon or prediction interval was configured differently"),
        ({"removed_count": 3}, "3 more days left out as outliers"),
    ],
)
def test_a_forecast_made_in_another_way_is_the_reason(later: dict[str, object], words: str) -> None:
    changed = LATER.model_copy(update=later)
    assert reasons(WAS, NOW, EARLIER, changed, USUAL) == [words]


def test_another_limit_comes_first() -> None:
    now = crossing(DAY + timedelta(days=1), 30, limit=28.0)
    assert reasons(WAS, now, None, LATER, []) == ["the limit is 28 %, not 30 %"]
    assert reasons(WAS, NOW, None, LATER, []) == [
        "the forecast of one of the days is no longer stored"
    ]
    far = WAS.model_copy(update={"expected_date": DAY + timedelta(days=300)})
    [reason] = reasons(far, NOW, EARLIER, LATER, USUAL)
    assert reason == "the new days changed growth or weekly pattern"


def bent(forecast: Forecast, slope: float = 0.0, wider: float = 0.0) -> Forecast:
    points = tuple(
        replace(
            item, expected=item.expected + slope * number,
            lower=item.lower + slope * number - wider, upper=item.upper + slope * number + wider,
        )
        for number, item in enumerate(forecast.points)
    )  # fmt: skip
    return forecast.model_copy(update={"points": points})


STEEP = bent(made(LATER.cutoff_date, 24.0), slope=0.1)
LATER_BY = {
    name: LATER.model_copy(update={"model": name}) for name in ("sawtooth", "prophet_exact")
}


@pytest.mark.parametrize(
    ("later", "words"),
    [
        (LATER, "level 1 point higher after 1 new day"),
        (made(LATER.cutoff_date, 23.0), "level 1 point lower after 1 new day"),
        (bent(LATER, wider=3.0), "prediction interval 3 points wider after 1 new day"),
        (STEEP, "growth a month +3 points after 1 new day, before +0 points"),
        (LATER_BY["sawtooth"], "forecast by sawtooth, not prophet"),
        (LATER_BY["prophet_exact"], "level 1 point higher after 1 new day"),
        (LATER.model_copy(update={"points": ()}), "the forecasts have no day in common"),
    ],
    ids=["higher", "lower", "wider", "faster", "model", "twin", "refused"],
)
def test_the_one_reason_in_the_mail_names_level_growth_or_interval(
    later: Forecast, words: str
) -> None:
    assert short_reason(WAS, NOW, EARLIER, later) == words


def test_a_limit_from_below_is_held_against_the_lower_edge() -> None:
    downward = NOW.model_copy(update={"direction": Direction.downward})
    reason = short_reason(WAS, downward, EARLIER, bent(LATER, wider=2.0))
    assert reason.startswith("prediction interval 2 points")
    assert short_reason(WAS, NOW, EARLIER, None) == "the forecast of that day is no longer stored"


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ((0.69, 0.31), ""),
        ((0.7, 0.3), ", weight of the straight linear trend 70 %, before 60 %"),
        ((0.4, 0.6), ", weight of the straight linear trend 40 %, before 60 %"),
    ],
    ids=["below", "at", "above"],
)
def test_a_share_that_changed_by_a_tenth_is_a_reason(
    shares: tuple[float, float], words: str
) -> None:
    earlier = EARLIER.model_copy(update={"mix": factories.mix(0.6, 0.4)})
    later = LATER.model_copy(update={"mix": factories.mix(*shares)})
    assert short_reason(WAS, NOW, earlier, later) == f"level 1 point higher after 1 new day{words}"
    assert (words[2:] in reasons(WAS, NOW, earlier, later, USUAL)) is bool(words)


def test_lines_that_moved_have_their_reasons_in_order(tmp_path: Path) -> None:
    store = new_store(tmp_path / "store.db")
    replace_crossings(store, DAY, [WAS])
    for day, of_day in ((DAY, EARLIER), (NOW.cutoff_date, LATER)):
        replace_forecasts(store, day, [of_day])
    measured = factories.observation(day=NOW.cutoff_date, series_id=CF_BUSY, peak=28.0)
    replace_observations(store, [NOW.cutoff_date], [measured], {})
    facts = [(NOW, "PLEX1/CF01"), (NOW.model_copy(update={"subject": "PLEX1/CF02"}), "PLEX1/CF02")]
    settings = Settings()
    findings = [
        factories.finding(subject, rule_id=now.rule_id, site_date=now.cutoff_date)
        for now, subject in facts
    ]
    lines = fleet_lines(
        findings, [now for now, _ in facts], (), settings.complete_estate(), settings.alerts
    )
    found = dict(zip([line.finding.subject for line in lines], why_moved(store, DAY, lines),
                     strict=True))  # fmt: skip
    assert found == {
        "PLEX1/CF01": "; ".join(reasons(WAS, NOW, EARLIER, LATER, HIGH)),
        "PLEX1/CF02": "there is no earlier date",
    }
    store.dispose()
