from __future__ import annotations

import pytest

from mqcap.domain.finding import Finding
from mqcap.domain.metric import Direction
from mqcap.presentation.finding_figures import (
    limit_quantity,
    observed_of_limit,
    observed_quantity,
    observed_with_level,
)
from tests.factories import finding


def figures(rule_id: str, observed: float | None, limit: float | None, unit: str) -> Finding:
    return finding(rule_id=rule_id, observed=observed, limit_value=limit, unit=unit)


@pytest.mark.parametrize("rule_id", ["REC-FORMULA-A", "CFB-INTERVAL"])
def test_an_interval_of_backups_says_which_is_allowed_and_which_is_scheduled(rule_id: str) -> None:
    result = figures(rule_id, 145.3, 168, "h")
    assert observed_of_limit(result) == "6.1 days allowed, 7 days scheduled"
    assert observed_quantity(result).full == "6.1 days (allowed)"
    assert limit_quantity(result).full == "7 days (scheduled)"


def test_other_rules_and_rules_of_other_releases_have_plain_figures() -> None:
    runway = figures("LOG-RUNWAY-12H", 4.06, 12, "h")
    assert observed_of_limit(runway) == "4.1 h of 12 h"
    assert (observed_quantity(runway).note, limit_quantity(runway).note) == ("", "")
    assert observed_of_limit(figures("GONE", 4.06, 12, "h")) == "4.1 h of 12 h"


def test_the_second_unit_of_a_rate_stays() -> None:
    assert observed_quantity(figures("LOG-FILL-30MIN", 1.0, 2.0, "MiB/s")).note == "1 MiB/s"


def test_a_figure_that_is_not_known_has_no_name() -> None:
    missing = figures("REC-FORMULA-A", None, 168, "h")
    assert observed_quantity(missing).note == ""
    assert "scheduled" not in observed_of_limit(missing)


@pytest.mark.parametrize(
    ("observed", "words"),
    [
        (23.9, "23.9 h of 24 h"),
        (24, "24 h of 24 h, Watch below 30 h"),
        (29.9, "29.9 h of 24 h, Watch below 30 h"),
        (30, "30 h of 24 h"),
    ],
)
def test_a_figure_within_its_limit_and_past_its_watch_level_has_that_level_beside_it(
    observed: float, words: str
) -> None:
    kept = figures("LOG-DAY-ACTIVE", observed, 24, "h").model_copy(
        update={
            "watch_level": 30.0,
            "direction": Direction.downward,
            "breach": observed < 24,
        }
    )
    assert observed_with_level(kept) == words
    assert limit_quantity(kept).full == ("24 h (Watch below 30 h)" if "Watch" in words else "24 h")
