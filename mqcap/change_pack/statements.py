"""What a change pack changes, its operands, and statements for all but active logs.

Sources: ALTER BUFFPOOL, CSQUTIL FORMAT and COPYPAGE in the IBM MQ reference; the CFRM parameters
of the administrative data utility in Setting Up a Sysplex. An operand that no document describes is
not guessed: the pack prints a line that it is to be checked, and the page on operands lists it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from string import ascii_uppercase
from typing import Final, NamedTuple

from mqcap.domain.distributed.mq_name import unescaped
from mqcap.domain.finding import Finding
from mqcap.domain.numbers import duration, figure
from mqcap.domain.plan import PlanChange
from mqcap.domain.subject import Subject
from mqcap.domain.typed_amount import TypedKind
from mqcap.domain.units import CYLINDER_3390_BYTES, PAGE_BYTES
from mqcap.operands.declared import SETTINGS, TOPICS, Operand, RangeCertainty
from sizing.log_space import MIB_PER_CYLINDER
from sizing.mqm import megabytes_of
from sizing.rulebook.registry import get
from sizing.sources import mp16

LOGS: Final = "logs"
PAGE_SET: Final = "page_set"
STRUCTURE: Final = "structure_kib"
MQM: Final = "mqm_mb"
LOG_KEYS: Final = frozenset({"active_log_size_mib", "active_logs"})
_TOPICS: Final = {key: topic for topic, about in TOPICS.items() for key in about.keys}
"""By key of a plan's settings, where a statement has the value."""
_KIB_PER_MIB: Final = 1_024
_PAGES_PER_CYLINDER: Final = CYLINDER_3390_BYTES // PAGE_BYTES
_VALUES: Final[dict[str, Callable[[float], int]]] = {
    PAGE_SET: lambda pages: math.ceil(pages / _PAGES_PER_CYLINDER),
    STRUCTURE: lambda mib: math.ceil(mib) * _KIB_PER_MIB,
    MQM: megabytes_of,
}


class Target(NamedTuple):
    """Object that is changed."""

    sysplex: str
    names: tuple[str, ...]
    """Its path below the sysplex, such as ``("CSQ1", "BP01")``."""
    topic: str

    @property
    def owner(self) -> str:
        """The queue manager, or the structure itself."""
        return self.names[0]

    @property
    def number(self) -> int | None:
        """Number of the buffer pool or page set: 1 of ``BP01``; ``None`` for other names."""
        digits = self.names[-1].lstrip(ascii_uppercase)
        return int(digits) if len(self.names) > 1 and digits.isdecimal() else None

    @classmethod
    def of(cls, subject: str, topic: str) -> Target:
        """Return the target of a subject.

        A structure belongs to the policy of its sysplex, whichever CF it is allocated in.
        """
        sysplex, *rest = Subject(subject).names
        return cls(sysplex, tuple(rest[-1:] if topic == STRUCTURE else rest), topic)


class NewValue(NamedTuple):
    """A target with the figure that is typed for it."""

    target: Target
    value: int


def values_of_plan(changes: Iterable[PlanChange]) -> list[NewValue]:
    """Return what is typed for the changes of a plan, each target once; active logs are left out.

    Schedules of backups, engines and moved channels have no statement.
    """
    return list(dict.fromkeys(value for change in changes for value in _of_change(change)))


def values_of_findings(findings: Iterable[Finding]) -> list[NewValue]:
    """Return what is typed for the changes of single findings; active logs are left out."""
    return list(dict.fromkeys(value for finding in findings for value in _of_finding(finding)))


def _of_change(change: PlanChange) -> Iterator[NewValue]:
    for key, value in change.settings.items():
        topic = _TOPICS.get(key)
        is_as_today = change.settings.get(f"{key}_from") == value
        if topic is not None and not is_as_today and not isinstance(value, str):
            yield NewValue(
                Target.of(change.subject, topic), _VALUES.get(topic, math.ceil)(float(value))
            )


