"""What-if results as text, and for programs."""

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import Severity
from mqcap.judging.evaluate import DayFacts
from mqcap.whatif.comparison import Baseline, BoundDays, RuleOutcome, WhatIfResult, as_document
from mqcap.whatif.scenario import Scenario
from mqcap.whatif.terminal import NOTES, cells, details, table, when, words
from tests.mqcap.rulebook.builders import DAY
from tests.mqcap.whatif.builders import (
    PAGE_SET,
    POOL,
    STRUCTURE,
    WITH_SIZES,
    difference,
    filled,
    messages,
    outcome,
    printed,
)


def compared(known: DayFacts, **parts: Any) -> WhatIfResult:
    return Baseline(known).compare(Scenario.model_validate(parts))


def grown(known: DayFacts, pct: int) -> WhatIfResult:
    return compared(known, growth=[{"subjects": ["PLEX1/*"], "pct": pct}])


def test_every_figure_is_printed_with_arithmetic_and_citation(known: DayFacts) -> None:
    workload = messages(messages_per_s=(100, 400), moved="sent", channels=50)
    text = "\n".join(details(compared(known, workload=[workload])))
    assert "LOG-BYTES-PUT-LOCAL(message_bytes=1,024, pattern=put_then_commit)" in text
    assert '[MP16 (14), "How much log space does my message use?"]' in text
    assert "log = 100 messages/s x 5,140 bytes / 1,048,576 = 0.4902 MiB/s" in text
    assert "log = 400 messages/s x 5,140 bytes / 1,048,576 = 1.961 MiB/s" in text
    assert "in total: value + 0.4902 or value + 1.961" in text
    assert "CH-COST-PM1(message_bytes=1,024)" in text
    assert "advice: Define active logs of" in text


def test_factor_addition_and_slope_are_printed_as_they_are_applied(known: DayFacts) -> None:
    answer = compared(
        known,
        growth=[{"subjects": [STRUCTURE], "pct": 10}],
        workload=[messages(structure=STRUCTURE, outage_minutes=1, cfcc_level=25)],
        configuration=[{"subject": STRUCTURE, "offload": "SMDS", "message_bytes": 8_192}],
    )
    text = "\n".join(details(answer))
    assert "in total: value x 1.1 + 2.644, above 80 only 0.05882 of the rest" in text


def test_every_listed_difference_has_a_cell_that_differs(known: DayFacts) -> None:
    answer = grown(known, 10)
    assert answer.differences
    assert all(any("->" in cell for cell in cells(item)) for item in answer.differences)


def test_changed_severities_are_printed_first_and_no_name_is_broken(known: DayFacts) -> None:
    answer = grown(known, 60)
    changed = ["->" in cells(item).severity for item in answer.differences]
    assert set(changed) == {True, False}
    shown = table(answer)
    first = [row[1] for row in shown.rows][: sum(changed)]
    graver = (
        difference.rule_id
        for difference in answer.differences
        if "->" in cells(difference).severity
    )
    assert sorted(first) == sorted(graver)
    assert {item.subject for item in answer.differences} == {row[2] for row in shown.rows}


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"expected_date": date(2027, 3, 1)}, "2027-03-01"),
        ({"undated": "over the limit"}, "over the limit"),
        ({"expected_date": date(2027, 3, 1), "undated": "over the limit"}, "2027-03-01"),
        (
            {"expected_date": date(2027, 3, 1), "earliest_date": date(2027, 2, 1)},
            "2027-03-01 (earliest 2027-02-01)",
        ),
        ({"undated": ""}, "-"),
    ],
)
def test_the_date_of_a_crossing_or_words_where_there_is_none(
    changed: dict[str, Any], text: str
) -> None:
    assert when(outcome(**changed)) == text


def test_cells_show_one_value_or_the_change() -> None:
    over = {"state": CrossingState.breached, "undated": "over the limit"}
    worse = outcome(Severity.act, observed=2.5, headroom_ratio=-0.25, **over)
    assert cells(difference(outcome(), worse)) == (
        "OK -> Act",
        "4,320 -> 9,000 MB/hour",
        "7,200 MB/hour",
        "40 % -> -25 %",
        "not within a year -> over the limit",
        "-",
    )


START = date(2027, 3, 1)


def test_the_day_at_the_bound_is_that_of_the_worst_corner() -> None:
    before = outcome(bound=BoundDays(date(2027, 4, 1), START))
    corners = (
        outcome(),
        outcome(bound=BoundDays(None, START)),
        outcome(bound=BoundDays(date(2027, 5, 1), START)),
    )
    assert cells(difference(before, *corners)).bound == "2027-03-31 -> 2027-04-30"
    assert cells(difference(before, *corners[:2])).bound == "2027-03-31 -> later"


@pytest.mark.parametrize(
    ("state", "days_later", "text"),
    [
        (CrossingState.will_cross, 0, "before 2027-03-01"),
        (CrossingState.breached, 0, "already over the limit"),
        (CrossingState.breached, 6, "already over the limit"),
        (CrossingState.breached, 7, "2027-03-07"),
    ],
)
def test_what_is_over_already_is_so_on_a_weekend_too(
    state: CrossingState, days_later: int, text: str
) -> None:
    bound = BoundDays(START + timedelta(days=days_later), START)
    both = outcome(state=state, undated="over the limit", bound=bound)
    assert cells(difference(both, both)).bound == text


