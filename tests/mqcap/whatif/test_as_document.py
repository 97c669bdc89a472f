"""What-if results for programs."""

import json
from datetime import date
from pathlib import Path
from typing import Any

from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import Severity
from mqcap.judging.evaluate import DayFacts
from mqcap.whatif.comparison import Baseline, RuleOutcome, WhatIfResult, as_document
from mqcap.whatif.scenario import Scenario
from tests.mqcap.rulebook.builders import DAY
from tests.mqcap.whatif.builders import (
    PAGE_SET,
    POOL,
    WITH_SIZES,
    difference,
    filled,
    outcome,
    printed,
)


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


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    assert printed(tmp_path, "title: Nothing\n", "--format", "xml").exit_code == 2
