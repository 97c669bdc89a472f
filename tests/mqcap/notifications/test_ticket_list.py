"""Lists and texts of tickets."""

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from mqcap.domain.finding import Severity
from mqcap.domain.plan import PlanVariant
from mqcap.domain.problem import Acknowledgement, AcknowledgementKind, ProblemState
from mqcap.domain.ticket import TicketState
from mqcap.notifications.ticket_list import ListedTicket, list_line, listed_tickets
from mqcap.settings import Settings
from mqcap.store.plans import replace_losses, replace_plans
from mqcap.store.problems import save_acknowledgements
from tests.factories import DAY, crossing, finding, ticket
from tests.mqcap.notifications.builders import breached, cf_finding, log_plan, problem, ticket_from
from tests.mqcap.steps.notify.builders import judge, over, site
from tests.plan_factories import incident, loss, loss_finding, plan, plan_change, plan_rule
from tests.summary_budget import TICKET_LINES

SETTINGS_OWNER = {"PLEX1": "MQ team"}
RUNWAY: dict[str, Any] = {
    "rule_id": "LOG-RUNWAY-12H", "observed": 1.9, "limit_value": 12.0, "unit": "h",
    "severity": Severity.act,
}  # fmt: skip
OLD: dict[str, Any] = {
    "dedupe_key": "PLEX1/CSQ1/active_log",
    "members": ("LOG-FILL-30MIN/PLEX1/CSQ1", "LOG-RUNWAY-12H/PLEX1/CSQ1"),
    "external_ref": "MQCAP-7",
    "last_seen_date": DAY + timedelta(days=12),
    "due_date": DAY + timedelta(days=3),
}
KEY = "LOG-FILL-30MIN/PLEX1/CSQ1"
GOLDEN = Path(__file__).with_name("golden") / "ticket.txt"
OPTION = PlanVariant(changes=(plan_change(typed="COMPLOG(RLE)"),), condition="CPU is free")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return site(tmp_path, owners=SETTINGS_OWNER)


def listed(engine: Engine, settings: Settings, **changed: Any) -> ListedTicket:
    [item] = listed_tickets(engine, settings, [ticket(**(OLD | changed))], DAY)
    return item


def test_an_open_ticket_has_figure_change_owner_and_due_day_of_its_plan(
    engine: Engine, settings: Settings
) -> None:
    judge(engine, DAY, [over(), over(**RUNWAY)])
    replace_plans(engine, DAY, [plan()])
    line = list_line(listed(engine, settings))
    assert line == (
        "MQCAP-7  open  ACT  PLEX1 CSQ1 active logs: 1.9 h of 12 h  16 x CYL(5825)  "
        "owner Payments MQ team  due 16 Mar 2026  age 12 days  "
        "key PLEX1/CSQ1/active_log"
    )


def test_its_severity_is_that_of_the_plan_and_without_one_its_own(
    engine: Engine, settings: Settings
) -> None:
    judge(engine, DAY, [over()])
    assert listed(engine, settings).severity is Severity.act
    replace_plans(engine, DAY, [plan(severity=Severity.watch)])
    item = listed(engine, settings)
    assert item.severity is Severity.watch
    assert "  WATCH  " in list_line(item)
    assert listed(engine, settings, state=TicketState.closed).severity is Severity.act


def test_what_happened_is_named_in_place_of_a_figure_and_asks_for_its_cause(
    engine: Engine, settings: Settings
) -> None:
    judge(engine, DAY, [over()])
    replace_plans(engine, DAY, [incident(changes=(), summary="Out of log space: all.")])
    item = listed(engine, settings)
    assert (item.figure, item.change) == ("Out of log space", "find the cause")


def test_without_a_plan_it_has_its_worst_finding_and_the_owner_of_the_settings(
    engine: Engine, settings: Settings
) -> None:
    judge(engine, DAY, [over(severity=Severity.watch), over(**RUNWAY)])
    item = listed(engine, settings)
    assert (item.figure, item.change, item.owner) == ("1.9 h of 12 h", "CYL(3073)", "MQ team")


def test_the_figure_of_a_loss_is_that_of_its_worst_survivor(
    engine: Engine, settings: Settings
) -> None:
    judge(engine, DAY, [loss_finding("LOSS-CF-BUSY")])
    replace_losses(engine, DAY, [loss(due_date=DAY)])
    key = "LOSS-CF-BUSY/PLEX1/CF02"
    item = listed(engine, settings, dedupe_key="PLEX1/CF02/loss", members=(key,))
    assert item.figure == "73 % of 60 %"


def test_a_closed_ticket_has_no_figure_of_today(engine: Engine, settings: Settings) -> None:
    judge(engine, DAY, [over()])
    replace_plans(engine, DAY, [plan()])
    item = listed(engine, settings, state=TicketState.closed)
    assert (item.figure, item.change, item.owner) == ("", "", "MQ team")
    assert "due" not in list_line(item)


@pytest.mark.parametrize(("days", "age"), [(0, "new"), (1, "1 day"), (2, "2 days")])
def test_the_age_is_in_days(engine: Engine, settings: Settings, days: int, age: str) -> None:
    item = listed(engine, settings, last_seen_date=DAY + timedelta(days=days))
    assert item.age == age


