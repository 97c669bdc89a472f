"""Effects of another size, count or limit under the same load.

What is in use stays the same amount, load spreads evenly over tasks (first estimates, ours). More
log files of a distributed queue manager take more of the file system of the log, where its size is
known, as though all existed at once.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from mqcap.domain.distributed.mq_name import unescaped
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import Statistic, SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.subject import Subject
from mqcap.domain.unit_cost import UnitCostKind
from mqcap.domain.units import KIB_BYTES, MIB_BYTES, PAGE_BYTES, SECONDS_PER_MINUTE
from mqcap.judging.evaluate import DayFacts
from mqcap.operands.declared import SETTINGS, Setting
from mqcap.unit_costs.channel_cost import learnt_line
from mqcap.whatif.channels import added_storage, chinit_of
from mqcap.whatif.effects import (
    CalculatorResult,
    DerivedFigure,
    Outcomes,
    SeriesEffect,
    calculate,
    copies_of,
    effect,
    effects_on,
    last_day,
    not_measured,
    number,
    peak_of,
    replacing,
    total_of,
)
from mqcap.whatif.learnt_costs import find_used, why_not_learnt
from mqcap.whatif.parts import ConfigurationChange
from sizing.rulebook.registry import get

_OURS: Final = "first estimate, ours"
COUNTS: Final = {key: setting.measured for key, setting in SETTINGS.items() if setting.measured}
"""Measured sizes, counts and limits that the new value replaces."""
_TASKS: Final = ("adapters", "dispatchers", "ssltasks")
"""Settings of tasks of a channel initiator, each of which takes 31-bit storage."""
_POOL_EVENTS: Final = {
    "buffer_pool_deferred_count": ("BP-FREE-15", 85),
    "buffer_pool_short_count": ("BP-SYNC-5", 95),
}
"""Events of a buffer pool with the rule and the use in per cent up to which there are none."""


class _NewValue(NamedTuple):
    facts: DayFacts
    subject: str
    setting: Setting
    after: float

    @property
    def measured(self) -> float:
        """The measured value that it replaces; a ConfigurationError without one."""
        return last_day(self.facts, self.setting.measured, self.subject).peak

    @property
    def configured(self) -> float | None:
        """The value of the estate; ``None`` where it has none."""
        manager = self.facts.estate.queue_manager(*Subject(self.subject).names)
        return getattr(manager, self.setting.key, None)

    def is_measured(self, metric: str) -> bool:
        return bool(self.facts.observed.days(metric, self.subject))

    def on(self, metric: str, *lines: str, **change: float) -> Iterator[SeriesEffect]:
        return effects_on(self.facts, (metric,), self.subject, *lines, **change)

    def used_pct(self, share: str, before: float) -> float:
        return peak_of(self.facts, share, self.subject) * before / self.after

    def rescaled(self, share: str, before: float, after: float, unit: str = "") -> Outcomes:
        factor = before / after
        line = (
            f"share x {figure(before)} / {figure(after)}{unit} = share x {figure(factor)}: the "
            f"amount in use stays the same ({_OURS})"
        )
        return self.on(share, line, rescale=factor)


def sizes_of(facts: DayFacts, change: ConfigurationChange) -> Outcomes:
    """Yield the effects of the sizes, counts and limits that a change sets."""
    for key, value in change.settings.items():
        if (setting := SETTINGS.get(key)) is not None:
            yield from _outcomes(_NewValue(facts, change.subject, setting, number(value)))


def _outcomes(new: _NewValue) -> Outcomes:
    setting = new.setting
    if setting.measured:
        before = new.measured
        yield replacing(setting.measured, new.subject, before, new.after)
        for share in setting.shares:
            yield from new.rescaled(share, before, new.after)
    for name in setting.effects:
        yield from EFFECTS[name](new)
    if setting.ends is not None:
        known = new.configured
        if known is not None and new.after > known:
            line = (
                f"none with {setting.name} {figure(new.after)} instead of {figure(known)} "
                f"{setting.unit} ({_OURS}: {setting.ends.but})"
            )
            yield from new.on(setting.ends.metric, line, factor=0.0)


def _archive_time(new: _NewValue) -> Outcomes:
    """Yield the time to archive a log of another size: at the learnt rate, else in step with it."""
    metric, kind = "log_archive_min", UnitCostKind.archive_mib_per_s
    if not new.is_measured(metric):
        return
    rate = find_used(new.facts, kind, new.subject)
    if rate is not None:
        minutes = new.after / rate.value / SECONDS_PER_MINUTE
        line = (
            f"archive time = {figure(new.after)} MiB / {figure(rate.value)} MiB/s / "
            f"{SECONDS_PER_MINUTE} = {figure(minutes)} min"
        )
        yield from new.on(metric, learnt_line(rate), line, factor=0.0, addition=minutes)
    elif before := new.configured:
        factor = new.after / before
        line = (
            f"archive time x {figure(new.after)} / {figure(before)} MiB = archive time x "
            f"{figure(factor)}, in step with the size of a log (first estimate, ours)"
            f"{why_not_learnt(new.facts, kind, new.subject)}"
        )
        yield from new.on(metric, line, factor=factor)


def _accounting_volume(new: _NewValue) -> Outcomes:
    """Yield the accounting volume of another number of transactions, each as measured."""
    metrics = ("accounting_mib_per_day", "accounting_tasks_per_day")
    mib, before = (
        new.facts.observed.highest(metric, new.subject, Statistic.mean) for metric in metrics
    )
    if not mib or not before:
        return
    each = mib * MIB_BYTES / before
    line = (
        f"volume = {figure(new.after)} transactions x {figure(each)} bytes / {MIB_BYTES}, measured:"
        f" {figure(mib)} MiB a day of {figure(before)} transactions"
    )
    for metric in metrics:
        yield effect(metric, new.subject, line, factor=new.after / before)


def _of_total(new: _NewValue) -> Outcomes:
    """Yield the share of another total, of which today's is the used amount / its share."""
    total = new.setting.total
    assert total is not None  # noqa: S101 - declared with this effect
    if SubjectKind.channel_initiator in new.setting.of:
        new = new._replace(subject=chinit_of(new.subject))
    before = total_of(new.facts, new.subject, total.used, total.share)
    if before is None:
        raise not_measured(new.facts.observed, total.share, new.subject)
    unit = " pages" if new.setting.unit == "pages" else " MiB"
    return new.rescaled(total.share, before, new.after * total.each, unit)


