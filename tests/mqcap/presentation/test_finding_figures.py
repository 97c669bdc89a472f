from __future__ import annotations

import pytest

from mqcap.domain.finding import Finding, InputValue
from mqcap.domain.input_source import LossSource
from mqcap.presentation.finding_figures import (
    limit_quantity,
    observed_of_limit,
    observed_quantity,
    whose_text,
)
from tests.factories import finding
from tests.plan_factories import loss_finding


def figures(rule_id: str, observed: float | None, limit: float | None, unit: str) -> Finding:
    return finding(rule_id=rule_id, observed=observed, limit_value=limit, unit=unit)


@pytest.mark.parametrize("rule_id", ["REC-FORMULA-A", "CFB-INTERVAL"])
def test_an_interval_of_backups_says_which_is_allowed_and_which_is_scheduled(rule_id: str) -> None:
    result = figures(rule_id, 145.3, 168, "h")
    assert observed_of_limit(result) == "6.1 days allowed, 7 days scheduled"
    assert observed_quantity(result).full == "6.1 days (allowed)"
    assert limit_quantity(result).full == "7 days (scheduled)"


def test_the_figure_of_a_loss_names_the_survivor_its_quantity_and_what_is_lost() -> None:
    survivor = InputValue(
        name="survivor", value="PLEX1/CSQ2/CHINIT", origin=LossSource(lost="PLEX1/CSQ1")
    )
    lost = loss_finding(
        "LOSS-CHINIT-31BIT", "PLEX1/CSQ1", inputs=(survivor,), observed=105.7, unit="%"
    )
    assert whose_text(lost) == "chinit 31-bit storage, CSQ2/CHINIT"
    assert observed_quantity(lost).full == (
        "105.7 % (chinit 31-bit storage, CSQ2/CHINIT, when CSQ1 is lost)"
    )
    place = loss_finding("LOSS-CF-PLACE", observed=1, unit="structures")
    assert observed_quantity(place).full == "1 structure (when CF02 is lost)"
    assert whose_text(finding()) == ""


def test_other_rules_and_rules_of_other_releases_have_plain_figures() -> None:
    runway = figures("LOG-RUNWAY-12H", 4.06, 12, "h")
    assert observed_of_limit(runway) == "4.1 h of 12 h"
    assert (observed_quantity(runway).note, limit_quantity(runway).note) == ("", "")
    assert observed_of_limit(figures("GONE", 4.06, 12, "h")) == "4.1 h of 12 h"


@pytest.mark.parametrize(
    ("rule_id", "observed", "limit", "unit", "words"),
    [
        ("LOG-RUNWAY-12H", 167.9, 12, "h", "7 days of 12 h"),
        ("LOG-RUNWAY-12H", 168, 12, "h", "7 days or more of 12 h"),
        ("LOG-DAY-ACTIVE", 168, 24, "h", "7 days or more of 24 h"),
        ("LOG-FILL-30MIN", 10_080, 30, "min", "7 days or more of 30 min"),
        ("LOG-COUNT-OVERLAP", 10_080, 6_000, "min", "7 days of 4.2 days"),
        ("LOG-COUNT-OVERLAP", 12_000, 6_000, "min", "8.3 days or more of 4.2 days"),
        ("REC-FORMULA-A", 8_760, 168, "h", "365 days or more allowed, 7 days scheduled"),
        ("LNX-LOGEXTENT-10S", 86_400, 10, "s", "24 h or more of 10 s"),
    ],
)
def test_a_time_as_long_as_any_that_is_told_ends_in_or_more(
    rule_id: str, observed: float, limit: float, unit: str, words: str
) -> None:
    assert observed_of_limit(figures(rule_id, observed, limit, unit)) == words


def test_a_time_that_ends_in_or_more_does_so_in_tables() -> None:
    shown = observed_quantity(figures("LOG-RUNWAY-12H", 168, 12, "h"))
    assert (shown.text, shown.shown_unit, shown.value) == ("7", "days or more", 7)


def test_one_of_a_unit_is_singular() -> None:
    left = figures("CHI-ADAPTER-UNUSED", 1, 2, "adapters")
    assert observed_of_limit(left) == "1 of 2 adapters"
    assert observed_quantity(left).full == "1 adapter"
    assert limit_quantity(figures("CHI-ADAPTER-UNUSED", 0, 1, "adapters")).full == "1 adapter"


def test_the_second_unit_of_a_rate_stays() -> None:
    assert observed_quantity(figures("LOG-FILL-30MIN", 1.0, 2.0, "MiB/s")).note == "1 MiB/s"


def test_a_figure_that_is_not_known_has_no_name() -> None:
    missing = figures("REC-FORMULA-A", None, 168, "h")
    assert observed_quantity(missing).note == ""
    assert "scheduled" not in observed_of_limit(missing)
