"""Other log files of a distributed queue manager under the same load.

What is in use stays the same amount (first estimates, ours): the use of the primary files is that
amount over their size, the use of all files that over the size of primary and secondary files.
More files take more of the file system of the log, where its size is known, as though all of the
added ones existed at once.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mqcap.domain.distributed.mq_name import unescaped
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.numbers import figure
from mqcap.domain.subject import Subject
from mqcap.domain.units import MIB_BYTES, PAGE_BYTES
from mqcap.judging.evaluate import DayFacts
from mqcap.operands.declared import SETTINGS
from mqcap.whatif.effects import PartEffects, SeriesChange, SeriesEffect, last_day, number
from mqcap.whatif.parts import ConfigurationChange

LOG_FILES_MAX: Final = 511
"""Primary and secondary files together, on AIX and Linux (Log stanza of the qm.ini file)."""
PRIMARY: Final = "log_primary_files"
SECONDARY: Final = "log_secondary_files"
_COUNTS: Final = (PRIMARY, SECONDARY)
EXTENT_PAGES: Final = "log_extent_pages"
PRIMARY_USED: Final = "mq_log_primary_used_pct"
WORKLOAD: Final = "mq_log_workload_pct"
TOTAL_USED: Final = "mq_log_total_used_pct"
FILE_PAGES: Final = "mq_log_file_pages_count"
LOG_FILE_SYSTEM: Final = "log_file_system_size_pct"
LOG_FS_SIZE: Final = "mq_log_fs_size_mib"
_OURS: Final = "first estimate, ours"


class _Files(NamedTuple):
    """Log files: how many, and the size of one of them."""

    primary: float
    secondary: float
    pages: float

    @property
    def primary_pages(self) -> float:
        """Size of the primary files."""
        return self.primary * self.pages

    @property
    def total_pages(self) -> float:
        """Size of all files."""
        return (self.primary + self.secondary) * self.pages


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


def distributed_of(facts: DayFacts, change: ConfigurationChange) -> PartEffects:
    """Return what other log files leave of their shares, and take of the file system.

    Raises:
        ConfigurationError: the numbers or the size of the log files are not known, or there would
            be more of them than a queue manager can have.
    """
    return PartEffects(tuple(_log_files(facts, change)))


def _log_files(facts: DayFacts, change: ConfigurationChange) -> Iterator[SeriesEffect]:
    settings, subject = change.settings, change.subject
    if settings.keys().isdisjoint({*_COUNTS, EXTENT_PAGES}):
        return
    today = {key: last_day(facts, SETTINGS[key].measured, subject).peak for key in _COUNTS}
    after = {key: number(settings.get(key, value)) for key, value in today.items()}
    pages_before, pages_after = _pages(facts, change)
    old = _Files(today[PRIMARY], today[SECONDARY], pages_before)
    new = _Files(after[PRIMARY], after[SECONDARY], pages_after)
    if new.primary + new.secondary > LOG_FILES_MAX:
        raise ConfigurationError(
            f"{subject} would have too many log files",
            found=f"{figure(new.primary)} primary and {figure(new.secondary)} secondary files",
            expected=f"at most {LOG_FILES_MAX} together (Log stanza of the qm.ini file)",
        )
    if EXTENT_PAGES in settings:
        line = (
            f"{figure(pages_after)} instead of {figure(pages_before)}, as stated in the scenario; "
            "LogFilePages is fixed when the queue manager is created (crtmqm)"
        )
        replaced = SeriesChange(factor=0.0, addition=pages_after)
        yield SeriesEffect(FILE_PAGES, subject, replaced, (line,))
    for metric in (PRIMARY_USED, WORKLOAD):
        ratio = old.primary_pages / new.primary_pages
        yield from _scaled(facts, metric, subject, ratio, "primary files")
    yield from _scaled(facts, TOTAL_USED, subject, old.total_pages / new.total_pages, "all files")
    is_in_pages = EXTENT_PAGES in settings
    yield from _taken(facts, subject, new.total_pages - old.total_pages, is_in_pages=is_in_pages)


def _taken(
    facts: DayFacts, subject: str, added: float, *, is_in_pages: bool
) -> Iterator[SeriesEffect]:
    """Yield what further files, or pages of files, take of the file system of the log."""
    size_mib, file_mib, used = log_room(facts, subject)
    if not added or size_mib is None or file_mib is None or used is None:
        return
    added_mib = added * (PAGE_BYTES / MIB_BYTES if is_in_pages else file_mib)
    points = 100 * added_mib / size_mib
    line = (
        f"{figure(added_mib)} MiB of log files / {figure(size_mib)} MiB = {figure(points)} points "
        f"of the file system, as though all of them existed at once ({_OURS})"
    )
    yield SeriesEffect(used, subject, SeriesChange(addition=points), (line,))


def _pages(facts: DayFacts, change: ConfigurationChange) -> tuple[float, float]:
    """Return the pages of a log file before and after; 1 for both where they stay."""
    if EXTENT_PAGES not in change.settings:
        return 1.0, 1.0
    after = number(change.settings[EXTENT_PAGES])
    return last_day(facts, FILE_PAGES, change.subject).peak, after


def _scaled(
    facts: DayFacts, metric: str, subject: str, factor: float, of: str
) -> Iterator[SeriesEffect]:
    """Yield the share of another size, where it is measured."""
    if facts.observed.days(metric, subject):
        line = f"share of {of} x {figure(factor)}: the amount in use stays the same ({_OURS})"
        yield SeriesEffect(metric, subject, SeriesChange(rescale=factor), (line,))
