"""Table of what is, or will be, over its limit, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

from mqcap.domain.finding import Severity
from mqcap.domain.metric import UNKNOWN_SYSPLEX
from mqcap.presentation.count_text import check_words, urgent_words, waiting_words
from mqcap.presentation.fleet import FleetLine, fleet_on
from mqcap.presentation.listing import Listing
from mqcap.presentation.losses.lines import one_of_each_loss
from mqcap.presentation.losses.plan import plans_of_losses
from mqcap.presentation.missing_inputs import is_waiting
from mqcap.presentation.plans.cells import text_for_rule
from mqcap.reports.tables import PlansOfLines
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.losses import read_losses
from mqcap.store.plans import read_plans

SUGGESTIONS_MAX: Final = 5
"""Suggestions named below the table."""
COLOUR: Final = {Severity.act: "red", Severity.watch: "yellow", Severity.unknown: "cyan"}


def table(settings: Settings, engine: Store, day: date) -> Listing:
    """Return one row per finding that is not in order, most urgent first.

    Below the table are suggestions by name, since nothing of theirs is over a limit, and the number
    of checks that only lack records, which the table of data names. Those without a setting or
    record are in ``missing_inputs``.
    """
    every = read_losses(engine, day)
    lines = one_of_each_loss(fleet_on(settings, engine, day), every)
    not_in_order = _over_limit(lines)
    waiting = sum(line.finding.is_data_incomplete for line in not_in_order)
    shown = [
        line
        for line in not_in_order
        if not (line.finding.is_data_incomplete or is_waiting(line.finding))
    ]
    plans = read_plans(engine, day)
    of_lines = PlansOfLines([*plans, *plans_of_losses(every)])
    suggested = [line for line in lines if line.finding.severity is Severity.suggestion]
    return Listing(
        title=f"Over the limit now, or soon: {day.isoformat()} ({settings.site.timezone})",
        headings=("severity", "subject", "rule", "observed", "limit", "date", "change"),
        rows=tuple(_row(line, of_lines) for line in shown),
        caption=(
            f"{urgent_words(lines, plans)}. {check_words(lines)}.{_waiting_words(waiting)}"
            f"{_caption(suggested, not_in_order)}"
        ),
        styles={severity.value: colour for severity, colour in COLOUR.items()},
        name_count=2,
    )


def findings_table(lines: Sequence[FleetLine], title: str) -> Listing:
    """Return one row per finding, without changes."""
    of_lines = PlansOfLines(())
    return Listing(
        title=title,
        headings=("severity", "subject", "rule", "observed", "limit", "date"),
        rows=tuple(_row(line, of_lines)[:-1] for line in lines),
        caption=f"{check_words(lines)}.",
        styles={severity.value: colour for severity, colour in COLOUR.items()},
        name_count=2,
    )


def shown_lines(settings: Settings, engine: Store, day: date) -> list[FleetLine]:
    """Return the findings of the rows, in their order."""
    losses = read_losses(engine, day)
    return _over_limit(one_of_each_loss(fleet_on(settings, engine, day), losses))


def _over_limit(lines: Iterable[FleetLine]) -> list[FleetLine]:
    return [line for line in lines if line.finding.severity in COLOUR]


def _row(line: FleetLine, plans: PlansOfLines) -> tuple[str, ...]:
    finding = line.finding
    return (
        finding.severity.value,
        finding.subject,
        line.rule_words,
        line.observed.full + (f"; now {line.now}" if line.now else ""),
        line.limit.full,
        str(line.when),
        _change(line, plans),
    )


def _change(line: FleetLine, plans: PlansOfLines) -> str:
    """Return the change of the plan of the finding's resource; without a plan the advice."""
    plan = plans.of(line)
    return line.recommendation if plan is None else text_for_rule(plan, *line.key)


def _waiting_words(count: int) -> str:
    if not count:
        return ""
    return f"\n{waiting_words(count)} (see Data, below; `mqcap findings` lists them)."


def _caption(suggested: Sequence[FleetLine], every: Iterable[FleetLine]) -> str:
    text = ""
    if suggested:
        keys = (" ".join(line.key) for line in suggested[:SUGGESTIONS_MAX])
        more = len(suggested) - SUGGESTIONS_MAX
        text += (
            f"\nSuggestions, nothing breaks (mqcap explain RULE SUBJECT says more): "
            f"{', '.join(keys)}{f' and {more} more' if more > 0 else ''}."
        )
    if any(line.sysplex == UNKNOWN_SYSPLEX for line in every):
        text += (
            f"\n{UNKNOWN_SYSPLEX} is the sysplex of systems that no record and no setting names: "
            "list the SMF ids of its systems under estate, smfids (`mqcap estate discover` writes "
            "a first version)."
        )
    return text
