"""Time for which all active logs together last when archiving stops.

A queue manager that cannot archive reuses no log; when the last one is full it stops
persistent work. The time until then is what an operator has to mend a tape library or free
archive volumes. It is another question than the time to fill one log.
"""

from __future__ import annotations

import math
from typing import Annotated, Final

from pydantic import Field, NonNegativeFloat, PositiveFloat

from mqcap.domain.finding import Change, Citation
from mqcap.domain.metric import Statistic, SubjectKind
from mqcap.domain.numbers import duration, figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedKind
from mqcap.domain.units import SECONDS_PER_HOUR
from sizing.log_space import (
    LOG_CAP_ALLOCATED_MIB,
    LOG_CAP_CYLINDERS,
    LOG_CAP_MIB,
    LOGS_MAX,
    ActiveLogs,
    add_logs,
    cylinders_for,
    resize,
    spread,
)
from sizing.rulebook.assessment import Assessment, Inputs
from sizing.rulebook.entry import RuleTraits
from sizing.rulebook.input_sources import FromEstate, FromMetric
from sizing.rulebook.registry import rule

CITATION: Final = Citation(
    document="IBM Messaging blog, 27 April 2017",
    section="Does your z/OS queue manager have enough active log space? And how to fix it",
)
RUNWAY_MIN_S: Final = 12 * SECONDS_PER_HOUR  # "12-24 hours"; breach below the lower figure

CAVEATS: Final = (
    (
        "Counted from empty logs: the log in use and logs not yet archived when archiving stops "
        "shorten it."
    ),
    (
        "The sustained rate is the 95th percentile of a day's hourly means on the busiest day of "
        "the window; at the peak all logs are full sooner."
    ),
    "IBM advises 12 to 24 hours; below 12 is counted as a breach.",
)


class RunwayInputs(Inputs):
    """The active logs as configured, and the rate that the load sustains."""

    log_size_mib: Annotated[
        PositiveFloat,
        Field(le=LOG_CAP_MIB),
        FromEstate("active_log_size_mib", "DISPLAY LOG or a print of the BSDS"),
    ]
    active_logs: Annotated[int, Field(ge=2, le=LOGS_MAX), FromEstate("active_logs", "DISPLAY LOG")]
    sustained_rate_mib_per_s: Annotated[
        NonNegativeFloat,
        FromMetric("log_growth_mib_per_s", Statistic.p95, record="SMF 115 subtype 1"),
    ]
    dual_logging: Annotated[bool | None, FromEstate("dual_logging", "DISPLAY LOG")] = None


class Runway(Assessment):
    """Hours until all active logs are full; ``None`` when nothing is logged."""

    runway_h: float | None


@rule(
    "LOG-RUNWAY-12H",
    "Time until all active logs are full when archiving stops",
    CITATION,
    RuleTraits(
        subject_kind=SubjectKind.queue_manager,
        resource=ResourceKind.active_log,
        watches="sustained_rate_mib_per_s",
        amounts=(
            TypedKind.cylinders,
            TypedKind.more_data_sets,
            TypedKind.queue_managers,
        ),
    ),
)
def log_runway_12h(inputs: RunwayInputs) -> Runway:
    """All active logs together must last 12 hours; exactly 12 is enough."""
    rate = inputs.sustained_rate_mib_per_s
    total = inputs.active_logs * inputs.log_size_mib
    limit = total / RUNWAY_MIN_S
    seconds = total / rate if rate else None
    lasts = duration(seconds) if seconds else "for ever"
    all_logs = f"{inputs.active_logs} logs x {figure(inputs.log_size_mib)} MiB"
    return Runway(
        observed=rate,
        limit=limit,
        unit="MiB/s",
        summary=f"if archiving stops, {all_logs} last {lasts} at the sustained {figure(rate)} "
        "MiB/s; 12 to 24 hours are advised.",
        runway_h=seconds / SECONDS_PER_HOUR if seconds else None,
        arithmetic=(
            f"all active logs = {all_logs} = {figure(total)} MiB",
            f"limit = {figure(total)} MiB / {RUNWAY_MIN_S} s = {figure(limit)} MiB/s",
            f"runway = {figure(total)} MiB / {figure(rate)} MiB/s = {lasts}",
        ),
        states_limit=True,
        advice=_advice(rate > limit, rate),
        changes=_changes(inputs) if rate > limit else (),
        caveats=CAVEATS,
    )


def _advice(breach: bool, rate_mib_per_s: float) -> str:
    if not breach:
        return "Nothing to change: the active logs bridge an archive outage of 12 hours or more."
    if rate_mib_per_s * RUNWAY_MIN_S <= LOGS_MAX * LOG_CAP_ALLOCATED_MIB:
        return (
            "Make the active logs larger first, because fewer switches mean fewer checkpoints; "
            "add logs for what is still missing."
        )
    return (
        f"Even {LOGS_MAX} logs of 4 GiB, the most a queue manager can have, do not last 12 hours: "
        "define them, compress the log, and spread the persistent load over more queue managers."
    )


def _changes(inputs: RunwayInputs) -> tuple[Change, ...]:
    """Larger logs as far as they go, then more of them, with the hours gained."""
    rate, count = inputs.sustained_rate_mib_per_s, inputs.active_logs
    configured = ActiveLogs(inputs.log_size_mib, count, inputs.dual_logging)
    before = count * configured.size_mib / rate
    each = rate * RUNWAY_MIN_S / count
    if cylinders_for(each) is not None:
        return (resize(configured, each, _gain(before, RUNWAY_MIN_S)),)
    changes: list[Change] = []
    if (cylinders_for(configured.size_mib) or LOG_CAP_CYLINDERS) < LOG_CAP_CYLINDERS:
        larger = count * LOG_CAP_ALLOCATED_MIB / rate
        changes.append(resize(configured, LOG_CAP_ALLOCATED_MIB, _gain(before, larger)))
        before = larger
    logs = min(math.ceil(rate * RUNWAY_MIN_S / LOG_CAP_ALLOCATED_MIB), LOGS_MAX)
    full = ActiveLogs(LOG_CAP_ALLOCATED_MIB, count, inputs.dual_logging)
    if logs > count:
        changes.append(add_logs(full, logs, _gain(before, logs * LOG_CAP_ALLOCATED_MIB / rate)))
    if logs * LOG_CAP_ALLOCATED_MIB / rate < RUNWAY_MIN_S:
        managers = math.ceil(rate * RUNWAY_MIN_S / (LOGS_MAX * LOG_CAP_ALLOCATED_MIB))
        changes.append(spread(managers))
    return tuple(changes)


def _gain(before_s: float, after_s: float) -> str:
    gained = f"{(after_s - before_s) / SECONDS_PER_HOUR:.1f} h more"
    return f"all logs then last {duration(after_s)} instead of {duration(before_s)}, {gained}"
