"""Every move of a date has a reason, and the reason is a figure."""

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.crossing import Crossing
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Direction
from mqcap.queries.date_changes import reason_moved, why_moved
from mqcap.queries.fleet import fleet_lines
from mqcap.settings import Settings
from mqcap.store.crossings import replace_crossings
from mqcap.store.forecasts import replace_forecasts
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


def reason(was: Crossing, now: Crossing, earlier: Forecast | None, later: Forecast | None) -> str:
    return reason_moved(was, now, earlier, later, lambda _: 0.0)


def test_another_limit_comes_first() -> None:
    now = crossing(DAY + timedelta(days=1), 30, limit=28.0)
    assert reason(WAS, now, None, LATER) == "the limit is 28 %, not 30 %"
    assert reason(WAS, NOW, None, LATER) == "the forecast of that day is no longer stored"


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
        (
            LATER.model_copy(update={"interval_width": 0.9}),
            "horizon or prediction interval was configured differently",
        ),
        (LATER_BY["prophet_exact"], "level 1 point higher after 1 new day"),
        (LATER.model_copy(update={"points": ()}), "the forecasts have no day in common"),
    ],
    ids=["higher", "lower", "wider", "faster", "model", "width", "twin", "refused"],
)
def test_the_one_reason_names_level_growth_or_interval(later: Forecast, words: str) -> None:
    assert reason(WAS, NOW, EARLIER, later) == words


def test_a_limit_from_below_is_held_against_the_lower_edge() -> None:
    downward = NOW.model_copy(update={"direction": Direction.downward})
    words = reason(WAS, downward, EARLIER, bent(LATER, wider=2.0))
    assert words.startswith("prediction interval 2 points")


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
    assert reason(WAS, NOW, earlier, later) == f"level 1 point higher after 1 new day{words}"


def test_lines_that_moved_have_their_reasons_in_order(tmp_path: Path) -> None:
    store = new_store(tmp_path / "store.db")
    replace_crossings(store, DAY, [WAS])
    for day, of_day in ((DAY, EARLIER), (NOW.cutoff_date, LATER)):
        replace_forecasts(store, day, [of_day])
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
        "PLEX1/CF01": "level 1 point higher after 1 new day",
        "PLEX1/CF02": "there is no earlier date",
    }
    store.dispose()