def test_open_and_severe_and_due_tickets_come_first(engine: Engine, settings: Settings) -> None:
    late, soon = DAY + timedelta(days=9), DAY + timedelta(days=1)
    tickets = [
        ticket(dedupe_key="E", state=TicketState.closed),
        ticket(dedupe_key="D", severity=Severity.watch, due_date=soon),
        ticket(dedupe_key="C"),
        ticket(dedupe_key="B", due_date=soon),
        ticket(dedupe_key="A", due_date=late),
    ]
    order = [item.key for item in listed_tickets(engine, settings, tickets, DAY)]
    assert order == ["B", "A", "C", "D", "E"]


def test_an_open_ticket_is_acknowledged_once_each_of_its_problems_is(
    engine: Engine, settings: Settings
) -> None:
    judge(engine, DAY, [over()])
    kind = AcknowledgementKind.acknowledged
    for key, said in zip(OLD["members"], ("open", "open, acknowledged"), strict=True):
        save_acknowledgements(engine, [Acknowledgement(key=key, kind=kind, noted_date=DAY)])
        assert f"MQCAP-7  {said}  ACT" in list_line(listed(engine, settings))
    assert "acknowledged" not in list_line(listed(engine, settings, state=TicketState.closed))


def days(count: int) -> timedelta:
    return timedelta(days=count)


def test_the_ticket_is_the_golden_one() -> None:
    changes = (plan_change(side_effects="pre-format the data sets"),)
    plan = log_plan(
        changes=changes, options=(OPTION,), cause="find out why archiving failed",
        rules=(plan_rule("LOG-FILL-30MIN"),),
    )  # fmt: skip
    made = ticket_from([problem(finding(), breached(finding()))], "http://page", plan=plan)
    text = f"{made.title}\n\n{made.body}\n"
    if os.environ.get("MQCAP_GOLDEN") == "write":
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")
    assert made.title not in made.body


def test_however_much_there_is_a_ticket_has_few_lines() -> None:
    notes = tuple(f"Note {number}." for number in range(20))
    plan = log_plan(options=(OPTION,) * 20, notes=notes)
    problems = [problem(finding(rule_id=rule)) for rule in ("LOG-FILL-30MIN", "LOG-DAY-ACTIVE")]
    made = ticket_from(problems, "http://page", same_hour=["PLEX1 CSQ2 active logs"], plan=plan)
    assert len(made.body.splitlines()) <= TICKET_LINES
    assert len(made.update_text.splitlines()) <= TICKET_LINES
    assert "In the same hour: PLEX1 CSQ2 active logs." in made.body


def test_a_ticket_without_a_plan_is_about_its_first_problem_and_names_the_others() -> None:
    lead, other = problem(finding()), problem(finding(rule_id="LOG-RUNWAY-12H", title="Runway"))
    made = ticket_from([lead, other])
    assert made.dedupe_key == "PLEX1/CSQ1/active_log"
    assert made.members == (lead.key, other.key)
    assert made.title == "CSQ1 active logs: One log fills too fast; CYL(3073) now"
    assert "Also: Runway." in made.body
    assert "Do: CYL(3073) now." in made.body
    assert made.due_date == DAY


def test_what_happened_is_told_once() -> None:
    plan = incident(
        worst_rule="CONSOLE-LOG", summary="archiving failed at 05:27.",
        rules=(plan_rule("LOG-FILL-30MIN"),),
    )  # fmt: skip
    event = finding(rule_id="CONSOLE-LOG", is_event=True, title="Out of active log space")
    body = ticket_from([problem(event), problem(finding())], plan=plan).body
    assert body.startswith("Archiving failed at 05:27.\n")
    assert "Also" not in body


def test_a_ticket_is_due_with_its_plan_else_its_lead_time_before_the_earliest_crossing() -> None:
    planned = ticket_from([problem(finding())], plan=log_plan(due_date=DAY + days(20)))
    assert planned.due_date == DAY + days(20)
    soon = cf_finding(severity=Severity.act)
    made = ticket_from([problem(soon, crossing(soon))])
    assert made.due_date == DAY + days(31 - 14)
    assert "imit passed 29 Apr 2026 (2 Apr 2026 to 29 Jun 2026)" in made.body


def test_a_ticket_was_first_seen_when_its_first_problem_was() -> None:
    lead, other = problem(finding()), problem(finding(rule_id="LOG-RUNWAY-12H"))
    earlier = other.status.model_copy(update={"raised_date": DAY - days(3)})
    made = ticket_from([lead, other.model_copy(update={"status": earlier})])
    assert made.first_seen_date == DAY - days(3)


def test_a_comment_says_what_is_new_or_that_the_plan_has_changed() -> None:
    item = problem(finding())
    assert ticket_from([item], plan=log_plan()).update_text.startswith(f"New: {finding().title}.")
    status = item.status.model_copy(update={"state": ProblemState.lasting})
    standing = item.model_copy(update={"status": status})
    text = ticket_from([standing], plan=log_plan(changed_on=DAY)).update_text
    assert text.startswith("The plan has changed.")
    assert "Do: 16 x CYL(5825) by 16 Mar 2026" in text


def test_the_notified_day_of_a_plan_is_that_of_its_change_or_its_newest_problem() -> None:
    worse = problem(finding())
    later = {"raised_date": DAY, "notified_date": DAY + days(9)}
    worse = worse.model_copy(update={"status": worse.status.model_copy(update=later)})
    assert ticket_from([worse]).notified_date == DAY + days(9)
    assert ticket_from([worse], plan=log_plan()).notified_date == DAY
    changed = log_plan(changed_on=DAY + days(3))
    assert ticket_from([worse], plan=changed).notified_date == DAY + days(3)
