"""States of problems, acknowledgements, and the keys under which older releases stored them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mqcap.domain.finding import Severity
from mqcap.domain.problem import ProblemDay, ProblemState
from tests.factories import DAY, acknowledgement, problem_day

CALLS = {ProblemState.new, ProblemState.worsening, ProblemState.reopened}


@pytest.mark.parametrize("state", list(ProblemState))
def test_a_problem_is_open_from_its_first_notification_until_it_is_resolved(
    state: ProblemState,
) -> None:
    assert state.is_open is (state not in {ProblemState.pending, ProblemState.resolved})


@pytest.mark.parametrize("state", list(ProblemState))
def test_the_states_that_call_for_a_notification(state: ProblemState) -> None:
    assert problem_day(state=state).is_new_or_changed is (state in CALLS)


def test_the_day_on_which_it_is_resolved_calls_for_one_and_later_days_do_not() -> None:
    resolved = problem_day(state=ProblemState.resolved, resolved_date=DAY)
    assert resolved.is_new_or_changed
    later = resolved.model_copy(update={"site_date": DAY + timedelta(days=1)})
    assert not later.is_new_or_changed


def test_a_document_has_the_keys_of_the_older_release_and_is_read_by_both_names() -> None:
    made = problem_day(notified_severity=Severity.act, notified_date=DAY)
    document = made.model_dump(mode="json")
    assert (document["told_severity"], document["news_date"]) == ("act", "2026-03-02")
    assert ProblemDay.model_validate(document) == made


def test_an_acknowledgement_holds_from_its_day_to_its_last_day() -> None:
    until = DAY + timedelta(days=30)
    made = acknowledgement()
    days = [DAY - timedelta(days=1), DAY, until, until + timedelta(days=1)]
    assert [made.holds_on(day) for day in days] == [False, True, True, False]
    endless = made.model_copy(update={"until_date": None})
    assert endless.holds_on(DAY + timedelta(days=10_000))
