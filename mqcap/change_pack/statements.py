"""Statements for page sets, buffer pools and structures, and what every change takes.

Sources: ALTER BUFFPOOL, CSQUTIL FORMAT and COPYPAGE in the IBM MQ reference; the CFRM parameters
of the administrative data utility in Setting Up a Sysplex.
"""

import math
from collections.abc import Callable, Iterator
from typing import Final

from mqcap.change_pack.targets import PAGE_SET, STRUCTURE, NewValue, Target
from mqcap.domain.distributed.mq_name import unescaped
from mqcap.domain.numbers import duration, figure
from mqcap.operands.declared import TOPICS
from sizing.log_space import MIB_PER_CYLINDER
from sizing.rulebook.registry import get

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