def test_a_limit_that_is_passed_comes_before_dates_and_no_date_last() -> None:
    corners = (
        outcome(),
        outcome(expected_date=date(2027, 5, 1)),
        outcome(state=CrossingState.breached, undated="over the limit"),
    )
    shown = cells(difference(outcome(), *corners))
    assert shown.passes == "not within a year -> over the limit to not within a year"
    assert cells(difference(outcome(), *corners[:2])).passes == (
        "not within a year -> 2027-05-01 to not within a year"
    )


def test_a_range_shows_its_lowest_and_highest_corner() -> None:
    corners = (
        outcome(observed=1.5, expected_date=date(2027, 5, 1)),
        outcome(observed=1.3, severity=Severity.watch, expected_date=date(2027, 2, 1)),
    )
    shown = cells(difference(outcome(), *corners))
    assert shown.severity == "OK -> OK to Watch"
    assert shown.observed == "4,320 -> 4,680 to 5,400 MB/hour"
    assert shown.passes == "not within a year -> 2027-02-01 to 2027-05-01"


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        (None, (outcome(),), "now applies"),
        (outcome(), (None,), "no longer applies"),
        (outcome(), (None, outcome()), "no longer applies at one end"),
    ],
)
def test_a_rule_that_applies_on_one_side_only_is_marked(
    before: RuleOutcome | None, after: tuple[RuleOutcome | None, ...], text: str
) -> None:
    assert cells(difference(before, *after)).severity == text


def test_values_that_are_missing_are_shown_as_a_dash() -> None:
    shown = cells(difference(outcome(observed=None), outcome(observed=None, severity=Severity.act)))
    assert shown.observed == "-"


def test_notes_are_printed_only_with_differences(known: DayFacts) -> None:
    assert words(compared(known)) == ""
    assert words(grown(known, 60)).endswith("\n".join(NOTES))


def entry(before: RuleOutcome | None, *after: RuleOutcome | None) -> dict[str, Any]:
    """The entry of one difference."""
    result = WhatIfResult(DAY, Scenario(), (difference(before, *after),), 4)
    [only] = as_document(result)["differences"]
    return dict(only)


def test_one_corner_gives_severities_and_dates() -> None:
    after = outcome(
        Severity.watch,
        state=CrossingState.will_cross,
        earliest_date=date(2027, 1, 1),
        expected_date=date(2027, 2, 1),
        latest_date=date(2027, 3, 1),
        change="Define active logs [CYL(5825)]",
    )
    shown = entry(outcome(), after)
    assert {key: value for key, value in shown.items() if key not in {"today", "corners"}} == {
        "rule": "R-1",
        "subject": "PLEX1/CSQ1",
        "unit": "MiB/s",
        "before": "ok",
        "after": "watch",
        "crossing_earliest": "2027-01-01",
        "crossing_expected": "2027-02-01",
        "crossing_latest": "2027-03-01",
    }
    [corner] = shown["corners"]
    assert corner["crossing_state"] == "will_cross"
    assert corner["advice"] == "Define active logs [CYL(5825)]"
    assert shown["today"]["crossing_state"] == "not_within_horizon"


def test_of_two_corners_the_worst_severity_and_the_widest_dates_count() -> None:
    first = outcome(Severity.watch, expected_date=date(2027, 5, 1), latest_date=date(2027, 6, 1))
    second = outcome(Severity.act, expected_date=date(2027, 2, 1), latest_date=date(2027, 9, 1))
    shown = entry(outcome(), first, second)
    assert shown["after"] == "act"
    assert shown["crossing_earliest"] is None
    assert shown["crossing_expected"] == "2027-02-01"
    assert shown["crossing_latest"] == "2027-09-01"
    assert entry(outcome(), first, outcome())["crossing_latest"] is None


def test_a_rule_that_does_not_apply_is_null() -> None:
    assert entry(None, outcome())["before"] is None
    assert entry(None, outcome())["today"] is None
    gone = entry(outcome(), None)
    assert (gone["after"], gone["corners"]) == (None, [None])


def test_a_figure_without_bounds_is_null() -> None:
    shown = entry(outcome(headroom_ratio=float("inf")), outcome(headroom_ratio=-1.5))
    assert shown["today"]["headroom_ratio"] is None
    assert shown["corners"][0]["headroom_ratio"] == -1.5


def test_what_stays_in_breach_is_listed_even_where_nothing_changed(sized: DayFacts) -> None:
    scenario = Scenario.model_validate({"configuration": [{"subject": PAGE_SET, "pages": 200_000}]})
    document = as_document(Baseline(sized).compare(scenario))
    still = {(each["rule"], each["subject"]): each["after"] for each in document["still"]}
    assert still["BP-FREE-15", POOL] == "act"
    assert set(still.values()) == {"act", "watch"}
    assert all(each["subject"] == PAGE_SET for each in document["differences"])
    larger = {"configuration": [{"subject": POOL, "buffers": 20_000}]}
    after = as_document(Baseline(sized).compare(Scenario.model_validate(larger)))
    assert ("BP-FREE-15", POOL) not in {
        (finding["rule"], finding["subject"]) for finding in after["still"]
    }
    [[storage]] = after["computed"]
    assert (storage["unit"], storage["after"]) == ("MiB", 78.125)


def test_the_command_prints_the_document(tmp_path: Path) -> None:
    filled(tmp_path, WITH_SIZES)
    scenario = (
        "title: Larger pool\nstart: 2027-01-01\n"
        "configuration:\n  - {subject: PLEX1/CSQ1/BP01, buffers: 20000}\n"
    )
    result = printed(tmp_path, scenario, "--format", "json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert (document["title"], document["start"]) == ("Larger pool", "2027-01-01")
    [free] = [each for each in document["differences"] if each["rule"] == "BP-FREE-15"]
    assert (free["before"], free["after"]) == ("act", "ok")
