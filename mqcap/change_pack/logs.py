"""Statements for active logs: define the clusters, format them, add them to the BSDS.

An active log keeps the size that it was defined with, so larger logs are new data sets; the
old ones leave the BSDS while the queue manager is down. Sources: DEFINE LOG, CSQJUFMT and
CSQJU003 in the IBM MQ reference; one step of CSQJUFMT formats one data set, and a job has at
most 255 steps. Of a linear data set the second share option can be 3 only (IDCAMS); the first
is 2, so that CSQJU004 and CSQ1LOGP can read while the queue manager writes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from mqcap.change_pack.statements import library
from mqcap.change_pack.targets import RequestedChange, amounts_of
from mqcap.domain.finding import Finding
from mqcap.domain.numbers import figure
from mqcap.domain.typed_amount import TypedKind
from sizing.log_space import LOG_CAP_CYLINDERS, LOGS_MAX, MIB_PER_CYLINDER, cylinders_for

STEPS_MAX: Final = 255
_YES: Final = ("yes", True)
"""How the input of a rule has a switch of the estate that is on; one that is off is ``no``."""


class LogPlan(NamedTuple):
    """Size and number of logs that satisfy all findings about one queue manager."""

    queue_manager: str
    cylinders: int
    existing: int | None
    """Logs in each copy today; ``None`` when the estate does not say."""
    new: int
    """Data sets to define in each copy."""
    replaces: bool
    """The new logs are larger than those of today and so take their place."""
    dual_logging: bool | None

    @property
    def copies(self) -> tuple[int, ...]:
        """The copies; both when it is not known whether there are two."""
        return (1,) if self.dual_logging is False else (1, 2)


def log_plan(queue_manager: str, changes: Sequence[RequestedChange]) -> LogPlan:
    """Return the largest size and the largest number that any of the changes recommends."""
    amounts = amounts_of(changes)
    cylinders = max(amount.value for amount in amounts)
    finding = changes[0].finding
    existing = _number(changes, "active_logs")
    size = _number(changes, "log_size_mib")
    today = (cylinders_for(size) or LOG_CAP_CYLINDERS) if size is not None else 0
    more = (amount for amount in amounts if amount.kind is TypedKind.more_data_sets)
    added = max((amount.data_sets for amount in more), default=0)
    replaces = cylinders > today
    total = (int(existing) if existing is not None else 1) + added
    return LogPlan(
        queue_manager=queue_manager,
        cylinders=min(cylinders, LOG_CAP_CYLINDERS),
        existing=None if existing is None else int(existing),
        new=min(total, LOGS_MAX) if replaces else added,
        replaces=replaces,
        dual_logging=_dual(finding),
    )


def log_needs(plan: LogPlan) -> tuple[str, ...]:
    """Return the DASD for the new data sets, and what larger logs do to a restart."""
    sets = plan.new * len(plan.copies)
    cylinders = sets * plan.cylinders
    mib = round(cylinders * MIB_PER_CYLINDER)
    dasd = (
        f"DASD: {sets} data sets x {figure(plan.cylinders)} cylinders of 3390 = "
        f"{figure(cylinders)} cylinders ({figure(mib)} MiB)"
    )
    if not plan.replaces:
        return (f"{dasd}.",)
    return (
        f"{dasd}, besides the old logs until those are deleted.",
        "Restart: more log can lie between two checkpoints; LOGLOAD still bounds it.",
    )


def log_statements(plan: LogPlan) -> Iterator[str]:
    """Yield IDCAMS, CSQJUFMT, DEFINE LOG and, where logs are replaced, removal of the old ones."""
    names = [(copy, _name(plan, copy, number)) for number in _numbers(plan) for copy in plan.copies]
    yield from _notes(plan)
    yield "//++JOBNAME++ JOB ++ACCOUNT++"
    yield "//DEFINE   EXEC PGM=IDCAMS"
    yield "//SYSPRINT DD SYSOUT=*"
    yield "//SYSIN    DD *"
    for _, name in names:
        yield from cluster(name, plan.cylinders)
    yield "/*"
    for start in range(0, len(names), STEPS_MAX):
        yield "//* format each new log; never one that a queue manager has in use"
        yield "//++JOBNAME++ JOB ++ACCOUNT++"
        yield "//JOBLIB   DD DISP=SHR,DSN=++THLQUAL++.SCSQANLE"
        yield "//         DD DISP=SHR,DSN=++THLQUAL++.SCSQAUTH"
        for step, (_, name) in enumerate(names[start : start + STEPS_MAX], 1):
            yield f"//FMT{step:<5}EXEC PGM=CSQJUFMT"
            yield "//SYSPRINT DD SYSOUT=*"
            yield f"//SYSUT1   DD DISP=OLD,DSN={name}"
    yield "* MQSC, each with the command prefix of the queue manager"
    for copy, name in names:
        yield f"DEFINE LOG('{name}') COPY({copy})"
    yield "DISPLAY LOG"
    if plan.replaces:
        yield from _retire()


def cluster(name: str, cylinders: int) -> Iterator[str]:
    """Yield the definition of a linear VSAM data set as the queue manager needs it."""
    yield "  DEFINE CLUSTER -"
    yield f"    (NAME({name}) -"
    yield "     LINEAR -"
    yield "     SHAREOPTIONS(2 3) -"
    yield "     VOLUMES(++VOLUME++) -"
    yield f"     CYLINDERS({cylinders})) -"
    yield "    DATA -"
    yield f"    (NAME({name}.DATA))"


def _notes(plan: LogPlan) -> Iterator[str]:
    if plan.dual_logging is None:
        yield "//* it is not known whether logging is dual: drop COPY2 if not"
    if plan.existing is None:
        yield "//* the number of logs is not known: repeat for each active log"
    yield "//* give a storage class instead of VOLUMES where SMS places the logs"
    if plan.replaces and plan.existing is not None and plan.existing + plan.new > LOGS_MAX:
        yield f"//* old and new logs together exceed {LOGS_MAX}: do it in two parts"


def _retire() -> Iterator[str]:
    """Yield the removal of the old logs once they are archived; their names are the site's own."""
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
    yield "  DELETE DSNAME=++OLD-ACTIVE-LOG++"
    yield "/*"


def _numbers(plan: LogPlan) -> range:
    first = (plan.existing or 0) + 1
    return range(first, first + plan.new)


def _name(plan: LogPlan, copy: int, number: int) -> str:
    return f"++HLQ++.{plan.queue_manager}.LOGCOPY{copy}.DS{number:02}"


def _number(changes: Sequence[RequestedChange], name: str) -> float | None:
    values = [
        value.value
        for requested in changes
        for value in requested.finding.inputs
        if value.name == name
    ]
    return next((value for value in values if isinstance(value, int | float)), None)


def _dual(finding: Finding) -> bool | None:
    """Return whether logs are dual; ``None`` where the finding does not know it."""
    values = (value.value for value in finding.inputs if value.name == "dual_logging")
    value = next(values, None)
    return None if value is None else value in _YES
