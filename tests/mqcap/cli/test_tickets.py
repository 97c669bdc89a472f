"""``mqcap tickets``: list, history and acknowledgement."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import Engine

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.problem import AcknowledgementKind
from mqcap.settings import Settings
from mqcap.steps.notify import alert
from mqcap.store.problems import latest_acknowledgements, read_problems
from mqcap.store.tickets import read_tickets
from tests.factories import DAY
from tests.mqcap.cli.command_line import invoked, output_of
from tests.mqcap.steps.notify.builders import ONE_DAY, judge, over

pytestmark = pytest.mark.thorough


def test_an_acknowledgement_counts_from_the_newest_day_on(
    notified: Settings, engine: Engine
) -> None:
    reference = read_tickets(engine)[0].external_ref
    assert reference in output_of("tickets", "list")
    output_of("tickets", "acknowledge", reference, f"accepted risk until {DAY + 9 * ONE_DAY}")
    judge(engine, DAY + ONE_DAY, [over()])
    alert(notified, engine, DAY + ONE_DAY)
    assert output_of("tickets", "history", reference).splitlines() == [
        "2026-03-02  act new  LOG-FILL-30MIN/PLEX1/CSQ1",
        "2026-03-02  update (sent): CSQ1 active logs: One log fills too fast; CYL(3073) now",
        "2026-03-02  acknowledgement  LOG-FILL-30MIN/PLEX1/CSQ1: accepted risk until 2026-03-11",
        "2026-03-03  act acknowledged  LOG-FILL-30MIN/PLEX1/CSQ1: accepted risk until 2026-03-11",
    ]
    [status] = read_problems(engine, DAY + ONE_DAY)
    assert status.acknowledgement is not None
    assert status.acknowledgement.kind is AcknowledgementKind.accepted_until


def test_the_history_and_the_list_show_an_acknowledgement_before_the_next_run(
    notified: Settings, engine: Engine
) -> None:
    reference = read_tickets(engine)[0].external_ref or ""
    output_of("tickets", "acknowledge", reference, "acknowledged disks ordered", "--who", "bo")
    assert output_of("tickets", "history", reference).splitlines()[-1] == (
        "2026-03-02  acknowledgement  LOG-FILL-30MIN/PLEX1/CSQ1: acknowledged disks ordered by bo"
    )
    assert f"{reference}  open, acknowledged  ACT" in output_of("tickets", "list")


def test_the_list_is_there_for_programs_and_by_state(notified: Settings, engine: Engine) -> None:
    [ticket] = json.loads(output_of("tickets", "list", "--format", "json"))
    assert (ticket["state"], ticket["key"]) == ("open", read_tickets(engine)[0].dedupe_key)
    heading, *rows = output_of("tickets", "list", "--format", "csv").splitlines()
    assert heading.split(",") == list(ticket)
    assert len(rows) == 1
    assert output_of("tickets", "list", "--state", "closed", "--format", "csv") == f"{heading}\n"
    assert "No ticket is closed." in invoked("tickets", "list", "--state", "closed").output


def test_an_unrecognised_response_names_those_that_are_recognised(
    notified: Settings, engine: Engine
) -> None:
    reference = read_tickets(engine)[0].external_ref or ""
    error = invoked("tickets", "acknowledge", reference, "whatever").exception
    assert isinstance(error, ConfigurationError)
    assert str(error).startswith("unrecognised response to a ticket; found whatever")
    assert '"false alarm"' in str(error)


def test_an_unknown_ticket_cannot_be_acknowledged(notified: Settings) -> None:
    error = invoked("tickets", "acknowledge", "MQCAP-999", "false alarm").exception
    assert isinstance(error, ConfigurationError)
    assert "no such ticket; found MQCAP-999" in str(error)
    assert "mqcap tickets list" in str(error)


def test_no_problem_of_another_resource_is_acknowledged(notified: Settings, engine: Engine) -> None:
    every = [
        over(),
        over(rule_id="LOG-RUNWAY-12H"),
        over(rule_id="REC-FORMULA-A"),
        over("PLEX1/CSQ2"),
    ]
    judge(engine, DAY + ONE_DAY, every)
    alert(notified, engine, DAY + ONE_DAY)
    text = output_of("tickets", "acknowledge", "PLEX1/CSQ1/active_log", "false alarm")
    assert text.splitlines()[1:] == ["  LOG-FILL-30MIN/PLEX1/CSQ1", "  LOG-RUNWAY-12H/PLEX1/CSQ1"]
    assert set(latest_acknowledgements(engine, DAY + ONE_DAY)) == {
        "LOG-FILL-30MIN/PLEX1/CSQ1",
        "LOG-RUNWAY-12H/PLEX1/CSQ1",
    }


def test_one_rule_of_a_ticket_can_be_acknowledged_alone(notified: Settings, engine: Engine) -> None:
    judge(engine, DAY + ONE_DAY, [over(), over(rule_id="LOG-RUNWAY-12H")])
    alert(notified, engine, DAY + ONE_DAY)
    named = ("tickets", "acknowledge", "PLEX1/CSQ1/active_log", "false alarm", "--rule")
    output_of(*named, "LOG-RUNWAY-12H")
    assert set(latest_acknowledgements(engine, DAY + ONE_DAY)) == {"LOG-RUNWAY-12H/PLEX1/CSQ1"}
    error = invoked(*named, "CFS-FULL").exception
    assert isinstance(error, ConfigurationError)
    assert "found CFS-FULL" in str(error)
    assert "LOG-FILL-30MIN, LOG-RUNWAY-12H" in str(error)


def test_the_history_of_an_unknown_ticket_is_an_error_that_names_the_list(
    notified: Settings,
) -> None:
    result = invoked("tickets", "history", "MQCAP-999")
    assert result.exit_code != 0
    assert isinstance(result.exception, ConfigurationError)
    assert "no such ticket; found MQCAP-999" in str(result.exception)
    assert "mqcap tickets list" in str(result.exception)


def test_the_list_shows_state_figure_due_date_age_and_key(
    notified: Settings, engine: Engine
) -> None:
    [ticket] = read_tickets(engine)
    assert output_of("tickets", "list").strip() == (
        f"{ticket.external_ref}  open  ACT  PLEX1 CSQ1 active logs: 4,320 of 2,002 MB/hour  "
        f"CYL(3073)  due now  age new  key PLEX1/CSQ1/active_log"
    )
