from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import Engine

from mqcap.domain.crossing import CrossingState
from mqcap.store.crossings import (
    crossing_of_finding,
    crossings_below,
    crossings_with_keys,
    expected_before,
    find_crossing,
    read_crossings,
    replace_crossings,
)
from mqcap.store.findings import replace_findings
from mqcap.store.problems import problem_progress, replace_problems
from tests.factories import DAY, crossing, finding, problem_day

NEXT_DAY = DAY + timedelta(days=1)


def test_crossings_come_back_by_rule_and_subject(engine: Engine) -> None:
    refused = crossing(
        "PLEX1/CSQ2",
        state=CrossingState.unknown,
        earliest_date=None,
        expected_date=None,
        latest_date=None,
        reason="12 days of data; at least 60 are needed",
    )
    likely = crossing(probability_30_days=0.4, probability_365_days=0.99)
    assert replace_crossings(engine, DAY, [refused, likely]) == 2
    assert read_crossings(engine, DAY) == [likely, refused]
    assert read_crossings(engine, NEXT_DAY) == []


def test_replacing_a_cutoff_date_leaves_the_others(engine: Engine) -> None:
    later = crossing(cutoff_date=NEXT_DAY)
    replace_crossings(engine, DAY, [crossing(), crossing("PLEX1/CSQ2")])
    replace_crossings(engine, NEXT_DAY, [later])
    assert replace_crossings(engine, DAY, []) == 0
    assert read_crossings(engine, DAY) == []
    assert read_crossings(engine, NEXT_DAY) == [later]


def test_replacing_crossings_makes_the_problems_of_the_day_invalid(engine: Engine) -> None:
    replace_findings(engine, DAY, [finding()])
    replace_problems(engine, DAY, [problem_day()])
    replace_crossings(engine, NEXT_DAY, [])
    assert problem_progress(engine, DAY) == (DAY, ())
    replace_crossings(engine, DAY, [])
    assert problem_progress(engine, DAY) == (None, (DAY,))


def test_crossings_below_a_subject_are_its_own_and_those_of_its_parts(engine: Engine) -> None:
    subjects = ("PLEX1/CSQ1", "PLEX1/CSQ1/PSID04", "PLEX1/CSQ10")
    replace_crossings(engine, DAY, [crossing(subject) for subject in subjects])
    below = crossings_below(engine, DAY, "PLEX1/CSQ1")
    assert [row.subject for row in below] == ["PLEX1/CSQ1", "PLEX1/CSQ1/PSID04"]


def test_a_crossing_is_found_by_rule_subject_and_day(engine: Engine) -> None:
    replace_crossings(engine, DAY, [crossing()])
    rule_id, subject = crossing().rule_id, crossing().subject
    assert find_crossing(engine, rule_id, subject, DAY) == crossing()
    assert find_crossing(engine, rule_id, subject, NEXT_DAY) is None
    assert find_crossing(engine, rule_id, "PLEX1/CSQ2", DAY) is None
    assert find_crossing(engine, "CF-BUSY-1", subject, DAY) is None


def test_the_crossing_of_a_finding_is_that_of_its_rule_subject_and_day(engine: Engine) -> None:
    replace_crossings(engine, DAY, [crossing()])
    assert crossing_of_finding(engine, finding()) == crossing()
    assert crossing_of_finding(engine, finding(site_date=NEXT_DAY)) is None
    assert crossing_of_finding(engine, finding(rule_id="LOG-MAXARCH")) is None


@pytest.mark.parametrize(
    ("stated", "expected", "counts"),
    [(-1, 0, True), (0, 5, False), (-9, -3, True), (-9, -4, False)],
)
def test_a_limit_was_expected_by_days_before_it_was_passed_and_not_much_too_early(
    engine: Engine, stated: int, expected: int, counts: bool
) -> None:
    made = crossing(
        cutoff_date=DAY + timedelta(days=stated), expected_date=DAY + timedelta(days=expected)
    )
    replace_crossings(engine, made.cutoff_date, [made])
    found = expected_before(engine, made.rule_id, made.subject, DAY, timedelta(days=3))
    assert found == ([made] if counts else [])
    assert expected_before(engine, made.rule_id, "PLEX1/CSQ2", DAY, timedelta(days=3)) == []


def test_crossings_are_found_by_many_rules_and_subjects(engine: Engine) -> None:
    other = crossing("PLEX1/CF01", rule_id="CF-BUSY-1")
    replace_crossings(engine, DAY, [crossing(), crossing("PLEX1/CSQ2"), other])
    keys = [(each.rule_id, each.subject) for each in (crossing(), other)]
    found = crossings_with_keys(engine, DAY, [*keys, ("CF-BUSY-1", "PLEX1/CSQ2")])
    assert found == dict(zip(keys, (crossing(), other), strict=True))
    assert crossings_with_keys(engine, NEXT_DAY, keys) == {}
