"""Statements for active logs: define the clusters, format them, add them to the BSDS.

An active log keeps the size that it was defined with, so larger logs are new data sets; the
old ones leave the BSDS while the queue manager is down. Sources: DEFINE LOG, CSQJUFMT and
CSQJU003 in the IBM MQ reference; one step of CSQJUFMT formats one data set, and a job has at
most 255 steps. Of a linear data set the second share option can be 3 only (IDCAMS); the first
is 2, so that CSQJU004 and CSQ1LOGP can read while the queue manager writes.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from mqcap.change_pack.statements import LOG_KEYS, library
from mqcap.domain.estate import QueueManager
from mqcap.domain.numbers import figure
from mqcap.domain.plan import PlanChange
from mqcap.domain.subject import Subject
from sizing.log_space import LOG_CAP_CYLINDERS, LOGS_MAX, MIB_PER_CYLINDER, cylinders_for

STEPS_MAX: Final = 255


class LogChange(NamedTuple):
    """New active logs of one queue manager, as its plan has them."""

    queue_manager: str
    cylinders: int
    """Of each new data set."""
    old_cylinders: int
    """Of each data set of today."""
    existing: int
    """Logs in each copy today."""
    new: int
    """Data sets to define in each copy."""
    dual_logging: bool | None
    names: tuple[str, ...] = ()
    """Today's data sets; empty: not known."""

    @property
    def replaces(self) -> bool:
        """Return true if the new logs are larger than those of today and so take their place."""
        return self.cylinders > self.old_cylinders

    @property
    def copies(self) -> tuple[int, ...]:
        """The copies; both when it is not known whether there are two."""
        return (1,) if self.dual_logging is False else (1, 2)

    @property
    def new_cylinders(self) -> int:
        """Cylinders of all new data sets."""
        return self.new * len(self.copies) * self.cylinders

    @property
    def freed_cylinders(self) -> int:
        """Cylinders of the old data sets that are deleted in the end."""
        return self.existing * len(self.copies) * self.old_cylinders if self.replaces else 0


def logs_changed(
    subject: Subject,
    today: Mapping[str, Any],
    after: Mapping[str, Any],
    manager: QueueManager | None,
) -> LogChange:
    """Return the new logs of a queue manager by size and number, both of today and after."""
    old, cylinders = (cylinders_of(float(at["active_log_size_mib"])) for at in (today, after))
    total, existing = int(after["active_logs"]), int(today["active_logs"])
    return LogChange(
        queue_manager=subject.name,
        cylinders=cylinders,
        old_cylinders=old,
        existing=existing,
        new=total if cylinders > old else total - existing,
        dual_logging=None if manager is None else manager.dual_logging,
        names=() if manager is None else manager.active_log_names,
    )


def log_change(change: PlanChange, manager: QueueManager | None) -> LogChange | None:
    """Return the new logs of a plan's change; ``None`` where today's logs are not known."""
    today = {key: change.before.get(key, getattr(manager, key, None)) for key in LOG_KEYS}
    if None in today.values():
        return None
    return logs_changed(change.subject, today, {**today, **change.settings}, manager)


def manager_after(
    manager: QueueManager | None, subject: str, planned: Iterable[PlanChange]
) -> QueueManager | None:
    """Return a queue manager with the logs that it has once plans are carried out."""
    for change in planned:
        log = log_change(change, manager) if change.subject == subject else None
        if manager is None or log is None or not LOG_KEYS & change.settings.keys():
            continue
        new = new_names(log.names, log.queue_manager, log.copies, log.existing, log.new)
        kept = () if log.replaces else log.names
        names = (*kept, *(name for _, name in new))
        settings = {key: change.settings[key] for key in LOG_KEYS & change.settings.keys()}
        manager = manager.model_copy(update={"active_log_names": names, **settings})
    return manager


def log_needs(change: LogChange) -> Iterator[str]:
    """Yield the DASD for the new data sets, and what becomes of the old ones."""
    sets = change.new * len(change.copies)
    mib = round(change.new_cylinders * MIB_PER_CYLINDER)
    yield (
        f"New: {sets} data sets x {figure(change.cylinders)} cylinders of 3390 = "
        f"{figure(change.new_cylinders)} cylinders ({figure(mib)} MiB)."
    )
    if change.replaces:
        yield f"Old: {figure(change.freed_cylinders)} cylinders, free once they are deleted."
    if change.replaces and change.existing + change.new > LOGS_MAX:
        yield f"Old and new logs together exceed {LOGS_MAX}: do it in two parts."
    if change.dual_logging is None:
        yield "It is not known whether logging is dual: drop COPY2 if not."


