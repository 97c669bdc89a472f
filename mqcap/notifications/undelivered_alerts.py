"""Alerts of earlier emails that were not delivered: a run's one email repeats them with its own.

An email that is still pending when a later day has an email for the same recipients is merged: the
later email repeats its alerts, and the row of the earlier one says so.
"""

from collections.abc import Collection
from datetime import date

from mqcap.domain.delivery import Channel, Delivery, Stage
from mqcap.domain.problem import Problem, ProblemState
from mqcap.notifications.digest import Digest
from mqcap.store.database import Store
from mqcap.store.findings import read_findings
from mqcap.store.outbox import save_delivery, waiting_deliveries
from mqcap.store.problems import read_problems


def with_undelivered_alerts(engine: Store, digest: Digest, dates: Collection[date]) -> Digest:
    """Return the digest with the alerts of those days.

    What was new or worse then and is still open is shown as such; what was resolved then is
    listed as resolved.
    """
    if not dates:
        return digest
    earlier_states = {
        day: {problem.key: problem.state for problem in read_problems(engine, day)} for day in dates
    }
    today = read_problems(engine, digest.site_date)
    resolved_keys = {problem.key for problem in today if problem.resolved_date in earlier_states}
    resolved = [
        finding
        for finding in read_findings(engine, digest.site_date)
        if finding.key in resolved_keys
    ]
    groups = []
    for group in digest.groups:
        problems = tuple(_with_earlier_state(each, earlier_states) for each in group.problems)
        was_changed = group.changed_on in dates and not group.is_acknowledged
        update = {"problems": problems, "is_plan_changed": group.is_plan_changed or was_changed}
        groups.append(group.model_copy(update=update))
    changes = {"groups": tuple(groups), "resolved": (*digest.resolved, *resolved)}
    return digest.model_copy(update=changes)


def merge_pending_mails(engine: Store, mail: Delivery) -> None:
    """Mark pending emails of earlier days to the same recipients as merged into this one."""
    if mail.channel not in {Channel.mail, Channel.data}:
        return
    for waiting in waiting_deliveries(engine):
        has_same_readers = (waiting.channel, waiting.recipient) == (mail.channel, mail.recipient)
        is_earlier = waiting.site_date < mail.site_date
        if has_same_readers and is_earlier and waiting.stage is Stage.pending:
            cause = waiting.error or "no attempt was made to send it"
            error = f"merged into the email of {mail.site_date}; {cause}"
            merged = {"stage": Stage.merged, "error": error}
            save_delivery(engine, waiting.model_copy(update=merged))


def _with_earlier_state(
    problem: Problem, earlier_states: dict[date, dict[str, ProblemState]]
) -> Problem:
    status = problem.status
    notified = status.notified_date
    if status.state is not ProblemState.lasting or notified not in earlier_states:
        return problem
    state = earlier_states[notified].get(status.key, status.state)
    return problem.model_copy(update={"status": status.model_copy(update={"state": state})})
