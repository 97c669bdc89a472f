"""Effects of another size, count or limit under the same load.

What is in use stays the same amount, so its share of another size is the old share x old / new
size; load on tasks spreads evenly over them. Both are first estimates of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import figure
from mqcap.domain.unit_cost import UnitCostKind
from mqcap.domain.units import KIB_BYTES, MIB_BYTES, PAGE_BYTES, SECONDS_PER_MINUTE
from mqcap.judging.evaluate import DayFacts
from mqcap.operands.declared import SETTINGS
from mqcap.unit_costs.channel_cost import learnt_line
from mqcap.whatif.channels import added_storage, chinit_of
from mqcap.whatif.copies import copies_of
from mqcap.whatif.effects import (
    CalculatorResult,
    DerivedFigure,
    PartEffects,
    SeriesChange,
    SeriesEffect,
    calculate,
    facility_of,
    last_day,
    not_measured,
    number,
    peak_of,
    total_of,
)
from mqcap.whatif.learnt_costs import find_used, why_not_learnt
from mqcap.whatif.parts import ConfigurationChange
from sizing.rulebook.registry import get


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
    measured = [
        facts.observed.highest(metric, subject, Statistic.mean) for metric in (volume, counted)
    ]
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


_OURS: Final = "first estimate, ours"
COUNTS: Final = {key: setting.measured for key, setting in SETTINGS.items() if setting.measured}
"""Measured sizes, counts and limits that the new value replaces."""
TASKS: Final = ("adapters", "dispatchers", "ssltasks")
"""Settings of tasks of a channel initiator, each of which takes 31-bit storage."""
_LOGLOAD_DEFAULT: Final = 500_000
_DEFERRED_FROM_PCT: Final = 85
_SYNCHRONOUS_FROM_PCT: Final = 95
_NONE_FREE_PCT: Final = 100

Outcome = SeriesEffect | DerivedFigure


def sizes_of(facts: DayFacts, change: ConfigurationChange) -> PartEffects:
    """Return the effects of the sizes, counts and limits that a change sets.

    Raises:
        ConfigurationError: a series that the change needs is not measured.
    """
    outcomes: list[Outcome] = []
    for key, value in change.settings.items():
        if key in COUNTS:
            outcomes += _replaced(facts, change.subject, key, number(value))
        if key in _OTHERS:
            outcomes += _OTHERS[key](facts, change, number(value))
    return PartEffects(
        tuple(each for each in outcomes if isinstance(each, SeriesEffect)),
        tuple(each for each in outcomes if isinstance(each, DerivedFigure)),
    )


def _replaced(facts: DayFacts, subject: str, key: str, after: float) -> Iterator[Outcome]:
    """Yield the new value of a measured size, and what becomes of its shares."""
    metric = COUNTS[key]
    before = last_day(facts, metric, subject).peak
    line = f"{figure(after)} instead of {figure(before)}, as stated in the scenario"
    yield SeriesEffect(metric, subject, SeriesChange(factor=0.0, addition=after), (line,))
    for share in SETTINGS[key].shares:
        yield from _scaled(facts, share, subject, before, after)


def _scaled(
    facts: DayFacts, metric: str, subject: str, before: float, after: float, unit: str = ""
) -> Iterator[SeriesEffect]:
    """Yield the share of another size, where it is measured."""
    if not facts.observed.days(metric, subject):
        return
    factor = before / after
    line = (
        f"share x {figure(before)} / {figure(after)}{unit} = share x {figure(factor)}: the amount "
        f"in use stays the same ({_OURS})"
    )
    yield SeriesEffect(metric, subject, SeriesChange(rescale=factor), (line,))


def _of_total(
    facts: DayFacts, subject: str, used: str, share: str, after: float, unit: str
) -> Iterator[SeriesEffect]:
    """Yield the share of another total, of which today's is the used amount / its share."""
    before = total_of(facts, subject, used, share)
    if before is None:
        raise not_measured(facts.observed, share, subject)
    yield from _scaled(facts, share, subject, before, after, f" {unit}")


