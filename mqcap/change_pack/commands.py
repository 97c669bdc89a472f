"""Changes that are one command or one parameter.

Sources: ALTER QMGR, SET LOG, ALTER SMDS, ALTER CHANNEL, CSQ6LOGP and the channel initiator's
storage in the IBM MQ reference; SETOMVS and BPXPRMxx in the z/OS library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final


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
    "batch_interval_ms": _batch_interval,
    "processes": _processes,
}
"""By topic: the name of the queue manager and the value become lines."""
