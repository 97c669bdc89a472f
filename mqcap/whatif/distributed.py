"""Other log files of a distributed queue manager under the same load.

What is in use stays the same amount (first estimates, ours). Further files take more of the file
system of the log, where its size is known, as though all existed at once.
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
from mqcap.whatif.effects import SeriesEffect, effect, effects_on, last_day, number, replacing
from mqcap.whatif.parts import ConfigurationChange

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
_OURS: Final = "first estimate, ours"


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