def _ended(metric: str, subject: str, facts: DayFacts, line: str) -> Iterator[SeriesEffect]:
    """Yield the end of events, where they are measured."""
    if facts.observed.days(metric, subject):
        yield SeriesEffect(metric, subject, SeriesChange(factor=0.0), (line,))


def _pages(facts: DayFacts, change: ConfigurationChange, pages: float) -> Iterator[Outcome]:
    yield from _of_total(
        facts, change.subject, "page_set_used_pages", "page_set_used_pct", pages, "pages"
    )


def _chinit_storage(storage: str, mib_each: float) -> _Effect:
    def effect(facts: DayFacts, change: ConfigurationChange, size: float) -> Iterator[Outcome]:
        used, share = f"chinit_{storage}_used_mib", f"chinit_{storage}_used_pct"
        yield from _of_total(facts, chinit_of(change.subject), used, share, size * mib_each, "MiB")

    return effect


def _smds_size(facts: DayFacts, change: ConfigurationChange, size: float) -> Iterator[Outcome]:
    last_day(facts, "smds_used_pct", change.subject)
    yield from _scaled(facts, "smds_used_pct", change.subject, 100, size, " %")


def _smds_waits(facts: DayFacts, change: ConfigurationChange, buffers: float) -> Iterator[Outcome]:
    """End the waits where a buffer is always free."""
    subject, metric = change.subject, "smds_buffers_used_pct"
    if not facts.observed.days(metric, subject):
        return
    before = last_day(facts, "smds_buffers_count", subject).peak
    used = peak_of(facts, metric, subject) * before / buffers
    if used < _NONE_FREE_PCT:
        line = f"none: at most {figure(used)} % of the buffers are in use ({_OURS})"
        yield from _ended("smds_buffer_waits_pct", subject, facts, line)


def _pool(facts: DayFacts, change: ConfigurationChange, buffers: float) -> Iterator[Outcome]:
    """Yield real storage, and the end of writes and waits for room."""
    subject = change.subject
    before = last_day(facts, "buffer_pool_buffers_count", subject).peak
    mib = [amount * PAGE_BYTES / MIB_BYTES for amount in (before, buffers)]
    line = f"{figure(buffers)} buffers x {PAGE_BYTES} bytes = {figure(mib[1])} MiB"
    yield DerivedFigure(subject, "real storage of the buffers", "MiB", mib[0], mib[1], (line,))
    if not facts.observed.days("buffer_pool_used_pct", subject):
        return
    used = peak_of(facts, "buffer_pool_used_pct", subject) * before / buffers
    events = {
        "buffer_pool_deferred_count": ("BP-FREE-15", _DEFERRED_FROM_PCT),
        "buffer_pool_short_count": ("BP-SYNC-5", _SYNCHRONOUS_FROM_PCT),
    }
    for metric, (rule, most) in events.items():
        if used <= most:
            line = (
                f"none: at most {figure(used)} % are in use, which is not above {most} % "
                f"[{get(rule).citation}] ({_OURS})"
            )
            yield from _ended(metric, subject, facts, line)


def _structure(facts: DayFacts, change: ConfigurationChange, size: float) -> Iterator[Outcome]:
    """Yield entries in step with the size, and the CF storage."""
    subject = change.subject
    before = last_day(facts, "structure_size_mib", subject).peak
    if facts.observed.days("structure_entries_count", subject):
        factor = size / before
        line = (
            f"entries x {figure(size)} / {figure(before)} MiB = entries x {figure(factor)} "
            f"({_OURS})"
        )
        yield SeriesEffect("structure_entries_count", subject, SeriesChange(factor=factor), (line,))
    name = subject.rpartition("/")[2]
    line = f"{figure(size)} MiB in each copy"
    for copy in copies_of(facts.observed, subject):
        place = facility_of(copy)
        yield DerivedFigure(place, f"CF storage of {name}", "MiB", before, size, (line,))


