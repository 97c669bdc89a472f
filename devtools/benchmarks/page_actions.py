"""What follows from the findings of the page's benchmark: a plan, problems and a ticket each."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from sqlalchemy import Engine

from devtools.benchmarks.page_rows import StoreSize, judged
from mqcap.domain.finding import Severity
from mqcap.domain.plan import Plan, PlanChange, PlanCost, PlanRule
from mqcap.domain.problem import ProblemDay, ProblemState
from mqcap.domain.ticket import Ticket
from mqcap.notifications.resources import resource_path
from mqcap.store.plans import read_plans, replace_plans
from mqcap.store.problems import replace_problems
from mqcap.store.tickets import save_ticket

RULE: Final = "LOG-FILL-30MIN"
BACKEND: Final = "embedded"


def fill_actions(engine: Engine, size: StoreSize, day: date) -> None:
    """Write plans and tickets of all active logs and the urgent findings' problems, once."""
    if read_plans(engine, day):
        return
    replace_plans(engine, day, _plans(size, day))
    problems = list(_problems(size, day))
    replace_problems(engine, day, problems)
    for problem in problems:
        if problem.key.startswith(RULE):
            save_ticket(engine, _ticket(problem), BACKEND)


def _plans(size: StoreSize, day: date) -> Iterator[Plan]:
    for name in size.managers():
        subject = f"PLEX1/{name}"
        change = PlanChange(subject=subject, text="Define 12 active logs of 4,854 MiB.",
                            typed="12 x CYL(5825)", settings={"active_logs": 12},
                            before={"active_logs": 6}, decided_by=(RULE,))  # fmt: skip
        rule = PlanRule(rule_id=RULE, subject=subject, title="Time to fill one active log",
                        is_mandatory=True, before=Severity.watch, after=Severity.ok,
                        before_text="A log lasts 33 min of 30 min.",
                        after_text="A log lasts 66 min of 30 min.")  # fmt: skip
        yield Plan(
            resource=resource_path(f"{RULE}/{subject}"), label=f"{name} active logs",
            kind="active_log", owner_subject=subject, site_date=day, severity=Severity.watch,
            is_feasible=True, summary="a log lasts 33 min of 30 min.", worst_rule=RULE,
            worst_subject=subject, rules=(rule,), changes=(change,), made_on=day,
            cost=PlanCost(cylinders=69_900, dasd_mib=56_630, work_hours=4, weighted=60_000),
            earliest_date=day + timedelta(days=14), due_date=day + timedelta(days=26),
            horizon_date=day + timedelta(days=180), confidence=0.9,
            lasts_until=day + timedelta(days=200),
        )  # fmt: skip


def _problems(size: StoreSize, day: date) -> Iterator[ProblemDay]:
    for finding in judged(size, day).findings:
        if finding.severity is Severity.watch:
            key = f"{finding.rule_id}/{finding.subject}"
            yield ProblemDay(key=key, site_date=day, state=ProblemState.lasting,
                             severity=Severity.watch, over=False, resource=resource_path(key),
                             first_seen_date=day - timedelta(days=9),
                             raised_date=day - timedelta(days=7))  # fmt: skip


def _ticket(problem: ProblemDay) -> Ticket:
    return Ticket(dedupe_key=problem.resource, severity=problem.severity,
                  title=f"{problem.resource}: a limit", body="Define larger logs.",
                  first_seen_date=problem.first_seen_date, last_seen_date=problem.site_date,
                  members=(problem.key,))  # fmt: skip
