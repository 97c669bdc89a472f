"""The resource of a problem, and resources that were hit in the same hour."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mqcap.domain.problem import Problem
from mqcap.queries.resources import (
    hit_in_the_same_hour,
    resource_name,
    resource_path,
)
from tests.factories import NOON, finding, problem_day

LOG = "LOG-FILL-30MIN/PLEX1/CSQ1"


@pytest.mark.parametrize(
    ("key", "path", "name"),
    [
        (LOG, "PLEX1/CSQ1/active_log", "PLEX1 CSQ1 active logs"),
        ("LOG-RUNWAY-12H/PLEX1/CSQ1", "PLEX1/CSQ1/active_log", "PLEX1 CSQ1 active logs"),
        ("REC-FORMULA-A/PLEX1/CSQ1", "PLEX1/CSQ1/recovery", "PLEX1 CSQ1 recovery"),
        ("CFS-FULL/PLEX1/CF01/QSG1APPL1", "PLEX1/QSG1APPL1", "PLEX1 structure QSG1APPL1"),
        ("CFS-FULL/PLEX1/CF02/QSG1APPL1", "PLEX1/QSG1APPL1", "PLEX1 structure QSG1APPL1"),
        ("A-RULE-OF-THE-PAST/PLEX1/CSQ1", "A-RULE-OF-THE-PAST/PLEX1/CSQ1", "PLEX1/CSQ1"),
    ],
)
def test_a_problem_has_the_resource_of_its_rule_and_subject(key: str, path: str, name: str) -> None:
    assert resource_path(key) == path
    assert resource_name(key) == name


def test_the_path_of_a_resource_is_its_own_path() -> None:
    assert resource_path("PLEX1/CSQ1/active_log") == "PLEX1/CSQ1/active_log"


def hit(subject: str = "PLEX1/CSQ1", rule: str = "LOG-FILL-30MIN", **status: object) -> Problem:
    key = f"{rule}/{subject}"
    day = problem_day(key, resource=resource_path(key)).model_copy(update=status)
    return Problem(finding=finding(subject, rule_id=rule), crossing=None, status=day)


@pytest.mark.parametrize(
    ("other", "named"),
    [
        (hit("PLEX1/CSQ2"), True),
        (hit("PLEX1/CSQ2", peak_hour_utc=NOON + timedelta(hours=1)), True),
        (hit("PLEX1/CSQ2", peak_hour_utc=NOON - timedelta(hours=1)), True),
        (hit("PLEX1/CSQ2", peak_hour_utc=NOON + timedelta(hours=2)), False),
        (hit("PLEX1/CSQ2", peak_hour_utc=None), False),
        (hit("PLEX2/CSQ2"), False),
        (hit(rule="LOG-RUNWAY-12H"), False),
    ],
)
def test_another_resource_of_the_sysplex_is_named_when_it_was_hit_within_the_hours(
    other: Problem, named: bool
) -> None:
    item = hit()
    assert hit_in_the_same_hour([item], [item, other], hours=1) == (
        ("PLEX1 CSQ2 active logs",) if named else ()
    )


def test_a_forecast_was_hit_in_no_hour() -> None:
    forecast = hit("PLEX1/CSQ2")
    fine = forecast.finding.model_copy(update={"breach": False})
    forecast = forecast.model_copy(update={"finding": fine})
    assert hit_in_the_same_hour([hit()], [forecast], hours=1) == ()
    assert hit_in_the_same_hour([forecast], [hit()], hours=1) == ()
