"""Statements for page sets, buffer pools and structures, and what every change takes.

Sources: ALTER BUFFPOOL, CSQUTIL FORMAT and COPYPAGE in the IBM MQ reference; the CFRM parameters
of the administrative data utility in Setting Up a Sysplex.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Final

from mqcap.change_pack.targets import PAGE_SET, STRUCTURE, NewValue, Target
from mqcap.domain.distributed.mq_name import unescaped
from mqcap.domain.numbers import duration, figure
from mqcap.domain.typed_amount import TypedKind
from sizing.log_space import MIB_PER_CYLINDER
from sizing.rulebook.registry import get


def _primary_files(target: Target, count: int) -> Iterator[str]:
    yield from _in_qm_ini(target, "Log", f"LogPrimaryFiles={count}")


def _max_channels(target: Target, count: int) -> Iterator[str]:
    yield from _in_qm_ini(target, "Channels", f"MaxChannels={count}")


def _max_depth(target: Target, count: int) -> Iterator[str]:
    yield from _alter_queue(target, f"MAXDEPTH({count})")


def _max_file(target: Target, mib: int) -> Iterator[str]:
    yield from _alter_queue(target, f"MAXFSIZE({mib})")


def _max_instances(target: Target, count: int) -> Iterator[str]:
    yield from _alter_channel(target, f"MAXINST({count})")


def _max_client_instances(target: Target, count: int) -> Iterator[str]:
    yield from _alter_channel(target, f"MAXINSTC({count})")


def _file_system(target: Target, pct: int) -> Iterator[str]:
    qmgr = unescaped(target.owner)
    yield f"# {qmgr}: file system of {pct} % of its size of today,"
    yield "# with the tools of the site; on an IBM MQ Appliance, once the queue"
    yield "# manager has ended (it only grows):"
    yield f"setmqsize -m {qmgr} -s ++{pct}-PERCENT-OF-TODAY++M"


def _mqm(target: Target, megabytes: int) -> Iterator[str]:
    yield f"* z/TPF system {unescaped(target.owner)}: {megabytes} MB of MQM;"
    yield "* the statement that defines it is in no document that was read:"
    yield f"++MQM-OF-THE-SYSTEM++ {megabytes} MB"
    yield "* after the IPL, so that the new size can be seen"
    yield "ZMQSC DISPLAY QMGR"


def _in_qm_ini(target: Target, stanza: str, line: str) -> Iterator[str]:
    qmgr = unescaped(target.owner)
    yield f"# qm.ini of {qmgr}; in force from its next start on:"
    yield f"# endmqm -w {qmgr}, then strmqm {qmgr}"
    yield f"{stanza}:"
    yield f"   {line}"


def _alter_queue(target: Target, operand: str) -> Iterator[str]:
    yield f"* MQSC of {unescaped(target.owner)}"
    yield f"ALTER QLOCAL('{unescaped(target.names[-1])}') +"
    yield f"  {operand}"


def _alter_channel(target: Target, operand: str) -> Iterator[str]:
    yield f"* MQSC of {unescaped(target.owner)}"
    yield f"ALTER CHANNEL('{unescaped(target.names[-1])}') CHLTYPE(SVRCONN) +"
    yield f"  {operand}"


DISTRIBUTED: Final[dict[str, Callable[[Target, int], Iterator[str]]]] = {
    "log_primary_files": _primary_files,
    "max_channels": _max_channels,
    "max_depth": _max_depth,
    "max_file_mib": _max_file,
    "max_instances": _max_instances,
    "max_client_instances": _max_client_instances,
    "file_system_pct": _file_system,
    "mqm_mb": _mqm,
}
"""By topic: the target and its value become lines."""


def _memlimit(name: str, gib: int) -> Iterator[str]:
    yield f"//* started task of the channel initiator, usually {name}CHIN"
    yield f"//PROCSTEP EXEC PGM=CSQXJST,REGION=0M,MEMLIMIT={gib}G"


def _maxchl(_name: str, amount: int) -> Iterator[str]:
    yield "* MQSC"
    yield f"ALTER QMGR MAXCHL({amount})"


def _adapters(_name: str, amount: int) -> Iterator[str]:
    yield "* MQSC"
    yield f"ALTER QMGR CHIADAPS({amount})"


def _dispatchers(_name: str, amount: int) -> Iterator[str]:
    yield "* MQSC"
    yield f"ALTER QMGR CHIDISPS({amount})"


def _ssltasks(_name: str, amount: int) -> Iterator[str]:
    yield "* MQSC"
    yield f"ALTER QMGR SSLTASKS({amount})"


def _outbuff(_name: str, amount: int) -> Iterator[str]:
    yield "* CSQ6LOGP macro of the system parameter module; takes a restart"
    yield f"         CSQ6LOGP ++OTHER-PARAMETERS++,OUTBUFF={amount}"


def _maxarch(_name: str, amount: int) -> Iterator[str]:
    yield "* MQSC until the next restart, from the next offload on"
    yield f"SET LOG MAXARCH({amount})"
    yield "* CSQ6LOGP macro of the system parameter module, to keep it"
    yield f"         CSQ6LOGP ++OTHER-PARAMETERS++,MAXARCH={amount}"


def _compression(_name: str, _amount: int) -> Iterator[str]:
    yield "* MQSC until the next restart; COMPLOG in CSQ6LOGP to keep it"
    yield "SET LOG COMPLOG(RLE)"


def _smds_buffers(name: str, amount: int) -> Iterator[str]:
    yield "* MQSC; an override for this queue manager only"
    yield f"ALTER SMDS({name}) CFSTRUCT(++STRUCTURE++) +"
    yield f"  DSBUFS({amount})"


def _smds_space(name: str, _pct: int) -> Iterator[str]:
    yield "* MQSC; an override for this queue manager only"
    yield f"ALTER SMDS({name}) CFSTRUCT(++STRUCTURE++) +"
    yield "  DSEXPAND(YES)"


def _sharecnv(_name: str, conversations: int) -> Iterator[str]:
    yield "* MQSC: the definitions, and what their connections share today"
    yield "DISPLAY CHANNEL(*) TYPE(SVRCONN) SHARECNV"
    yield "DISPLAY CHSTATUS(*) CURSHCNV"
    yield "* for each definition whose clients do not share"
    yield "ALTER CHANNEL(++CHANNEL++) CHLTYPE(SVRCONN) +"
    yield f"  SHARECNV({conversations})"


def _batch_interval(_name: str, amount: int) -> Iterator[str]:
    yield "* MQSC for each channel; counts from its next start on"
    yield f"ALTER CHANNEL(++CHANNEL++) CHLTYPE(++SDR-SVR++) BATCHINT({amount})"


def _processes(_name: str, amount: int) -> Iterator[str]:
    yield "//* operator command until the next IPL; MAXPROCUSER in BPXPRMxx"
    yield "//* to keep it; a limit of the OMVS segment goes before both"
    yield f"SETOMVS MAXPROCUSER={amount}"


COMMANDS: Final[dict[str, Callable[[str, int], Iterator[str]]]] = {
    "memlimit_gib": _memlimit,
    "maxchl": _maxchl,
    "adapters": _adapters,
    "dispatchers": _dispatchers,
    "ssltasks": _ssltasks,
    "outbuff_kb": _outbuff,
    "maxarch": _maxarch,
    "log_compression": _compression,
    "smds_buffers": _smds_buffers,
    "smds_size_pct": _smds_space,
    "sharecnv": _sharecnv,
    "batch_interval_ms": _batch_interval,
    "processes": _processes,
}
"""By topic: the name of the queue manager and the value become lines."""


PAGE_SET_SIMPLE_MAX_CYLINDERS: Final = 5_825
"""Just under 4 GiB; a larger data set needs extended addressability."""


def statements(new: NewValue) -> Iterator[str]:
    """Return the statements that give a target its value.

    Active logs have statements of their own in ``logs``.
    """
    target, value = new
    if target.topic in _OWN:
        return _OWN[target.topic](target, value)
    return COMMANDS[target.topic](target.owner, value)


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


def _buffers(target: Target, amount: int) -> Iterator[str]:
    pool = "++NUMBER++" if target.number is None else target.number
    yield "* MQSC at once; message CSQP023I says when it is complete"
    yield f"ALTER BUFFPOOL({pool}) BUFFERS({amount})"
    yield "* the same figure in the CSQINP1 input for the next restart, keeping"
    yield "* LOCATION and PAGECLAS as they are"
    yield f"DEFINE BUFFPOOL({pool}) BUFFERS({amount}) ++LOCATION++ ++PAGECLAS++"


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


_Writer = Callable[[Target, int], Iterator[str]]
_OWN: Final[dict[str, _Writer]] = {
    str(TypedKind.buffers): _buffers,
    STRUCTURE: _structure,
    PAGE_SET: _page_set,
    **DISTRIBUTED,
}
WRITTEN: Final = frozenset(_OWN) | frozenset(COMMANDS)
"""Topics with statements, besides active logs."""
