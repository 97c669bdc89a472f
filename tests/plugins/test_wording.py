"""Numbers, dates and states in words."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from mqcap.domain.crossing import CrossingState
from mqcap.presentation import wording
from tests.plugins import builder


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (3.0, "3"),
        (0.062, "0.062"),
        (0.5, "0.50"),
        (2.25, "2.25"),
        (27.46, "27.5"),
        (999.6, "1,000"),
        (9396.0, "9,396"),
        (-12.34, "-12.3"),
    ],
)
def test_a_number_keeps_about_three_digits(value: float, text: str) -> None:
    assert wording.number(value) == text


def test_a_log_rate_is_told_per_hour_and_per_second() -> None:
    rate = wording.quantity(2.61, "MiB/s")
    assert (str(rate), rate.note) == ("9,396 MB/hour", "2.61 MiB/s")


def test_an_absent_value_has_no_unit() -> None:
    assert str(wording.quantity(None, "%")) == wording.ABSENT


@pytest.mark.parametrize(
    ("day", "words"),
    [
        (date(2026, 1, 31), "that day"),
        (date(2026, 2, 1), "in 1 day"),
        (date(2026, 2, 10), "in 10 days"),
        (date(2026, 1, 30), "1 day ago"),
    ],
)
def test_a_distance_is_seen_from_the_day_shown(day: date, words: str) -> None:
    assert wording.distance(day, builder.DAY) == words


def test_headroom_below_zero_has_a_minus_sign() -> None:
    assert wording.headroom(-0.111) == f"{wording.MINUS}11 %"
    assert wording.headroom(None) == wording.ABSENT


def test_an_instant_names_its_zone() -> None:
    assert wording.instant(datetime(2026, 1, 5, 6, 14, tzinfo=UTC)) == "2026-01-05 06:14 UTC"


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({}, "Over 8,100 MB/hour since Tue 20 Jan 2026."),
        ({"breached_since": None}, "Over 8,100 MB/hour."),
        (
            {"state": CrossingState.not_within_horizon, "probability_365_days": 0.02},
            "Not expected to pass 8,100 MB/hour within a year.",
        ),
        (
            {"state": CrossingState.unknown, "reason": "12 days were measured"},
            "No date: 12 days were measured",
        ),
        (
            {
                "state": CrossingState.will_cross,
                "earliest_date": date(2026, 2, 10),
                "expected_date": date(2026, 3, 1),
            },
            (
                "Passes 8,100 MB/hour: earliest Tue 10 Feb 2026, expected Sun 1 Mar 2026, "
                "possibly not within the horizon."
            ),
        ),
    ],
)
def test_a_crossing_is_told_in_one_sentence(changed: dict[str, object], sentence: str) -> None:
    assert wording.crossing_sentence(builder.crossing(**changed)) == sentence


@pytest.mark.parametrize(
    ("metric", "rule_id", "resource"),
    [
        ("log_growth_mib_per_s", "LOG-FILL-30MIN", "Active log"),
        ("cf_storage_used_pct", "CF-X", "CF storage"),
        ("cf_busy_pct", "CF-BUSY-1", "CF processor"),
        (None, "LOG-COUNT-MIN", "Active log"),
        (None, "CFS-FULL", "CF structure"),
        (None, "ZZZ", "Other"),
    ],
)
def test_a_resource_is_known_by_metric_else_by_rule(
    metric: str | None, rule_id: str, resource: str
) -> None:
    assert wording.resource_of(metric, rule_id) == resource


@pytest.mark.parametrize(
    ("metric", "words"),
    [("log_growth_mib_per_s", "Log growth"), ("page_set_used_pct", "Page set used")],
)
def test_a_metric_is_named_without_its_unit(metric: str, words: str) -> None:
    assert wording.metric_words(metric) == words