def _of_finding(finding: Finding) -> Iterator[NewValue]:
    for change in finding.changes:
        if change.amount is None:
            continue
        is_space = change.amount.kind == TypedKind.cylinders
        is_page_set = is_space and len(finding.subject.names) > 2
        topic = PAGE_SET if is_page_set else str(change.amount.kind)
        if topic in TOPICS:
            yield NewValue(Target.of(finding.subject, topic), change.amount.value)


PAGE_SET_SIMPLE_MAX_CYLINDERS: Final = 5_825
"""Just under 4 GiB; a larger data set needs extended addressability."""


def statements(new: NewValue) -> Iterator[str]:
    """Return the statements that give a target its value.

    Active logs have statements of their own in ``logs``.
    """
    target, value = new
    if target.topic in _OWN:
        return _OWN[target.topic](target, value)
    number = "++NUMBER++" if target.number is None else target.number
    qmgr, thing = unescaped(target.owner), unescaped(target.names[-1])
    lines = TOPICS[target.topic].lines
    return iter(lines.format(value=value, qmgr=qmgr, object=thing, number=number).splitlines())


def needs_of(new: NewValue) -> tuple[str, ...]:
    """Return what the cost of a plan does not have: space until the old data set goes, time."""
    target, value = new
    if target.topic != PAGE_SET:
        return ()
    gib = value * MIB_PER_CYLINDER / 1_024
    return (
        f"New: {figure(value)} cylinders ({figure(gib)} GiB), besides the old data set.",
        (
            f"Time: FORMAT about {_utility('FORMAT', gib)} and COPYPAGE about "
            f"{_utility('COPYPAGE', gib)} (PS-CSQUTIL), while the queue manager is down."
        ),
    )


def _utility(function: str, gib: float) -> str:
    """Return how long a function of CSQUTIL takes for so much, as MP16 measured it."""
    result = get("PS-CSQUTIL").answer({"function": function, "gb": gib})
    return duration(float(result["elapsed_s"]))


def library() -> Iterator[str]:
    """Yield the load libraries of the utilities."""
    yield "//STEPLIB  DD DISP=SHR,DSN=++THLQUAL++.SCSQANLE"
    yield "//         DD DISP=SHR,DSN=++THLQUAL++.SCSQAUTH"


def _page_set(target: Target, cylinders: int) -> Iterator[str]:
    number = target.number or 0
    name = f"++HLQ++.{target.owner}.NEW.PSID{number:02}"
    yield "//* queue manager stopped normally; back the page set up first"
    yield "//++JOBNAME++ JOB ++ACCOUNT++"
    yield "//DEFINE   EXEC PGM=IDCAMS"
    yield "//SYSPRINT DD SYSOUT=*"
    yield "//SYSIN    DD *"
    yield "  DEFINE CLUSTER -"
    yield f"    (NAME({name}) -"
    yield "     LINEAR -"
    yield "     SHAREOPTIONS(2 3) -"
    if cylinders > PAGE_SET_SIMPLE_MAX_CYLINDERS:
        yield "     DATACLASS(++EXTENDED-ADDRESSABILITY++) -"
    yield "     VOLUMES(++VOLUME++) -"
    yield f"     CYLINDERS({cylinders} ++SECONDARY++)) -"
    yield "    DATA -"
    yield f"    (NAME({name}.DATA))"
    yield "/*"
    yield "//EXPAND   EXEC PGM=CSQUTIL"
    yield from library()
    yield "//SYSPRINT DD SYSOUT=*"
    yield f"//CSQP{number:04} DD DISP=OLD,DSN={name}"
    yield f"//CSQS{number:04} DD DISP=OLD,DSN=++OLD-PAGE-SET++"
    yield f"//CSQT{number:04} DD DISP=OLD,DSN={name}"
    yield "//SYSIN    DD *"
    yield "FORMAT"
    yield "COPYPAGE"
    yield "/*"
    yield f"//* then point CSQP{number:04} of the started task at the new one"


