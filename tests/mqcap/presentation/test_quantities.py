"""Quantities and figures of findings, their limits, advice and records."""

from datetime import date
from typing import Any

import pytest

from mqcap.domain.console.ledger import LimitRecord
from mqcap.domain.crossing import Crossing
from mqcap.domain.estate import Estate
from mqcap.domain.finding import Finding, InputValue, Severity
from mqcap.domain.forecast import ForecastBasis
from mqcap.domain.input_source import LossSource
from mqcap.domain.numbers import ABSENT
from mqcap.domain.score import SiteCorrection
from mqcap.presentation.fleet import FleetLine, whose_text
from mqcap.presentation.ledger_text import (
    correction_line,
    dates_text,
    probabilities_text,
    record_lines,
    shift_text,
)
from mqcap.presentation.quantities import growth, headroom, of_limit, quantity
from mqcap.queries.fleet import fleet_lines
from mqcap.settings import AlertSettings
from tests.factories import DAY, crossing, finding
from tests.plan_factories import loss_finding


def test_a_log_rate_is_printed_per_hour_with_mib_per_second_beside_it() -> None:
    rate = quantity(2.61, "MiB/s")
    assert (rate.text, rate.unit, rate.note) == ("9,396", "MB/hour", "2.61 MiB/s")
    assert str(rate) == "9,396 MB/hour"
    assert rate.full == "9,396 MB/hour (2.61 MiB/s)"


def test_other_units_are_not_converted() -> None:
    assert quantity(27.4649, "%").full == "27.46 %"
    assert quantity(1_024.0, "MiB").full == "1,024 MiB"
    assert quantity(3.0, "count").full == "3"
    assert quantity(12.0, "count/h").full == "12 an hour"


def test_an_absent_value_has_neither_unit_nor_note() -> None:
    absent = quantity(None, "MiB/s")
    assert (absent.text, absent.unit, absent.note) == (ABSENT, "", "")
    assert absent.full == str(absent) == ABSENT


def test_growth_has_a_sign_and_percentages_grow_by_points() -> None:
    assert growth(1.25, "%").full == "+1.25 points"
    assert growth(-0.3, "MiB/s").full == "-1,080 MB/hour (-0.3 MiB/s)"
    assert growth(0.0, "MiB").full == "+0 MiB"


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (9.25, "s", "9.2 s"), (119.0, "s", "119 s"), (120.0, "s", "2 min"), (0.5, "min", "30 s"),
        (18.155, "min", "18.2 min"), (89.9, "min", "89.9 min"), (90.0, "min", "1.5 h"),
        (112.9, "min", "1.9 h"), (0.3, "h", "18 min"), (12.0, "h", "12 h"), (71.9, "h", "71.9 h"),
        (72.0, "h", "3 days"), (124.5, "h", "5.2 days"), (1.5, "days", "36 h"), (0.0, "h", "0 s"),
    ],
)  # fmt: skip
def test_a_time_is_printed_in_the_unit_that_reads_best(value: float, unit: str, text: str) -> None:
    assert str(quantity(value, unit)) == text


@pytest.mark.parametrize(
    ("observed", "limit", "text"),
    [
        ((1.88, "h"), (12.0, "h"), "1.9 h of 12 h"),
        ((18.2, "min"), (12.0, "h"), "18.2 min of 12 h"),
        ((0.9067, "MiB/s"), (0.1422, "MiB/s"), "3,264.1 of 511.9 MB/hour"),
        ((2.0, "adapters"), (3.0, "adapters"), "2 of 3 adapters"),
        ((1.0, "adapters"), (3.0, "adapters"), "1 of 3 adapters"),
        ((42.9, "%"), (80.0, "%"), "42.9 % of 80 %"),
        ((8066.0, "count/h"), (0.0, "count/h"), "8,066 an hour, limit 0 an hour"),
    ],
)
def test_observed_and_limit_are_one_phrase(
    observed: tuple[float, str], limit: tuple[float, str], text: str
) -> None:
    assert of_limit(str(quantity(*observed)), str(quantity(*limit))) == text
    assert (of_limit("42.9 %", ""), of_limit("", "80 %")) == ("42.9 %", "")


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (-5.37, "under -100 %"), (-1.0, "-100 %"), (-0.99, "-99 %"), (0.4642, "46.42 %"),
        (1.0, "100 %"), (9.0, "over 100 %"), (None, ABSENT),
    ],
)  # fmt: skip
def test_headroom_is_a_share_of_the_limit(ratio: float | None, text: str) -> None:
    assert headroom(ratio) == text


