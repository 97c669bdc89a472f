"""Blocks of an email: the plan of one resource in at most four lines, the last one a link."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final, NamedTuple

from pydantic import BaseModel, ConfigDict

from mqcap.domain.finding import Severity
from mqcap.domain.forecast import Forecast
from mqcap.domain.plan import Plan
from mqcap.domain.problem import Problem, ProblemState
from mqcap.notifications.email_subject import brief
from mqcap.notifications.problem_group import ProblemGroup
from mqcap.notifications.problem_text import (
    named_quantity,
    series_link,
    series_link_words,
    state_text,
)
from mqcap.notifications.resources import resource_name
from mqcap.presentation.crossing_text import crossing_text
from mqcap.presentation.dates import short_day
from mqcap.presentation.due_dates import due_date_of
from mqcap.presentation.plans.text import change_lines, tier_lines
from mqcap.presentation.quantities import quantity
from mqcap.presentation.recommendation import recommendation
from mqcap.settings import AlertSettings

NEW: Final = "New or changed"
STANDING: Final = "Unchanged"
MOST_LINES: Final = 4
"""Lines of a block in the text part: why, what to do, what it takes, where to read more."""


class MailOutlook(NamedTuple):
    """Clauses about a problem's forecast, besides its finding; mostly empty."""

    moved: str = ""
    """Move of the date since the last notification, and its reason."""
    data_note: str = ""
    """That the forecast, or without one the measured figures, rest on incomplete data."""
    growth: str = ""
    """Growth of the figure and the parts with most of it; a sentence without its full stop."""


NO_OUTLOOK: Final = MailOutlook()


class PlanBlock(BaseModel):
    """The plan of one resource as an email shows it."""

    model_config = ConfigDict(frozen=True)

    key: str
    """Key of the problem that its chart shows."""
    severity: Severity
    """That of its plan."""
    resource: str
    status: str
    """``new``, ``changed since 20 Nov 2026``, ``since 3 Nov 2026``, or its acknowledgement."""
    why: str
    lines: tuple[str, ...]
    """What to do by when, what it takes, and what more buys; at most two."""
    link: str
    """Address of the chart that shows limit and date, else of the finding, or of the losses."""
    link_words: str
    ticket: str
    """Reference in the tracker; empty without one."""
    heading: str = ""
    """That of the part of the list which begins with it; empty elsewhere and for a single part."""
    brief: str
    """The same in one line, for a resource beyond the budget of blocks."""


def plan_block(
    group: ProblemGroup,
    alerts: AlertSettings,
    page_url: str,
    *,
    previous_date: date | None = None,
    ticket: str = "",
    outlook: MailOutlook | None = None,
) -> PlanBlock:
    """Return the block of a resource; without a plan it is about its most urgent finding.

    Args:
        group: The problems of the resource and its plan.
        alerts: Owners, lead times and freezes, for a resource without a plan.
        page_url: Address of the pages.
        previous_date: The evaluated day before, with which a change is compared.
        ticket: Reference of its ticket.
        outlook: What to add about the forecast of its worst rule.
    """
    lead, plan = group.lead, group.plan
    lines = _of_finding(lead, alerts) if plan is None else _of_plan(plan)
    return PlanBlock(
        key=lead.key,
        severity=group.severity,
        resource=resource_name(lead.key),
        status=status_words(group, previous_date),
        why=_why(group, outlook or NO_OUTLOOK),
        lines=_with_growth(lines[: MOST_LINES - 2], (outlook or NO_OUTLOOK).growth),
        link=series_link(page_url, lead),
        link_words=series_link_words(lead),
        ticket=ticket,
        brief=brief(group),
    )


def with_headings(blocks: Sequence[PlanBlock], groups: Sequence[ProblemGroup]) -> list[PlanBlock]:
    """Return the blocks of the groups with a heading where what is new ends, if both occur."""
    words = [NEW if group.is_new_or_changed else STANDING for group in groups]
    if len(set(words)) < len((NEW, STANDING)):
        return list(blocks)
    return [
        block.model_copy(update={"heading": word if word != before else ""})
        for block, word, before in zip(blocks, words, ["", *words], strict=False)
    ]