def _structure(target: Target, size_kib: int) -> Iterator[str]:
    name = target.owner
    yield "//++JOBNAME++ JOB ++ACCOUNT++"
    yield "//POLICY   EXEC PGM=IXCMIAPU"
    yield "//SYSPRINT DD SYSOUT=*"
    yield "//SYSIN    DD *"
    yield "  DATA TYPE(CFRM) REPORT(YES)"
    yield "  DEFINE POLICY NAME(++NEW-POLICY++) REPLACE(NO)"
    yield "    ++ALL-CF-STATEMENTS-OF-THE-POLICY-IN-USE++"
    yield f"    STRUCTURE NAME({name})"
    yield f"      SIZE({size_kib}K)"
    yield f"      INITSIZE({math.ceil(size_kib / 2)}K)"
    yield "      ++OTHER-PARAMETERS-AS-THEY-ARE++"
    yield "      PREFLIST(++AS-IT-IS++)"
    yield "    ++ALL-OTHER-STRUCTURES-OF-THE-POLICY-IN-USE++"
    yield "/*"
    yield "//* operator commands: take the policy in, alter; rebuild only if"
    yield "//* D XCF,STR still shows the change as pending"
    yield "SETXCF START,POLICY,TYPE=CFRM,POLNAME=++NEW-POLICY++"
    yield f"SETXCF START,ALTER,STRNAME={name},SIZE={size_kib}"
    yield f"SETXCF START,REBUILD,STRNAME={name}"
    yield f"D XCF,STR,STRNAME={name}"


_OWN: Final[dict[str, Callable[[Target, int], Iterator[str]]]] = {
    STRUCTURE: _structure,
    PAGE_SET: _page_set,
}


_DOCUMENTS: Final = {
    "mq": "IBM MQ reference",
    "zos": "z/OS reference",
    "appliance": "IBM MQ Appliance reference",
}


def operands_of(topic: str) -> Iterator[str]:
    """Yield the operands of a topic with their ranges, and which of them are to be checked."""
    for operand in TOPICS[topic].operands:
        source = looked_up_in(operand) or "in no document: to be checked"
        yield f"{operand.operand}: {operand.takes} ({source})."


def operands_page() -> Iterator[str]:
    """Yield the lines of the page on operands."""
    yield "# Operands of a change pack"
    yield ""
    yield "Written by `make docs`. A pack was never run: the operands below were compared with the"
    yield "documents named. What was found in none says so here, and in the pack itself."
    yield ""
    yield "| change | operand | takes | looked up in |"
    yield "| --- | --- | --- | --- |"
    for topic, about in TOPICS.items():
        for operand in about.operands:
            source = looked_up_in(operand) or "**to be checked**"
            yield f"| {topic} | `{operand.operand}` | {operand.takes} | {source} |"
    yield ""
    yield from _settings_table()
    yield ""
    yield "Two messages that rules count are read by their number only, since no document has their"
    yield "complete text: CSQW133E (MP16: TRACE DATA LOST) and CSQX068I (MP16: the scavenger's)."
    yield "Whatever follows the number, they are counted."


def _settings_table() -> Iterator[str]:
    yield "## Settings of a what-if scenario"
    yield ""
    yield "Beside these a scenario takes every key of the [estate](estate.md). A default is that of"
    yield "the documents; *site* is a figure of the site, which no document bounds; B was read in a"
    yield "document of another kind, C in none: check it before use."
    yield ""
    yield "| subject | key | set by | takes | default | restart | certainty | source | remark |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for setting in SETTINGS.values():
        statement = f"`{setting.operand}`" if setting.operand else ""
        source = "**to be checked**" if setting.certainty is RangeCertainty.C else setting.source
        for kind in setting.of:
            yield (
                f"| {kind.replace('_', ' ')} | `{setting.key}` | {statement} "
                f"| {setting.range_text} | {setting.default} "
                f"| {setting.restart.replace('_', ' ')} | {setting.certainty} "
                f"| {source} | {setting.remark} |"
            )


def looked_up_in(operand: Operand) -> str:
    """Return documents and sections as a text; empty without any."""
    return "; ".join(
        str(mp16(section)) if document == "mp16" else f"{_DOCUMENTS[document]}: {section}"
        for cited in operand.source
        for document, section in cited.items()
    )