def log_statements(change: LogChange) -> Iterator[str]:
    """Yield IDCAMS, CSQJUFMT, DEFINE LOG and, where logs are replaced, removal of the old ones."""
    names = new_names(
        change.names, change.queue_manager, change.copies, change.existing, change.new
    )
    yield "//++JOBNAME++ JOB ++ACCOUNT++"
    yield "//DEFINE   EXEC PGM=IDCAMS"
    yield "//SYSPRINT DD SYSOUT=*"
    yield "//SYSIN    DD *"
    for _, name in names:
        yield from cluster(name, change.cylinders)
    yield "/*"
    for start in range(0, len(names), STEPS_MAX):
        yield from _format([name for _, name in names[start : start + STEPS_MAX]])
    yield "* MQSC, each with the command prefix of the queue manager"
    for copy, name in names:
        yield f"DEFINE LOG('{name}') COPY({copy})"
    yield "DISPLAY LOG"
    if change.replaces:
        yield "* before the first is archived, where PRIQTY counts (archives on disk)"
        yield f"SET ARCHIVE PRIQTY({change.cylinders}) ALCUNIT(CYL)"
        yield from _retire(change)


def cluster(name: str, cylinders: int) -> Iterator[str]:
    """Yield the definition of a linear VSAM data set as the queue manager needs it."""
    yield f"  DEFINE CLUSTER (NAME({name}) -"
    yield f"    LINEAR SHAREOPTIONS(2 3) VOLUMES(++VOLUME++) CYLINDERS({cylinders})) -"
    yield f"    DATA (NAME({name}.DATA))"


def _format(names: Sequence[str]) -> Iterator[str]:
    yield "//++JOBNAME++ JOB ++ACCOUNT++"
    yield "//JOBLIB   DD DISP=SHR,DSN=++THLQUAL++.SCSQANLE"
    yield "//         DD DISP=SHR,DSN=++THLQUAL++.SCSQAUTH"
    yield "//FORMAT   PROC LOG="
    yield "//FMT      EXEC PGM=CSQJUFMT"
    yield "//SYSPRINT DD SYSOUT=*"
    yield "//SYSUT1   DD DISP=OLD,DSN=&LOG"
    yield "//         PEND"
    for step, name in enumerate(names, 1):
        yield f"//F{step:<8}EXEC FORMAT,LOG='{name}'"


def _retire(change: LogChange) -> Iterator[str]:
    """Yield the removal of the old logs once they are archived."""
    yield "//* once the old logs are archived and not in use: stop the queue"
    yield "//* manager and take them out of both boot strap data sets"
    yield "//++JOBNAME++ JOB ++ACCOUNT++"
    yield "//RETIRE   EXEC PGM=CSQJU003"
    yield from library()
    yield "//SYSPRINT DD SYSOUT=*,DCB=BLKSIZE=629"
    yield "//* SYSUT2 only where there are two; both in one run"
    yield "//SYSUT1   DD DISP=OLD,DSN=++BSDS1++"
    yield "//SYSUT2   DD DISP=OLD,DSN=++BSDS2++"
    yield "//SYSIN    DD *"
    for name in old_names(change.names, change.copies, change.existing):
        yield f"  DELETE DSNAME={name}"
    yield "/*"


def cylinders_of(size_mib: float) -> int:
    """Return the cylinders of a data set of a size, those of the cap above it."""
    return cylinders_for(size_mib) or LOG_CAP_CYLINDERS


_NUMBERED: Final = re.compile(r"(?P<stem>.*?)(?P<number>\d+)$")
_WIDTH: Final = 2
"""Digits of a number in new names where the old ones are not known."""


def new_names(
    stated: Sequence[str], queue_manager: str, copies: Sequence[int], existing: int, count: int
) -> list[tuple[int, str]]:
    """Return copy and name of ``count`` new data sets, both copies alternately.

    Where the known names end in numbers and have one beginning for each copy, the new ones go on
    after the highest number of all copies, so that none exists already. Otherwise the beginning is
    for the site to fill in, and the numbers go on after the number of logs of today. ``stated`` are
    those of today, of copy 1 first; ``existing`` and ``count`` are of each copy.
    """
    numbered = [match for name in stated if (match := _NUMBERED.match(name))]
    stems = list(dict.fromkeys(match["stem"] for match in numbered))
    if len(numbered) != len(stated) or len(stems) != len(copies):
        stems = [f"++HLQ++.{queue_manager}.LOGCOPY{copy}.DS" for copy in copies]
    width = max((len(match["number"]) for match in numbered), default=_WIDTH)
    last = max([existing, *(int(match["number"]) for match in numbered)])
    return [
        (copy, f"{stem}{number:0{width}}")
        for number in range(last + 1, last + 1 + count)
        for copy, stem in zip(copies, stems, strict=True)
    ]


def old_names(stated: Sequence[str], copies: Sequence[int], existing: int) -> Iterator[str]:
    """Yield the names of today's data sets, with a placeholder for each that is not known."""
    yield from stated
    for number in range(len(stated) + 1, existing * len(copies) + 1):
        yield f"++OLD-ACTIVE-LOG-{number}++"
