"""Effects of another size, count or limit under the same load.

What is in use stays the same amount, so its share of another size is the old share x old / new
size; load on tasks spreads evenly over them. Both are first estimates of ours.
"""

from collections.abc import Callable, Iterator
from typing import Final

from mqcap.domain.metric import Statistic, SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.subject import Subject
from mqcap.domain.unit_cost import UnitCostKind
from mqcap.domain.units import KIB_BYTES, MIB_BYTES, PAGE_BYTES, SECONDS_PER_MINUTE
from mqcap.judging.evaluate import DayFacts
from mqcap.operands.declared import SETTINGS, Setting
from mqcap.unit_costs.channel_cost import learnt_line
from mqcap.whatif.channels import added_storage, chinit_of
from mqcap.whatif.copies import copies_of
from mqcap.whatif.distributed import LOG_FS_SIZE
from mqcap.whatif.effects import (
    CalculatorResult,
    DerivedFigure,
    PartEffects,
    SeriesChange,
    SeriesEffect,
    calculate,
    last_day,
    not_measured,
    number,
    peak_of,
    total_of,
)
from mqcap.whatif.learnt_costs import find_used, why_not_learnt
from mqcap.whatif.parts import ConfigurationChange
from sizing.rulebook.registry import get

Outcome = SeriesEffect | DerivedFigure


def _archive_time(
    facts: DayFacts, subject: str, setting: Setting, size: float
) -> Iterator[Outcome]:
    """Yield the time to archive a log of another size: at the learnt rate, else in step with it."""
    metric = "log_archive_min"
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
    before = _configured(facts, subject, setting)
    if before is None:
        return
    factor = size / before
    line = (
        f"archive time x {figure(size)} / {figure(before)} MiB = archive time x {figure(factor)}, "
        f"in step with the size of a log (first estimate, ours)"
        f"{why_not_learnt(facts, UnitCostKind.archive_mib_per_s, subject)}"
    )
    yield SeriesEffect(metric, subject, SeriesChange(factor=factor), (line,))


def _accounting_volume(
    facts: DayFacts, subject: str, _: Setting, tasks: float
) -> Iterator[Outcome]:
    """Yield the accounting volume of another number of transactions, each as measured."""
    volume, counted = "accounting_mib_per_day", "accounting_tasks_per_day"
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
_DEFERRED_FROM_PCT: Final = 85
_SYNCHRONOUS_FROM_PCT: Final = 95
_NONE_FREE_PCT: Final = 100


def sizes_of(facts: DayFacts, change: ConfigurationChange) -> PartEffects:
    """Return the effects of the sizes, counts and limits that a change sets.

    Raises:
        ConfigurationError: a series that the change needs is not measured.
    """
    outcomes: list[Outcome] = []
    for key, value in change.settings.items():
        setting = SETTINGS.get(key)
        if setting is None:
            continue
        if setting.measured:
            outcomes += _replaced(facts, change.subject, setting, number(value))
        for effect in setting.effects:
            outcomes += EFFECTS[effect](facts, change.subject, setting, number(value))
        if setting.ends is not None:
            outcomes += _ended_by_more(facts, change.subject, setting, number(value))
    return PartEffects(
        tuple(each for each in outcomes if isinstance(each, SeriesEffect)),
        tuple(each for each in outcomes if isinstance(each, DerivedFigure)),
    )


def _replaced(facts: DayFacts, subject: str, setting: Setting, after: float) -> Iterator[Outcome]:
    """Yield the new value of a measured size, and what becomes of its shares."""
    metric = setting.measured
    before = last_day(facts, metric, subject).peak
    line = f"{figure(after)} instead of {figure(before)}, as stated in the scenario"
    yield SeriesEffect(metric, subject, SeriesChange(factor=0.0, addition=after), (line,))
    for share in setting.shares:
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


def _of_total(facts: DayFacts, subject: str, setting: Setting, after: float) -> Iterator[Outcome]:
    """Yield the share of another total, of which today's is the used amount / its share."""
    total = setting.total
    assert total is not None  # noqa: S101 - declared with this effect
    subject = measured_subject(subject, setting)
    before = total_of(facts, subject, total.used, total.share)
    if before is None:
        raise not_measured(facts.observed, total.share, subject)
    unit = "pages" if setting.unit == "pages" else "MiB"
    yield from _scaled(facts, total.share, subject, before, after * total.each, f" {unit}")


def measured_subject(subject: str, setting: Setting) -> str:
    """Return the channel initiator where the setting is one of its own, else the subject."""
    is_of_chinit = SubjectKind.channel_initiator in setting.of
    return chinit_of(subject) if is_of_chinit else subject


def _ended(metric: str, subject: str, facts: DayFacts, line: str) -> Iterator[SeriesEffect]:
    """Yield the end of events, where they are measured."""
    if facts.observed.days(metric, subject):
        yield SeriesEffect(metric, subject, SeriesChange(factor=0.0), (line,))


def _share_of_size(
    facts: DayFacts, subject: str, setting: Setting, size_pct: float
) -> Iterator[Outcome]:
    [share] = setting.in_use
    last_day(facts, share, subject)
    yield from _scaled(facts, share, subject, 100, size_pct, " %")


def _log_file_system(facts: DayFacts, subject: str, _: Setting, pct: float) -> Iterator[Outcome]:
    if facts.observed.days(LOG_FS_SIZE, subject):
        line = f"{figure(pct)} % of that of today, as stated in the scenario"
        yield SeriesEffect(LOG_FS_SIZE, subject, SeriesChange(factor=pct / 100), (line,))