def _tasks(key: str) -> _Effect:
    def effect(facts: DayFacts, change: ConfigurationChange, count: float) -> Iterator[Outcome]:
        """Yield the 31-bit storage of more or fewer tasks."""
        chinit = change.subject
        more = count - last_day(facts, COUNTS[key], chinit).peak
        storage = _storage_of_tasks(key, abs(more))
        mib = float(storage.figures["kb"]) / KIB_BYTES * (1 if more >= 0 else -1)
        yield from added_storage(facts, chinit, "31bit", mib, (storage.line,))

    return effect


def task_storage_mib(key: str, more: float) -> float:
    """Return the 31-bit storage of more tasks of a kind, in MiB (CHI-TASKSTOR)."""
    return float(_storage_of_tasks(key, more).figures["kb"]) / KIB_BYTES


def _storage_of_tasks(key: str, count: float) -> CalculatorResult:
    return calculate("CHI-TASKSTOR", **(dict.fromkeys(TASKS, 0) | {key: round(count)}))


def _compression(facts: DayFacts, change: ConfigurationChange, pct: float) -> Iterator[Outcome]:
    factor = 1 - pct / 100
    line = f"log x (1 - {figure(pct)} / 100) = log x {figure(factor)}, compression as stated"
    last_day(facts, "log_growth_mib_per_s", change.subject)
    yield SeriesEffect("log_growth_mib_per_s", change.subject, SeriesChange(factor=factor), (line,))
    if facts.observed.days("log_task_busy_pct", change.subject):
        busy = f"busy x {figure(factor)}, in step with the log ({_OURS})"
        yield SeriesEffect(
            "log_task_busy_pct", change.subject, SeriesChange(factor=factor), (busy,)
        )


def _logload(facts: DayFacts, change: ConfigurationChange, records: float) -> Iterator[Outcome]:
    if not facts.observed.days("log_checkpoints_per_h", change.subject):
        return
    manager = facts.estate.queue_manager(*change.subject.split("/"))
    configured = manager.logload if manager else None
    before = configured or _LOGLOAD_DEFAULT
    factor = before / records
    words = "" if configured else ", the default"
    line = (
        f"checkpoints x {figure(before)}{words} / {figure(records)} = checkpoints x "
        f"{figure(factor)}, as though LOGLOAD took all of them ({_OURS})"
    )
    yield SeriesEffect(
        "log_checkpoints_per_h", change.subject, SeriesChange(factor=factor), (line,)
    )


def _outbuff(facts: DayFacts, change: ConfigurationChange, size_kb: float) -> Iterator[Outcome]:
    manager = facts.estate.queue_manager(*change.subject.split("/"))
    before = manager.outbuff_kb if manager else None
    if before is None or size_kb <= before:
        return
    line = (
        f"none with OUTBUFF {figure(size_kb)} instead of {figure(before)} KB ({_OURS}: the counter "
        "does not say how many buffers are enough; look again after the change)"
    )
    yield from _ended("log_buffer_wait_count", change.subject, facts, line)


_Effect = Callable[[DayFacts, ConfigurationChange, float], Iterator[Outcome]]
_OTHERS: Final[dict[str, _Effect]] = {
    "pages": _pages,
    "memlimit_gib": _chinit_storage("64bit", 1_024),
    "chinit_31bit_limit_mib": _chinit_storage("31bit", 1),
    "smds_size_pct": _smds_size,
    "smds_buffers": _smds_waits,
    "buffers": _pool,
    "structure_size_mib": _structure,
    **{key: _tasks(key) for key in TASKS},
    "log_compression_pct": _compression,
    "logload": _logload,
    "active_log_size_mib": archive_time,
    "accounting_transactions_per_day": accounting_volume,
    "outbuff_kb": _outbuff,
}
"""Effects beside the replaced size and its shares, by key."""
KEYS_WITH_EFFECTS: Final = frozenset(COUNTS) | frozenset(_OTHERS)
"""Keys whose new value changes series here."""