def data_note_of(forecast: Forecast | None) -> str:
    """Return that a forecast rests on incomplete data; empty without such and without it.

    Of a series that was refused a forecast it says so of the measured figures.
    """
    if forecast is None or not forecast.data_note:
        return ""
    what = "forecast" if forecast.refusal is None else "measured, not forecast,"
    return f"{what} on incomplete data: {forecast.data_note.rstrip('.')}"


def status_words(group: ProblemGroup, previous_date: date | None) -> str:
    """Return whether a resource is new, changed, acknowledged, or since when it stands.

    What is to act on and has no ticket says so: it is not production, or not yet probable enough.
    """
    words = _status(group, previous_date)
    has_ticket = any(one.becomes_ticket for one in group.problems)
    if group.severity is not Severity.act or has_ticket or group.is_acknowledged:
        return words
    is_production = any(one.is_production for one in group.problems)
    return f"{words}, no ticket yet" if is_production else f"{words}, no ticket: not production"


def _status(group: ProblemGroup, previous_date: date | None) -> str:
    if group.is_new_or_changed:
        states = {problem.state for problem in group.problems}
        if states == {ProblemState.new}:
            return "new"
        if states <= {ProblemState.new, ProblemState.reopened}:
            return "back"
        return f"changed since {short_day(previous_date)}" if previous_date else "changed"
    if group.is_acknowledged:
        return state_text(group.lead.status)
    since = f"since {short_day(min(map(_raised, group.problems)))}"
    is_better = all(problem.state is ProblemState.improving for problem in group.problems)
    return f"better, {since}" if is_better else since


def _raised(problem: Problem) -> date:
    return problem.status.raised_date or problem.status.first_seen_date


def _why(group: ProblemGroup, outlook: MailOutlook) -> str:
    """Return what is wrong and when; a date of another rule than that of the sentence names it.

    The rule of a plan's sentence has no problem of its own where another one reports its cause.
    """
    lead, finding, plan = group.lead, group.lead.finding, group.plan
    date_text = "" if finding.is_of_loss else str(crossing_text(lead.crossing, finding))
    when = _joined((date_text, outlook.moved, outlook.data_note))
    if plan is None:
        limit = quantity(finding.limit_value, finding.unit).full
        measured = named_quantity(finding, finding.observed)
        return f"{_joined((f'{finding.title}: {measured}, limit {limit}', when))}."
    if when and plan.worst_rule and lead.key != f"{plan.worst_rule}/{plan.worst_subject}":
        when = f"{finding.rule_id}: {when}"
    return f"{_joined((plan.summary.rstrip('.'), when))}."


def _of_finding(problem: Problem, alerts: AlertSettings) -> list[str]:
    due = due_date_of(problem, alerts)
    owner = alerts.owner_of(problem.finding.subject)
    verb = "Do" if problem.finding.changes else "Decide"
    by = f"{verb} by {short_day(due.date)}{f' ({owner})' if owner else ''}: " if due else ""
    text = recommendation(problem.finding, problem.crossing)
    return [f"{by}{text}"] if text else []


def _of_plan(plan: Plan) -> list[str]:
    """Return what to do and what it takes, which ends with what more buys."""
    first, *takes = change_lines(plan, with_bound=False)[: MOST_LINES - 2]
    more = (f"{line}." for line in tier_lines(plan))
    return [first, *filter(None, (" ".join((*takes, *more)),))]


def _with_growth(lines: Sequence[str], growth: str) -> tuple[str, ...]:
    """Return the lines with the growth as the last one, or behind the last where they are full."""
    if not growth:
        return tuple(lines)
    if len(lines) < MOST_LINES - 2:
        return (*lines, f"{growth}.")
    return (*lines[:-1], f"{lines[-1].rstrip('.')}. {growth}.")


def _joined(parts: Iterable[str]) -> str:
    return "; ".join(filter(None, parts))