def _waits_for_buffers(
    facts: DayFacts, subject: str, setting: Setting, buffers: float
) -> Iterator[Outcome]:
    """End the waits where a buffer is always free."""
    [metric] = setting.shares
    if not facts.observed.days(metric, subject):
        return
    before = last_day(facts, setting.measured, subject).peak
    used = peak_of(facts, metric, subject) * before / buffers
    if used < _NONE_FREE_PCT:
        line = f"none: at most {figure(used)} % of the buffers are in use ({_OURS})"
        yield from _ended("smds_buffer_waits_pct", subject, facts, line)


def _pool(facts: DayFacts, subject: str, setting: Setting, buffers: float) -> Iterator[Outcome]:
    """Yield real storage, and the end of writes and waits for room."""
    [used_share] = setting.shares
    before = last_day(facts, setting.measured, subject).peak
    mib = [amount * PAGE_BYTES / MIB_BYTES for amount in (before, buffers)]
    line = f"{figure(buffers)} buffers x {PAGE_BYTES} bytes = {figure(mib[1])} MiB"
    yield DerivedFigure(subject, "real storage of the buffers", "MiB", mib[0], mib[1], (line,))
    if not facts.observed.days(used_share, subject):
        return
    used = peak_of(facts, used_share, subject) * before / buffers
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


def _structure(facts: DayFacts, subject: str, setting: Setting, size: float) -> Iterator[Outcome]:
    """Yield entries in step with the size, and the CF storage."""
    before = last_day(facts, setting.measured, subject).peak
    if facts.observed.days("structure_entries_count", subject):
        factor = size / before
        line = (
            f"entries x {figure(size)} / {figure(before)} MiB = entries x {figure(factor)} "
            f"({_OURS})"
        )
        yield SeriesEffect("structure_entries_count", subject, SeriesChange(factor=factor), (line,))
    name = Subject(subject).name
    line = f"{figure(size)} MiB in each copy"
    for copy in copies_of(facts.observed, subject):
        place = Subject(copy).whole
        yield DerivedFigure(place, f"CF storage of {name}", "MiB", before, size, (line,))


def _storage_of_tasks(
    facts: DayFacts, chinit: str, setting: Setting, count: float
) -> Iterator[Outcome]:
    """Yield the 31-bit storage of more or fewer tasks."""
    more = count - last_day(facts, setting.measured, chinit).peak
    storage = _task_storage(setting.key, abs(more))
    mib = float(storage.figures["kb"]) / KIB_BYTES * (1 if more >= 0 else -1)
    yield from added_storage(facts, chinit, "31bit", mib, (storage.line,))


def task_storage_mib(key: str, more: float) -> float:
    """Return the 31-bit storage of more tasks of a kind, in MiB (CHI-TASKSTOR)."""
    return float(_task_storage(key, more).figures["kb"]) / KIB_BYTES


def _task_storage(key: str, count: float) -> CalculatorResult:
    return calculate("CHI-TASKSTOR", **(dict.fromkeys(TASKS, 0) | {key: round(count)}))


def _compression(facts: DayFacts, subject: str, _: Setting, pct: float) -> Iterator[Outcome]:
    factor = 1 - pct / 100
    line = f"log x (1 - {figure(pct)} / 100) = log x {figure(factor)}, compression as stated"
    last_day(facts, "log_growth_mib_per_s", subject)
    yield SeriesEffect("log_growth_mib_per_s", subject, SeriesChange(factor=factor), (line,))
    if facts.observed.days("log_task_busy_pct", subject):
        busy = f"busy x {figure(factor)}, in step with the log ({_OURS})"
        yield SeriesEffect("log_task_busy_pct", subject, SeriesChange(factor=factor), (busy,))


def _checkpoints(
    facts: DayFacts, subject: str, setting: Setting, records: float
) -> Iterator[Outcome]:
    if not facts.observed.days("log_checkpoints_per_h", subject):
        return
    configured = _configured(facts, subject, setting)
    before = configured or int(setting.default)
    factor = before / records
    words = "" if configured else ", the default"
    line = (
        f"checkpoints x {figure(before)}{words} / {figure(records)} = checkpoints x "
        f"{figure(factor)}, as though LOGLOAD took all of them ({_OURS})"
    )
    yield SeriesEffect("log_checkpoints_per_h", subject, SeriesChange(factor=factor), (line,))


def _ended_by_more(
    facts: DayFacts, subject: str, setting: Setting, after: float
) -> Iterator[Outcome]:
    """Yield the end of events under a higher value than the one of the estate."""
    before, ends = _configured(facts, subject, setting), setting.ends
    if before is None or ends is None or after <= before:
        return
    line = (
        f"none with {setting.name} {figure(after)} instead of {figure(before)} {setting.unit} "
        f"({_OURS}: {ends.but})"
    )
    yield from _ended(ends.metric, subject, facts, line)


def _configured(facts: DayFacts, subject: str, setting: Setting) -> float | None:
    """Return the value of the estate; ``None`` where it has none."""
    manager = facts.estate.queue_manager(*Subject(subject).names)
    return getattr(manager, setting.key, None)


_Effect = Callable[[DayFacts, str, Setting, float], Iterator[Outcome]]
EFFECTS: Final[dict[str, _Effect]] = {
    "accounting_volume": _accounting_volume,
    "archive_time": _archive_time,
    "checkpoints": _checkpoints,
    "compression": _compression,
    "log_file_system": _log_file_system,
    "of_total": _of_total,
    "pool": _pool,
    "share_of_size": _share_of_size,
    "storage_of_tasks": _storage_of_tasks,
    "structure": _structure,
    "waits_for_buffers": _waits_for_buffers,
}
"""Effects beside the replaced size and its shares, by the name that a setting declares."""
KEYS_WITH_EFFECTS: Final = frozenset(
    key
    for key, setting in SETTINGS.items()
    if setting.measured or setting.effects or setting.ends is not None
)
"""Keys whose new value changes series here."""