def line(of: Finding) -> FleetLine:
    [made] = fleet_lines([of], [], [], Estate(), AlertSettings())
    return made


def figures(rule_id: str, observed: float | None, limit: float | None, unit: str) -> Finding:
    return finding(rule_id=rule_id, observed=observed, limit_value=limit, unit=unit)


@pytest.mark.parametrize("rule_id", ["REC-FORMULA-A", "CFB-INTERVAL"])
def test_an_interval_of_backups_says_which_is_allowed_and_which_is_scheduled(rule_id: str) -> None:
    result = figures(rule_id, 145.3, 168, "h")
    assert line(result).of_limit == "6.1 days allowed, 7 days scheduled"
    assert line(result).observed.full == "6.1 days (allowed)"
    assert line(result).limit.full == "7 days (scheduled)"


def test_the_figure_of_a_loss_names_the_survivor_its_quantity_and_what_is_lost() -> None:
    survivor = InputValue(
        name="survivor", value="PLEX1/CSQ2/CHINIT", origin=LossSource(lost="PLEX1/CSQ1")
    )
    lost = loss_finding(
        "LOSS-CHINIT-31BIT", "PLEX1/CSQ1", inputs=(survivor,), observed=105.7, unit="%"
    )
    assert whose_text(lost) == "chinit 31-bit storage, CSQ2/CHINIT"
    assert line(lost).observed.full == (
        "105.7 % (chinit 31-bit storage, CSQ2/CHINIT, when CSQ1 is lost)"
    )
    place = loss_finding("LOSS-CF-PLACE", observed=1, unit="structures")
    assert line(place).observed.full == "1 structure (when CF02 is lost)"
    assert whose_text(finding()) == ""


def test_other_rules_and_rules_of_other_releases_have_plain_figures() -> None:
    runway = figures("LOG-RUNWAY-12H", 4.06, 12, "h")
    assert line(runway).of_limit == "4.1 h of 12 h"
    assert (line(runway).observed.note, line(runway).limit.note) == ("", "")
    assert line(figures("GONE", 4.06, 12, "h")).of_limit == "4.1 h of 12 h"


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
    assert line(figures(rule_id, observed, limit, unit)).of_limit == words
    shown = line(figures("LOG-RUNWAY-12H", 168, 12, "h")).observed
    assert (shown.text, shown.shown_unit, shown.value) == ("7", "days or more", 7), "in tables"


def test_one_of_a_unit_is_singular() -> None:
    left = figures("CHI-ADAPTER-UNUSED", 1, 2, "adapters")
    assert line(left).of_limit == "1 of 2 adapters"
    assert line(left).observed.full == "1 adapter"
    assert line(figures("CHI-ADAPTER-UNUSED", 0, 1, "adapters")).limit.full == "1 adapter"


def test_the_second_unit_of_a_rate_stays_and_a_figure_that_is_not_known_has_no_name() -> None:
    assert line(figures("LOG-FILL-30MIN", 1.0, 2.0, "MiB/s")).observed.note == "1 MiB/s"
    missing = figures("REC-FORMULA-A", None, 168, "h")
    assert line(missing).observed.note == ""
    assert "scheduled" not in line(missing).of_limit