def _share_of_size(new: _NewValue) -> Outcomes:
    [share] = new.setting.in_use
    last_day(new.facts, share, new.subject)
    return new.rescaled(share, 100, new.after, " %")


def _log_file_system(new: _NewValue) -> Outcomes:
    line = f"{figure(new.after)} % of that of today, as stated in the scenario"
    return new.on(LOG_FS_SIZE, line, factor=new.after / 100)


def _waits_for_buffers(new: _NewValue) -> Outcomes:
    """End the waits where a buffer is always free."""
    [share] = new.setting.shares
    if not new.is_measured(share):
        return
    used = new.used_pct(share, new.measured)
    if used < 100:
        line = f"none: at most {figure(used)} % of the buffers are in use ({_OURS})"
        yield from new.on("smds_buffer_waits_pct", line, factor=0.0)


def _pool(new: _NewValue) -> Outcomes:
    [share] = new.setting.shares
    before = new.measured
    mib_before, mib = (amount * PAGE_BYTES / MIB_BYTES for amount in (before, new.after))
    line = f"{figure(new.after)} buffers x {PAGE_BYTES} bytes = {figure(mib)} MiB"
    yield DerivedFigure(new.subject, "real storage of the buffers", "MiB", mib_before, mib, (line,))
    if not new.is_measured(share):
        return
    used = new.used_pct(share, before)
    for metric, (rule, most) in _POOL_EVENTS.items():
        if used <= most:
            line = (
                f"none: at most {figure(used)} % are in use, which is not above {most} % "
                f"[{get(rule).citation}] ({_OURS})"
            )
            yield from new.on(metric, line, factor=0.0)


def _structure(new: _NewValue) -> Outcomes:
    before, factor = new.measured, new.after / new.measured
    line = (
        f"entries x {figure(new.after)} / {figure(before)} MiB = entries x {figure(factor)} "
        f"({_OURS})"
    )
    yield from new.on("structure_entries_count", line, factor=factor)
    name = f"CF storage of {Subject(new.subject).name}"
    line = f"{figure(new.after)} MiB in each copy"
    for copy in copies_of(new.facts.observed, new.subject):
        yield DerivedFigure(Subject(copy).whole, name, "MiB", before, new.after, (line,))


def _storage_of_tasks(new: _NewValue) -> Outcomes:
    more = new.after - new.measured
    storage = _task_storage(new.setting.key, abs(more))
    mib = float(storage.figures["kb"]) / KIB_BYTES * (1 if more >= 0 else -1)
    return added_storage(new.facts, new.subject, "31bit", mib, (storage.line,))


def task_storage_mib(key: str, more: float) -> float:
    """Return the 31-bit storage of more tasks of a kind, in MiB (CHI-TASKSTOR)."""
    return float(_task_storage(key, more).figures["kb"]) / KIB_BYTES


def _task_storage(key: str, count: float) -> CalculatorResult:
    return calculate("CHI-TASKSTOR", **(dict.fromkeys(_TASKS, 0) | {key: round(count)}))


def _compression(new: _NewValue) -> Outcomes:
    factor = 1 - new.after / 100
    line = f"log x (1 - {figure(new.after)} / 100) = log x {figure(factor)}, compression as stated"
    last_day(new.facts, "log_growth_mib_per_s", new.subject)
    yield from new.on("log_growth_mib_per_s", line, factor=factor)
    line = f"busy x {figure(factor)}, in step with the log ({_OURS})"
    yield from new.on("log_task_busy_pct", line, factor=factor)


