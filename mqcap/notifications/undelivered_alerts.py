"""What earlier mails were to tell and could not: one mail a run tells it with its own news.

A mail that waits while a later day has a mail for the same people is not sent as well: the later
one repeats its news, and its row says so.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import date

from mqcap.domain.delivery import Channel, Delivery, Stage
from mqcap.domain.problem import ProblemState
from mqcap.notifications.digest import Digest, Problem, ProblemGroup
from mqcap.store.database import Store
from mqcap.store.findings import read_findings
from mqcap.store.outbox import save_delivery, waiting_deliveries
from mqcap.store.problems import read_problems


def with_undelivered_alerts(engine: Store, said: Digest, dates: Collection[date]) -> Digest:
    """The digest with the news of those days: what is still open as news, what was settled too."""
    if not dates:
        return said
    then = {day: {one.key: one.state for one in read_problems(engine, day)} for day in dates}
    problem_days = read_problems(engine, said.site_date)
    settled = {one.key for one in problem_days if one.resolved_date in then}
    findings = read_findings(engine, said.site_date)
    back = [one for one in findings if f"{one.rule_id}/{one.subject}" in settled]
    groups = tuple(
        ProblemGroup(
            sysplex=group.sysplex,
            subject=group.subject,
            problems=tuple(_as_news(one, then) for one in group.problems),
        )
        for group in said.groups
    )
    return said.model_copy(update={"groups": groups, "resolved": (*said.resolved, *back)})


def merge_pending_mails(engine: Store, letter: Delivery) -> None:
    """Note that what waits for the same people of earlier days is told by this mail."""
    if letter.channel not in {Channel.mail, Channel.data}:
        return
    for one in waiting_deliveries(engine):
        same = (one.channel, one.recipient) == (letter.channel, letter.recipient)
        if same and one.site_date < letter.site_date and one.stage is Stage.pending:
            words = f"told by the mail of {letter.site_date}; {one.error or 'it was not tried'}"
            merged = {"stage": Stage.merged, "error": words}
            save_delivery(engine, one.model_copy(update=merged))


def _as_news(problem: Problem, then: dict[date, dict[str, ProblemState]]) -> Problem:
    status = problem.status
    if status.state is not ProblemState.lasting or status.notified_date not in then:
        return problem
    state = then[status.notified_date].get(status.key, status.state)
    return problem.model_copy(update={"status": status.model_copy(update={"state": state})})
