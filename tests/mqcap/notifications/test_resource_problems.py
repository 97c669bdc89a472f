"""The problems that an acknowledgement of a ticket or a resource counts for."""

from __future__ import annotations

from datetime import date

import pytest
from sqlalchemy import Engine

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.problem import ProblemState
from mqcap.notifications import resource_problems
from mqcap.notifications.resource_problems import (
    open_problems_of_resource,
    problems_of_rule,
    problems_of_ticket,
    problems_of_tickets,
)
from mqcap.store.findings import replace_findings
from mqcap.store.problems import open_problem_keys, replace_problems
from tests.factories import DAY, finding, problem_day, ticket

FILL = "LOG-FILL-30MIN/PLEX1/CSQ1"
RUNWAY = "LOG-RUNWAY-12H/PLEX1/CSQ1"
DAILY = "LOG-DAY-ACTIVE/PLEX1/CSQ1"
STATES = {
    FILL: ProblemState.lasting,
    RUNWAY: ProblemState.acknowledged,
    DAILY: ProblemState.pending,
    "LOG-COUNT-MIN/PLEX1/CSQ1": ProblemState.resolved,
    "REC-FORMULA-A/PLEX1/CSQ1": ProblemState.new,
    "LOG-FILL-30MIN/PLEX1/CSQ2": ProblemState.new,
    "LOG-FILL-30MIN/PLEX2/CSQ1": ProblemState.new,
}
PATH = "PLEX1/CSQ1/active_log"


@pytest.fixture
def troubled(engine: Engine) -> Engine:
    replace_findings(engine, DAY, [finding()])
    replace_problems(engine, DAY, [problem_day(key, state=state) for key, state in STATES.items()])
    return engine


def test_open_problems_of_a_resource_are_those_of_no_other(troubled: Engine) -> None:
    assert open_problems_of_resource(troubled, PATH) == (FILL, RUNWAY)
    assert open_problems_of_resource(troubled, "PLEX1/CSQ9/active_log") == ()


def test_a_store_without_a_day_has_no_open_problems(engine: Engine) -> None:
    assert open_problems_of_resource(engine, PATH) == ()


@pytest.mark.parametrize(
    ("key", "members", "counts"),
    [
        (PATH, (FILL,), (FILL, RUNWAY)),
        (PATH, (DAILY, FILL), (DAILY, FILL, RUNWAY)),
        (FILL, (), (FILL, RUNWAY)),
    ],
    ids=["resource", "with one not open", "without members"],
)
def test_a_ticket_counts_for_its_resource(
    troubled: Engine, key: str, members: tuple[str, ...], counts: tuple[str, ...]
) -> None:
    made = ticket(dedupe_key=key, members=members)
    assert problems_of_ticket(troubled, made) == counts


def test_open_problems_are_read_once_for_all_tickets(
    troubled: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[date | None] = []

    def counted(engine: Engine, day: date | None) -> list[str]:
        asked.append(day)
        return open_problem_keys(engine, day)

    monkeypatch.setattr(resource_problems, "open_problem_keys", counted)
    other = "PLEX1/CSQ2/active_log"
    tickets = [ticket(dedupe_key=key, members=()) for key in (PATH, other, PATH)]
    assert problems_of_tickets(troubled, tickets) == [
        problems_of_ticket(troubled, each) for each in tickets
    ]
    assert asked == [DAY] * 4


def test_one_rule_can_be_chosen_among_them() -> None:
    assert problems_of_rule((FILL, RUNWAY), "") == (FILL, RUNWAY)
    assert problems_of_rule((FILL, RUNWAY), "LOG-RUNWAY-12H") == (RUNWAY,)
    with pytest.raises(ConfigurationError, match="no problem of this rule; found CFS-FULL"):
        problems_of_rule((FILL, RUNWAY), "CFS-FULL")
