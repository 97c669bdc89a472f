"""Lines of qm.ini and MQSC for queue managers that are not on z/OS, and of z/TPF.

Sources: the Log and Channels stanzas of qm.ini, ALTER QLOCAL, ALTER CHANNEL, Changing the size of
an IBM MQ queue file, setmqsize of the IBM MQ Appliance. No document that was read says how z/TPF
defines MQM.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from mqcap.change_pack.targets import Target
from mqcap.domain.distributed.mq_name import unescaped


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
