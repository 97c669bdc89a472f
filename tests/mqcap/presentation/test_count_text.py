"""Counts of findings, plans and checks in words."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Severity
from mqcap.presentation.count_text import (
    check_words,
    data_words,
    plan_count_words,
    urgent_words,
)
from mqcap.presentation.fleet import Facts, FleetLine, fleet_lines
from mqcap.settings import AlertSettings
from tests import plan_factories
from tests.factories import differing_sources, feed_day, finding
from tests.mqcap.presentation.test_fleet import ESTATE
from tests.plan_factories import loss_finding


def lines(levels: dict[str, Severity]) -> list[FleetLine]:
    findings = [finding(subject, severity=level) for subject, level in levels.items()]
    return fleet_lines(Facts(findings, [], []), ESTATE, AlertSettings())


def test_what_is_urgent_is_counted_in_production_and_in_all_classes() -> None:
    made = lines(
        {"PLEX1/CSQ1": Severity.act, "PLEX1/CSQT": Severity.act, "PLEX2/CSQ9": Severity.watch}
    )
    plans = [
        plan_factories.plan(resource="PLEX1/CSQ1/active_log"),
        plan_factories.plan(resource="PLEX1/CSQT/active_log", is_production=False),
    ]
    words = "1 Act, 0 Watch findings in 1 plan (production); all: 2 / 1 in 2 plans"
    assert urgent_words(made, plans) == words
    assert plan_count_words(plans) == "1 plan (production); all: 2"


def test_losses_are_neither_findings_nor_plans_and_counted_apart() -> None:
    findings = [
        finding("PLEX1/CSQ1", severity=Severity.act),
        loss_finding("LOSS-LOG-FILL", "PLEX1/CSQ1", severity=Severity.act),
        loss_finding("LOSS-LOG-FILL", "PLEX1/CSQT"),
        loss_finding("LOSS-CF-BUSY", "PLEX1/CF01", severity=Severity.ok, breach=False),
    ]
    made = fleet_lines(Facts(findings, [], []), ESTATE, AlertSettings())
    assert urgent_words(made, [plan_factories.plan(resource="PLEX1/CSQ1/active_log")]) == (
        "1 Act, 0 Watch findings in 1 plan and 1 Act, 0 Watch losses (production); "
        "all: 1 / 0 in 1 plan and 1 / 1 losses"
    )


def test_a_day_with_nothing_to_do_is_counted_too() -> None:
    words = "0 Act, 0 Watch findings in 0 plans (production); all: 0 / 0 in 0 plans"
    assert urgent_words([], []) == words
    assert plan_count_words([]) == "0 plans (production); all: 0"
    assert check_words([]) == "0 checks in order (production); all: 0"


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        ([Severity.ok], "1 check in order (production); all: 1"),
        ([Severity.ok, Severity.ok, Severity.act], "2 checks in order (production); all: 2"),
        ([Severity.suggestion], "0 checks in order, 1 suggestion (production); all: 0 / 1"),
        (
            [Severity.ok, Severity.suggestion, Severity.suggestion, Severity.unknown],
            "1 check in order, 2 suggestions, 1 not checked (production); all: 1 / 2 / 1",
        ),
    ],
)
def test_a_suggestion_is_counted_beside_what_is_in_order(
    levels: list[Severity], words: str
) -> None:
    made = lines({f"PLEX1/CSQ{number}": level for number, level in enumerate(levels)})
    assert check_words(made) == words


def test_checks_are_counted_in_production_as_the_findings_are_and_in_all_classes() -> None:
    levels = {"PLEX1/CSQ1": Severity.ok, "PLEX1/CSQT": Severity.ok, "PLEX2/CSQ9": Severity.unknown}
    words = "1 check in order, 0 not checked (production); all: 2 / 1"
    assert check_words(lines(levels)) == words


def test_feeds_that_lack_records_and_sources_that_differ_are_counted_apart() -> None:
    assert data_words([]) == ""
    assert data_words([feed_day()]) == "1 feed of records incomplete"
    assert data_words([differing_sources()]) == "1 figure differs between two sources"
    assert data_words([feed_day(), differing_sources(), differing_sources("PLEX1/CSQ2")]) == (
        "1 feed of records incomplete, 2 figures differ between two sources"
    )
