"""Effects at what one unit costs by the site's own data: MiB archived, transactions accounted."""

from __future__ import annotations

from collections.abc import Iterator

from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import figure
from mqcap.domain.unit_cost import UnitCostKind
from mqcap.domain.units import MIB_BYTES, SECONDS_PER_MINUTE
from mqcap.judging.evaluate import DayFacts
from mqcap.losses.carried.taken_load import highest
from mqcap.unit_costs.channel_cost import learnt_line
from mqcap.whatif.effects import SeriesChange, SeriesEffect
from mqcap.whatif.learnt_costs import find_used, why_not_learnt
from mqcap.whatif.parts import ConfigurationChange


def archive_time(
    facts: DayFacts, change: ConfigurationChange, size: float
) -> Iterator[SeriesEffect]:
    """Yield the time to archive a log of another size: at the learnt rate, else in step with it."""
    subject, metric = change.subject, "log_archive_min"
    if not facts.observed.days(metric, subject):
        return
    rate = find_used(facts, UnitCostKind.archive_mib_per_s, subject)
    if rate is not None:
        minutes = size / rate.value / SECONDS_PER_MINUTE
        line = (
            f"archive time = {figure(size)} MiB / {figure(rate.value)} MiB/s / "
            f"{SECONDS_PER_MINUTE} = {figure(minutes)} min"
        )
        measured = SeriesChange(factor=0.0, addition=minutes)
        yield SeriesEffect(metric, subject, measured, (learnt_line(rate), line))
        return
    manager = facts.estate.queue_manager(*subject.split("/"))
    before = manager.active_log_size_mib if manager else None
    if before is None:
        return
    factor = size / before
    line = (
        f"archive time x {figure(size)} / {figure(before)} MiB = archive time x {figure(factor)}, "
        f"in step with the size of a log (first estimate, ours)"
        f"{why_not_learnt(facts, UnitCostKind.archive_mib_per_s, subject)}"
    )
    yield SeriesEffect(metric, subject, SeriesChange(factor=factor), (line,))


def accounting_volume(
    facts: DayFacts, change: ConfigurationChange, tasks: float
) -> Iterator[SeriesEffect]:
    """Yield the accounting volume of another number of transactions, each as measured."""
    subject, volume, counted = change.subject, "accounting_mib_per_day", "accounting_tasks_per_day"
    measured = [highest(facts, (metric, subject), Statistic.mean) for metric in (volume, counted)]
    mib, before = measured
    if not mib or not before:
        return
    each = mib * MIB_BYTES / before
    line = (
        f"volume = {figure(tasks)} transactions x {figure(each)} bytes / {MIB_BYTES}, measured: "
        f"{figure(mib)} MiB a day of {figure(before)} transactions"
    )
    factor = tasks / before
    yield SeriesEffect(volume, subject, SeriesChange(factor=factor), (line,))
    yield SeriesEffect(counted, subject, SeriesChange(factor=factor), (line,))
