from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
import pytest

from mqcap.steps.daily_roll_up import daily_observations, lowest_hours
from sizing.rulebook.registry import all_rules
from tests.mqcap.builders import hours, utc


def daily(frame: pd.DataFrame, zone: str = "Europe/Copenhagen") -> list[dict[Any, Any]]:
    return daily_observations(frame, {"PLEX1": zone}, "UTC").to_dict(orient="records")


def test_a_day_is_cut_in_the_time_zone_of_the_sysplex() -> None:
    rows = daily(hours(utc(10, 22), [1.0, 2.0, 3.0]))
    assert [(row["site_date"], row["covered_hours"]) for row in rows] == [
        (date(2026, 3, 10), 1.0),
        (date(2026, 3, 11), 2.0),
    ]


def test_the_spring_day_has_23_hours_and_the_autumn_day_25() -> None:
    spring = daily(hours(utc(28, 23), [1.0] * 23))
    autumn = daily(hours(utc(24, 22, month=10), [1.0] * 25))
    assert [row["covered_hours"] for row in spring] == [23.0]
    assert [row["covered_hours"] for row in autumn] == [25.0]


@pytest.mark.parametrize(
    "zone", ["America/Havana", "Africa/Casablanca", "Atlantic/Azores", "Pacific/Apia", "UTC"]
)
def test_site_dates_are_those_of_the_time_zones_of_python(zone: str) -> None:
    begins = [utc(day, 0, month=month) for month in (3, 4, 9, 11) for day in (1, 29)]
    frame = pd.concat([hours(begin, [1.0] * 48) for begin in begins])
    counted = Counter(
        moment.to_pydatetime().astimezone(ZoneInfo(zone)).date() for moment in frame["hour_utc"]
    )
    found = {row["site_date"]: row["covered_hours"] for row in daily(frame, zone)}
    assert found == counted


def test_the_mean_weighs_hours_by_their_covered_time() -> None:
    full = hours(utc(10, 8), [4.0])
    short = hours(utc(10, 9), [1.0], covered_seconds=1_200.0)
    [row] = daily(pd.concat([full, short]))
    assert row["mean"] == pytest.approx((4.0 * 3_600 + 1.0 * 1_200) / 4_800)
    assert row["covered_hours"] == pytest.approx(4_800 / 3_600)


def test_peak_p95_total_and_the_busiest_hour_are_of_the_day() -> None:
    values = [float(number) for number in range(1, 22)]
    [row] = daily(hours(utc(10, 1), values))
    assert row["peak"] == 42.0
    assert row["p95"] == pytest.approx(20.0)
    assert row["total"] == pytest.approx(sum(values) * 3_600)
    assert row["busiest_hour_utc"] == pd.Timestamp(utc(10, 21))


LOWEST = {"ims_checkpoint_minutes": "ims_checkpoint_minutes_lowest"}


def lowest(*means: float) -> list[dict[Any, Any]]:
    """The lowest hours of a figure with these hourly means from 1 UTC on, beside another series."""
    frame = hours(utc(10, 1), list(means))
    measured = frame.assign(metric="ims_checkpoint_minutes")
    both = pd.concat([frame, measured])
    return lowest_hours(both, LOWEST, {"PLEX1": "UTC"}, "UTC").to_dict(orient="records")


@pytest.mark.parametrize(("least", "is_breach"), [(9.9, True), (10.0, False), (10.1, False)])
def test_the_lowest_hour_of_a_day_is_what_a_floor_is_held_against(
    least: float, is_breach: bool
) -> None:
    [row] = lowest(20.0, least, 19.0)
    assert row["series_id"] == "ims_checkpoint_minutes_lowest/PLEX1/CSQ1"
    assert {row["mean"], row["p95"], row["peak"]} == {least}
    assert row["busiest_hour_utc"] == pd.Timestamp(utc(10, 2))
    assert pd.isna(row["total"])
    rule = all_rules()["IMS-CKPT"]
    assert rule.assess(rule.inputs.model_validate({"minutes": row["mean"]})).breach is is_breach


@pytest.mark.parametrize(("least", "is_breach"), [(199.0, True), (200.0, False), (201.0, False)])
def test_a_floor_of_the_site_is_held_against_the_lowest_hour(least: float, is_breach: bool) -> None:
    [row] = lowest(900.0, least)
    rule = all_rules()["SITE-MIN-SCRATCH_TAPES"]
    values = {"value": row["mean"], "limit": 200.0, "unit": "count"}
    assert rule.assess(rule.inputs.model_validate(values)).breach is is_breach


def test_without_a_figure_of_which_low_is_bad_there_is_no_lowest_hour() -> None:
    frame = hours(utc(10, 1), [1.0])
    assert lowest_hours(frame, LOWEST, {"PLEX1": "UTC"}, "UTC").empty


def test_a_gauge_has_no_total() -> None:
    [row] = daily(hours(utc(10, 1), [1.0, 2.0], total=float("nan")))
    assert pd.isna(row["total"])