def record(rule_id: str = "A", **changed: Any) -> LimitRecord:
    return LimitRecord(rule_id=rule_id, **({"basis": ForecastBasis.hold_out} | changed))


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({}, "no date was due"),
        ({"due_count": 1}, "1 date due, 0 came within 14 days after it"),
        ({"due_count": 2, "came_count": 1, "error_days": 1.0}, "2 dates due, 1 came, 1 day off"),
        (
            {"due_count": 3, "came_count": 2, "error_days": 3.0},
            "3 dates due, 2 came, half within 3 days",
        ),
    ],
)
def test_dates_are_counted_with_their_error(changed: dict[str, Any], text: str) -> None:
    assert dates_text(record(**changed)) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "no stated probability is over"),
        (1, "1 probability of 15 % on average, 14 % came true"),
        (2, "2 probabilities of 15 % on average, 14 % came true"),
    ],
)
def test_probabilities_are_compared_with_outcomes(count: int, text: str) -> None:
    made = record(probability_count=count, stated_ratio=0.15, came_ratio=0.1379)
    assert probabilities_text(made) == text


def test_rules_of_which_nothing_was_due_or_likely_are_counted() -> None:
    due = record("B", due_count=1)
    assert record_lines([]) == []
    assert record_lines([record("A"), due, record("B"), record("C")]) == [
        ("Hold-out: B: 1 date due, 0 came within 14 days after it; no stated probability is over."),
        ("2 other rules: no date was due, nothing was likelier than 1 % on average, nothing came."),
    ]


def correction(shift: float, limits: int = 50) -> SiteCorrection:
    return SiteCorrection(cutoff_date=DAY, shift=shift, limit_count=limits, case_count=3 * limits)


@pytest.mark.parametrize(("limits", "is_enough"), [(49, False), (50, True), (51, True)])
def test_too_few_limits_are_stated_as_such(limits: int, is_enough: bool) -> None:
    line = correction_line(correction(0.0, limits), 50)
    assert ("50 are needed" in line) is not is_enough
    assert ("probabilities stay as they are" in line) is is_enough
    assert f"{limits} limits" in line


def test_shift_and_cases_are_in_one_line_and_a_slope_alone_is_a_correction() -> None:
    assert correction_line(correction(0.2), 50) == (
        "Own outcomes: 150 probabilities of 50 limits whose days are over; log odds times 1.00 "
        "+0.20: 10, 50 and 90 % become 12 %, 55 %, 92 %."
    )
    less_sure = correction(0.0).model_copy(update={"slope": 0.5})
    assert shift_text(less_sure).endswith("10, 50 and 90 % become 25 %, 50 %, 75 %")


NOTHING = "Nothing to change: the page set has room."
WATCHED = finding(
    severity=Severity.watch, breach=False, headroom_ratio=0.1246, changes=(), advice=NOTHING
)


def advice(of: Finding, *dated: Crossing) -> str:
    [line] = fleet_lines([of], dated, [], Estate(), AlertSettings())
    return line.advice


def test_what_is_watched_before_its_limit_is_passed_does_not_say_nothing_to_change() -> None:
    dated = crossing(
        WATCHED,
        earliest_date=date(2026, 4, 2),
        expected_date=date(2026, 5, 1),
        latest_date=date(2026, 6, 30),
    )
    assert advice(WATCHED, dated) == "No change yet: expected 2026-05-01."
    assert advice(WATCHED) == "No change yet: 12.46 % headroom."


def test_the_advice_of_a_breach_and_of_what_is_in_order_is_that_of_the_rule() -> None:
    assert advice(finding(advice="Add logs.")) == "Add logs."
    assert advice(WATCHED.model_copy(update={"severity": Severity.ok})) == NOTHING


def test_a_change_before_its_limit_is_passed_is_never_beside_no_change_yet() -> None:
    planned = WATCHED.model_copy(update={"changes": finding().changes, "advice": "Add logs."})
    assert advice(planned) == "Add logs."
