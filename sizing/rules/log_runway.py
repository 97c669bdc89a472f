"""Time for which the active logs last when archiving stops at the worst moment.

A queue manager that cannot archive reuses no log; when the last one is full it stops
persistent work. The time until then is what an operator has to mend a tape library or free
archive volumes. It is another question than the time to fill one log.

The load is what was measured hour by hour, from the start that fills the logs first; the log in use
may be almost full at that moment, so the others must last.
"""

from typing import Annotated, Final

from pydantic import AfterValidator

from mqcap.domain.busiest_hours import BusiestHours
from mqcap.domain.finding import Change
from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedKind
from mqcap.domain.units import SECONDS_PER_HOUR, Amount
from sizing.log_space import (
    GROWTH,
    GROWTH_RECORD,
    LOG_CAP_ALLOCATED_MIB,
    LOGS_MAX,
    RUNWAY_MIN_H,
    ActiveLogs,
    Dual,
    LogCount,
    LogSize,
    logs_holding,
)
from sizing.rulebook.assessment import LONGEST_H, Inputs, Lasting
from sizing.rulebook.input_sources import FromHours, FromMetric
from sizing.rulebook.registry import rule
from sizing.sources import messaging_blog

RUNWAY_ADVISED_H: Final = 24

BY_HOUR: Final = (
    "The busiest hours are those of the window as measured; across a gap in the records no hours "
    "are joined, and what takes longer than the longest run without a gap is taken as that run "
    "again and again, which understates the time."
)
BY_RATE: Final = (
    "The lake has no hourly values of this window: every hour is taken to be as busy as the 95th "
    "percentile of a day's hours on the busiest day, which understates the time."
)
CAVEATS: Final = (
    (
        "Logs not yet archived when archiving stops shorten it further: one log, the one in use, "
        "is left out."
    ),
    (
        f"IBM advises {RUNWAY_MIN_H} to {RUNWAY_ADVISED_H} hours as a guideline; below "
        f"{RUNWAY_MIN_H} is counted as a breach."
    ),
)


def _long_enough(hours: BusiestHours | None) -> BusiestHours | None:
    """Return measured hours; raises ValueError where no run of them is as long as the limit."""
    if hours is not None and hours.longest_h < RUNWAY_MIN_H:
        raise ValueError(
            f"the longest run of measured hours without a gap is {hours.longest_h} h, and "
            f"{RUNWAY_MIN_H} h are needed: the rule is about the busiest {RUNWAY_MIN_H} h in a row"
        )
    return hours


class RunwayInputs(Inputs):
    """The active logs as configured, and the load that they must hold.

    Measured hours have a run of 12 without a gap: fewer hold no 12 hours that logs could be sized
    for.
    """

    log_size_mib: LogSize
    active_logs: LogCount
    sustained_rate_mib_per_s: Annotated[
        Amount, FromMetric(GROWTH, Statistic.p95, record=GROWTH_RECORD)
    ]
    busiest_hours: Annotated[
        BusiestHours | None, FromHours(GROWTH, GROWTH_RECORD), AfterValidator(_long_enough)
    ] = None
    dual_logging: Dual = None

    @property
    def load(self) -> BusiestHours:
        """The busiest hours; without any, all hours at the sustained rate."""
        return self.busiest_hours or BusiestHours.at_rate(self.sustained_rate_mib_per_s)


class Runway(Lasting):
    """Hours until the logs are full, from the worst start; ``None`` when nothing is logged."""

    runway_h: float | None


@rule(
    "LOG-RUNWAY-12H",
    "Time until all active logs are full when archiving stops",
    messaging_blog("Does your z/OS queue manager have enough active log space? And how to fix it"),
    ResourceKind.active_log,
    watches="sustained_rate_mib_per_s",
    longest=LONGEST_H,
    amounts=(TypedKind.cylinders, TypedKind.more_data_sets, TypedKind.queue_managers),
)
def log_runway_12h(inputs: RunwayInputs) -> Runway:
    """The active logs but one must last 12 hours from the worst start; exactly 12 is enough."""
    load, capacity = inputs.load, (inputs.active_logs - 1) * inputs.log_size_mib
    hours = load.hours_to_fill(capacity)
    needed = load.volume_mib(RUNWAY_MIN_H)
    logs = f"({inputs.active_logs} - 1) logs x {figure(inputs.log_size_mib)} MiB"
    lasts, rate = _hours(hours), inputs.sustained_rate_mib_per_s
    # the sustained rate at which the busiest 12 hours would fill the logs exactly
    is_idle = not needed or not rate
    limit = capacity / (RUNWAY_MIN_H * SECONDS_PER_HOUR) if is_idle else rate * capacity / needed
    shape = (
        f"limit of the rate = {figure(rate)} MiB/s (95th percentile of the hours of the busiest "
        f"day) x {figure(capacity)} / {figure(needed)} MiB = {figure(limit)} MiB/s "
        f"({figure(limit * SECONDS_PER_HOUR)} MiB an hour): at that rate, with the shape of the "
        f"day as it is, the busiest {RUNWAY_MIN_H} h hold {figure(capacity)} MiB"
    )
    return Runway(
        observed=LONGEST_H if hours is None else min(hours, LONGEST_H),
        limit=RUNWAY_MIN_H,
        unit="h",
        series_limit=limit,
        summary=f"{lasts} of {RUNWAY_MIN_H} h: if archiving stops at the worst moment, {logs} last "
        f"{lasts}; {RUNWAY_MIN_H} to {RUNWAY_ADVISED_H} hours are advised.",
        runway_h=hours,
        arithmetic=(
            f"all active logs but the one in use = {logs} = {figure(capacity)} MiB",
            f"logged in the busiest {RUNWAY_MIN_H} h = {figure(needed)} MiB",
            f"runway = {figure(capacity)} MiB from the worst start = {lasts}",
            *(() if is_idle else (shape,)),
        ),
        advice="Nothing to change: the active logs bridge an archive outage of 12 hours or more.",
        caveats=(*CAVEATS, BY_HOUR if inputs.busiest_hours is not None else BY_RATE),
    ).past_limit(_advice(needed), lambda: _changes(inputs, load, needed), also_near=False)


def _hours(hours: float | None) -> str:
    if hours is None or hours >= LONGEST_H:
        return f"{LONGEST_H} h or more"
    return f"{figure(round(hours, 1))} h"


def _advice(needed_mib: float) -> str:
    if needed_mib <= (LOGS_MAX - 1) * LOG_CAP_ALLOCATED_MIB:
        return (
            "Make the active logs larger first, because fewer switches mean fewer checkpoints; "
            "add logs for what is still missing."
        )
    return (
        f"Even {LOGS_MAX} logs of 4 GiB, the most a queue manager can have, do not last 12 hours: "
        "define them, compress the log, and spread the persistent load over more queue managers."
    )


def _changes(inputs: RunwayInputs, load: BusiestHours, needed_mib: float) -> tuple[Change, ...]:
    configured = ActiveLogs(inputs.log_size_mib, inputs.active_logs, inputs.dual_logging)

    def lasting(logs: ActiveLogs) -> float:
        return load.hours_to_fill(((logs.logs or 0) - 1) * logs.size_mib) or LONGEST_H

    def gain(before_h: float, after_h: float) -> str:
        return (
            f"the logs then last {_hours(after_h)} instead of {_hours(before_h)}, "
            f"{after_h - before_h:.1f} h more"
        )

    return logs_holding(
        configured,
        needed_mib,
        gain(lasting(configured), RUNWAY_MIN_H),
        lambda before, after: gain(lasting(before), lasting(after)),
    )
