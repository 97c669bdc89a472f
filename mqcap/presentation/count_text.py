"""Counts of findings, plans, checks and feeds: the same words in email, page, reports, terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mqcap.domain.feed import FeedDay
from mqcap.domain.finding import Severity
from mqcap.domain.numbers import counted
from mqcap.domain.plan import Plan
from mqcap.losses.text.tables import is_of_urgent_loss
from mqcap.presentation import labels
from mqcap.presentation.fleet import Filters, FleetLine, chosen, counts

_URGENT = (Severity.act, Severity.watch)


def urgent_words(lines: Sequence[FleetLine], plans: Sequence[Plan]) -> str:
    """Return how many findings are to act on and to watch, in how many plans, and losses likewise.

    ``8 Act, 14 Watch findings in 9 plans and 1 Act, 1 Watch losses (production); all: 9 / 15 in 11
    plans and 1 / 2 losses``: production is what the filters pass unless the reader asks otherwise.
    Losses at Act or Watch, one line each, are neither among the findings nor in the plans; without
    any they are left out.
    """
    lost = [line for line in lines if is_of_urgent_loss(line)]
    others = [line for line in lines if not is_of_urgent_loss(line)]
    production, every = chosen(others, Filters()), counts(others)
    second = " / ".join(str(every[level]) for level in _URGENT)
    own = sum(plan.is_production for plan in plans)
    words = f"{_by_level(production)} findings in {counted(own, 'plan')}"
    everything = f"{second} in {counted(len(plans), 'plan')}"
    if lost:
        every_lost = counts(lost)
        words += f" and {_by_level(chosen(lost, Filters()))} losses"
        everything += f" and {' / '.join(str(every_lost[level]) for level in _URGENT)} losses"
    return f"{words} (production); all: {everything}"


def _by_level(lines: Iterable[FleetLine]) -> str:
    found = counts(lines)
    return ", ".join(f"{found[level]} {labels.SEVERITY_LABELS[level]}" for level in _URGENT)


def plan_count_words(plans: Sequence[Plan]) -> str:
    """Return how many plans there are: ``12 plans (production); all: 13``."""
    own = sum(plan.is_production for plan in plans)
    return f"{counted(own, 'plan')} (production); all: {len(plans)}"


def check_words(lines: Sequence[FleetLine]) -> str:
    """Return how many checks need nothing, of production as the findings, then of all classes.

    ``204 checks in order, 7 suggestions, 1 not checked (production); all: 212 / 7 / 1``; what does
    not occur in any class is left out, but for what is in order.
    """
    own, every = counts(chosen(lines, Filters())), counts(lines)
    words = {
        Severity.ok: f"{counted(own[Severity.ok], 'check')} in order",
        Severity.suggestion: counted(own[Severity.suggestion], "suggestion"),
        Severity.unknown: f"{own[Severity.unknown]} not checked",
    }
    shown = [level for level in words if every[level] or level is Severity.ok]
    production = ", ".join(words[level] for level in shown)
    return f"{production} (production); all: {' / '.join(str(every[level]) for level in shown)}"


def waiting_words(count: int) -> str:
    """Return how many checks only lack records: ``3 checks wait for records that …``."""
    verb = "waits" if count == 1 else "wait"
    return f"{counted(count, 'check')} {verb} for records that have not arrived"


def data_words(findings: Iterable[FeedDay]) -> str:
    """Return how many feeds lack records, and how many figures two sources have differently.

    ``2 feeds of records incomplete, 1 figure differs between two sources``; empty without any.
    """
    kinds = [finding.is_incomplete for finding in findings]
    missing, differing = kinds.count(True), kinds.count(False)
    verb = "differs" if differing == 1 else "differ"
    parts = [
        f"{counted(missing, 'feed')} of records incomplete" if missing else "",
        f"{counted(differing, 'figure')} {verb} between two sources" if differing else "",
    ]
    return ", ".join(filter(None, parts))