def _checkpoints(new: _NewValue) -> Outcomes:
    before, words = new.configured, ""
    if not before:
        before, words = int(new.setting.default), ", the default"
    factor = before / new.after
    line = (
        f"checkpoints x {figure(before)}{words} / {figure(new.after)} = checkpoints x "
        f"{figure(factor)}, as though LOGLOAD took all of them ({_OURS})"
    )
    return new.on("log_checkpoints_per_h", line, factor=factor)


EFFECTS: Final[dict[str, Callable[[_NewValue], Outcomes]]] = {
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


LOG_FILES_MAX: Final = 511
"""Primary and secondary files together, on AIX and Linux (Log stanza of the qm.ini file)."""
PRIMARY: Final = "log_primary_files"
SECONDARY: Final = "log_secondary_files"
EXTENT_PAGES: Final = "log_extent_pages"
PRIMARY_USED: Final = "mq_log_primary_used_pct"
WORKLOAD: Final = "mq_log_workload_pct"
TOTAL_USED: Final = "mq_log_total_used_pct"
FILE_PAGES: Final = "mq_log_file_pages_count"
LOG_FILE_SYSTEM: Final = "log_file_system_size_pct"
LOG_FS_SIZE: Final = "mq_log_fs_size_mib"


class LogRoom(NamedTuple):
    """File system of the log, and the size of one log file; each ``None`` where it is not known."""

    size_mib: float | None
    file_mib: float | None
    used_metric: str | None

    @property
    def is_known(self) -> bool:
        """Whether what further files take of it can be computed."""
        return None not in self


def log_room(facts: DayFacts, subject: str) -> LogRoom:
    """Return what is known of the file system of a queue manager's log; measured before typed."""
    site, name = Subject(subject).names
    manager = facts.estate.distributed(site, unescaped(name))
    sizes = facts.observed.days(LOG_FS_SIZE, subject)
    pages = facts.observed.days(FILE_PAGES, subject)
    [used] = SETTINGS[LOG_FILE_SYSTEM].in_use
    return LogRoom(
        sizes[-1].peak if sizes else manager.log_file_system_mib if manager else None,
        pages[-1].peak * PAGE_BYTES / MIB_BYTES if pages else None,
        used if facts.observed.days(used, subject) else None,
    )


def distributed_of(facts: DayFacts, change: ConfigurationChange) -> Iterator[SeriesEffect]:
    """Yield what other log files leave of their shares, and take of the file system.

    A ConfigurationError where today's files are not known, or there would be too many.
    """
    settings, subject = change.settings, change.subject
    if settings.keys().isdisjoint({PRIMARY, SECONDARY, EXTENT_PAGES}):
        return
    before = {
        key: last_day(facts, SETTINGS[key].measured, subject).peak for key in (PRIMARY, SECONDARY)
    }
    is_in_pages = EXTENT_PAGES in settings
    pages = last_day(facts, FILE_PAGES, subject).peak if is_in_pages else 1.0
    before |= {EXTENT_PAGES: pages}
    after = {key: number(settings.get(key, value)) for key, value in before.items()}
    counts = after[PRIMARY], after[SECONDARY]
    if sum(counts) > LOG_FILES_MAX:
        raise ConfigurationError(
            f"{subject} would have too many log files",
            found="{} primary and {} secondary files".format(*map(figure, counts)),
            expected=f"at most {LOG_FILES_MAX} together (Log stanza of the qm.ini file)",
        )
    if is_in_pages:
        fixed = "; LogFilePages is fixed when the queue manager is created (crtmqm)"
        yield replacing(FILE_PAGES, subject, pages, after[EXTENT_PAGES], fixed)
    primary, new_primary = (of[PRIMARY] * of[EXTENT_PAGES] for of in (before, after))
    total, new_total = ((of[PRIMARY] + of[SECONDARY]) * of[EXTENT_PAGES] for of in (before, after))
    for metrics, factor, files in (
        ((PRIMARY_USED, WORKLOAD), primary / new_primary, "primary files"),
        ((TOTAL_USED,), total / new_total, "all files"),
    ):
        line = f"share of {files} x {figure(factor)}: the amount in use stays the same ({_OURS})"
        yield from effects_on(facts, metrics, subject, line, rescale=factor)
    size_mib, file_mib, used = log_room(facts, subject)
    added = new_total - total
    if not added or size_mib is None or file_mib is None or used is None:
        return
    added_mib = added * (PAGE_BYTES / MIB_BYTES if is_in_pages else file_mib)
    points = 100 * added_mib / size_mib
    line = (
        f"{figure(added_mib)} MiB of log files / {figure(size_mib)} MiB = {figure(points)} points "
        f"of the file system, as though all of them existed at once ({_OURS})"
    )
    yield effect(used, subject, line, addition=points)
