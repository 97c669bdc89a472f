"""Text of tickets."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

from mqcap.domain.finding import Severity
from mqcap.domain.plan import PlanVariant
from mqcap.domain.problem import ProblemState
from mqcap.notifications.ticket_text import ticket_of
from tests.factories import DAY, crossing, finding
from tests.mqcap.notifications.builders import breached, cf_finding, log_plan, problem
from tests.plan_factories import incident, plan_change, plan_rule
from tests.summary_budget import TICKET_LINES

KEY = "LOG-FILL-30MIN/PLEX1/CSQ1"
GOLDEN = Path(__file__).with_name("golden") / "ticket.txt"
OPTION = PlanVariant(changes=(plan_change(typed="COMPLOG(RLE)"),), condition="CPU is free")


def days(count: int) -> timedelta:
    return timedelta(days=count)


def test_the_ticket_is_the_golden_one() -> None:
    changes = (plan_change(side_effects="pre-format the data sets"),)
    plan = log_plan(
        changes=changes, options=(OPTION,), cause="find out why archiving failed",
        rules=(plan_rule("LOG-FILL-30MIN"),),
    )  # fmt: skip
    made = ticket_of([problem(finding(), breached(finding()))], "http://page", plan=plan)
    text = f"{made.title}\n\n{made.body}\n"
    if os.environ.get("MQCAP_GOLDEN") == "write":
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")
    assert made.title not in made.body


def test_however_much_there_is_a_ticket_has_few_lines() -> None:
    notes = tuple(f"Note {number}." for number in range(20))
    plan = log_plan(options=(OPTION,) * 20, notes=notes)
    problems = [problem(finding(rule_id=rule)) for rule in ("LOG-FILL-30MIN", "LOG-DAY-ACTIVE")]
    made = ticket_of(problems, "http://page", same_hour=["PLEX1 CSQ2 active logs"], plan=plan)
    assert len(made.body.splitlines()) <= TICKET_LINES
    assert len(made.update_text.splitlines()) <= TICKET_LINES
    assert "In the same hour: PLEX1 CSQ2 active logs." in made.body


def test_a_ticket_without_a_plan_is_about_its_first_problem_and_names_the_others() -> None:
    lead, other = problem(finding()), problem(finding(rule_id="LOG-RUNWAY-12H", title="Runway"))
    made = ticket_of([lead, other])
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
    body = ticket_of([problem(event), problem(finding())], plan=plan).body
    assert body.startswith("Archiving failed at 05:27.\n")
    assert "Also" not in body


def test_a_ticket_is_due_its_lead_time_before_the_earliest_crossing() -> None:
    soon = cf_finding(severity=Severity.act)
    made = ticket_of([problem(soon, crossing(soon))])
    assert made.due_date == DAY + days(31 - 14)
    assert "limit passed 29 Apr 2026 (2 Apr 2026 to 29 Jun 2026)" in made.body


def test_a_ticket_with_a_plan_is_due_with_it() -> None:
    made = ticket_of([problem(finding())], plan=log_plan(due_date=DAY + days(20)))
    assert made.due_date == DAY + days(20)


def test_a_ticket_was_first_seen_when_its_first_problem_was() -> None:
    lead, other = problem(finding()), problem(finding(rule_id="LOG-RUNWAY-12H"))
    earlier = other.status.model_copy(update={"raised_date": DAY - days(3)})
    made = ticket_of([lead, other.model_copy(update={"status": earlier})])
    assert made.first_seen_date == DAY - days(3)


def test_a_comment_says_what_is_new_or_that_the_plan_has_changed() -> None:
    item = problem(finding())
    assert ticket_of([item], plan=log_plan()).update_text.startswith(f"New: {finding().title}.")
    status = item.status.model_copy(update={"state": ProblemState.lasting})
    standing = item.model_copy(update={"status": status})
    text = ticket_of([standing], plan=log_plan(changed_on=DAY)).update_text
    assert text.startswith("The plan has changed.")
    assert "Do: 16 x CYL(5825) by 16 Mar 2026" in text


def test_the_notified_day_of_a_plan_is_that_of_its_change_or_its_newest_problem() -> None:
    worse = problem(finding())
    later = {"raised_date": DAY, "notified_date": DAY + days(9)}
    worse = worse.model_copy(update={"status": worse.status.model_copy(update=later)})
    assert ticket_of([worse]).notified_date == DAY + days(9)
    assert ticket_of([worse], plan=log_plan()).notified_date == DAY
    changed = log_plan(changed_on=DAY + days(3))
    assert ticket_of([worse], plan=changed).notified_date == DAY + days(3)
