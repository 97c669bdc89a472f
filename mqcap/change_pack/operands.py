"""The operands that a change pack writes: their ranges, and where each was looked up.

An operand that no document describes is not guessed: the pack prints a line that it is to be
checked, and the page on operands lists it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from mqcap.domain.numbers import figure
from sizing.operands import RangeCertainty, operand_ranges
from sizing.sources import mp16

_MQ: Final = "IBM MQ reference"
_ZOS: Final = "z/OS reference"
_RANGES: Final = {each.key: each for each in operand_ranges()}


class Operand(NamedTuple):
    """Operand of the statements about a topic."""

    topic: str
    operand: str
    takes: str
    """Range or form, or what is not known of it."""
    source: str
    """Document and topic; empty: found in none, so it is to be checked."""


OPERANDS: Final = (
    Operand("logs", "DEFINE CLUSTER ... LINEAR CYLINDERS(n) VOLUMES(v)",
            "n up to 5,825: 4 GiB is the largest log",
            f"{_ZOS}: DEFINE CLUSTER; {mp16('How large can your active logs be?')}"),
    Operand("logs", "SHAREOPTIONS(2 3)",
            "the second is 3 for every linear data set; 2: read while one writes",
            f"{_ZOS}: Creating a linear data set"),
    Operand("logs", "CSQJUFMT, SYSUT1",
            "one data set a step, 255 steps a job; 'You can only run the CSQJUFMT program before "
            "starting the queue manager that use the logs': here only on data sets that no BSDS "
            "lists yet, as DEFINE LOG allows (optionally, formatted by utility CSQJUFMT)",
            f"{_MQ}: The active log preformat utility, DEFINE LOG"),
    Operand("logs", "DEFINE LOG('name') COPY(n)", "name up to 44 characters, n 1 or 2; 310 a copy",
            f"{_MQ}: DEFINE LOG, NEWLOG"),
    Operand("logs", "CSQJU003: DELETE DSNAME=, NEWLOG DSNAME=,COPYn",
            "queue manager down; both BSDS in one run; SYSPRINT with BLKSIZE=629",
            f"{_MQ}: Invoking the CSQJU003 utility; Changes for active logs"),
    Operand("buffers", "ALTER and DEFINE BUFFPOOL(n) BUFFERS(b)",
            f"n 0 to 99; b {_RANGES['buffers'].span}; 500,000 at most BELOW",
            f"{_MQ}: ALTER BUFFPOOL, DEFINE BUFFPOOL"),
    Operand("buffers", "LOCATION(ABOVE or BELOW) PAGECLAS(4KB or FIXED4KB)",
            "BELOW is the default, and deprecated since 9.1",
            f"{_MQ}: DEFINE BUFFPOOL"),
    Operand("page_set", "CYLINDERS(primary secondary) DATACLASS(class)",
            "64 GB in all; from 4 GiB extended addressability",
            f"{_ZOS}: DEFINE CLUSTER; {mp16('Size of page sets')}"),
    Operand("page_set", "CSQUTIL FORMAT (CSQPnnnn), COPYPAGE (CSQSnnnn, CSQTnnnn)",
            "0000 to 0099; one step may do both; never to a smaller page set",
            f"{_MQ}: FORMAT, COPYPAGE; {mp16('IBM MQ Utilities: CSQUTIL')}"),
    Operand("structure_kib", "STRUCTURE NAME() SIZE(n[u]) INITSIZE(n[u]) PREFLIST()",
            "the rest (MINSIZE, DUPLEX, ALLOWAUTOALT) as it is; INITSIZE half of SIZE or more",
            f"{_ZOS}: CFRM parameters for administrative data utility; "
            f"{mp16('What size CF structures should be defined?')}"),
    Operand("structure_kib", "SETXCF START,ALTER,STRNAME=,SIZE=n", "n in KB, up to SIZE",
            f"{mp16('Use of system initiated alter processing')}, its example"),
    Operand("structure_kib", "SETXCF START,POLICY and START,REBUILD",
            "TYPE=CFRM,POLNAME= and STRNAME=",
            f"{_ZOS}: Administrative data utility for CFRM; Db2, structure size allocation"),
    Operand("outbuff_kb", "CSQ6LOGP OUTBUFF=n", "KB, 4,000 at most and by default",
            f"{_MQ}: Using CSQ6LOGP; "
            f"{mp16('Performance implications of very large messages')}"),
    Operand("maxarch", "CSQ6LOGP MAXARCH=n, SET LOG MAXARCH(n)",
            f"{_RANGES['maxarch'].span}; next offload on",
            f"{mp16('Backup CFSTRUCT limit')}; {_MQ}: SET LOG"),
    Operand("log_compression", "SET LOG COMPLOG(RLE)", "NONE, RLE or ANY",
            f"{_MQ}: SET LOG, Using CSQ6LOGP"),
    Operand("maxchl", "ALTER QMGR MAXCHL(n)", _RANGES['maxchl'].span, f"{_MQ}: MaxChannels"),
    Operand("adapters", "ALTER QMGR CHIADAPS(n)",
            f"up to {figure(_RANGES['adapters'].high)}, {_RANGES['adapters'].default} by default; "
            "MP16 found no disadvantage at 120",
            f"{_MQ}: ChinitAdapters; {mp16('CHIADAPS')}"),
    Operand("dispatchers", "ALTER QMGR CHIDISPS(n)", _RANGES['dispatchers'].span,
            f"{_MQ}: ChinitDispatchers"),
    Operand("ssltasks", "ALTER QMGR SSLTASKS(n)",
            f"{_RANGES['ssltasks'].span}; {_RANGES['ssltasks'].remark}", ""),
    Operand("memlimit_gib", "EXEC PGM=CSQXJST,MEMLIMIT=nG", "2G at least from 9.4",
            f"{mp16('Channel initiator storage usage')}; "
            f"{_MQ}: Create procedures for the channel initiator"),
    Operand("memlimit_gib", "step name PROCSTEP, REGION=0M",
            "step name and the other operands are those of your own procedure", ""),
    Operand("smds_buffers", "ALTER SMDS(qmgr) CFSTRUCT(name) DSBUFS(n)",
            f"{_RANGES['smds_buffers'].span} or DEFAULT", f"{_MQ}: ALTER SMDS"),
    Operand("smds_size_pct", "ALTER SMDS(qmgr) CFSTRUCT(name) DSEXPAND(YES)",
            "YES, NO or DEFAULT, which is that of the structure", f"{_MQ}: ALTER SMDS"),
    Operand("sharecnv", "ALTER CHANNEL(name) CHLTYPE(SVRCONN) SHARECNV(n)",
            "0 to 999,999,999, 10 by default; 0: one conversation, as before version 7",
            f"{_MQ}: Sharing conversations (SHARECNV); "
            f"{mp16('Why would I use channels with shared conversations?')}"),
    Operand("batch_interval_ms", "ALTER CHANNEL CHLTYPE(SDR) BATCHINT(ms)",
            "0 to 999,999,999; SDR, SVR, CLUSSDR and CLUSRCVR; MP16 uses 0 to 10,000",
            f"{_MQ}: Batch interval (BATCHINT)"),
    Operand("processes", "SETOMVS MAXPROCUSER=n",
            f"{_RANGES['omvs_maxprocuser'].span} by an answer of IBM's developers, no document",
            ""),
    Operand("log_primary_files", "qm.ini Log: LogPrimaryFiles=n",
            f"{_RANGES['log_primary_files'].span}; {_RANGES['log_primary_files'].remark}",
            f"{_MQ}: Log stanza of the qm.ini file"),
    Operand("max_channels", "qm.ini Channels: MaxChannels=n",
            f"{_RANGES['max_channels'].span}; {_RANGES['max_channels'].remark}",
            f"{_MQ}: MaxChannels, Channels stanza of the qm.ini file"),
    Operand("max_depth", "ALTER QLOCAL(name) MAXDEPTH(n)", "0 to 999,999,999",
            f"{_MQ}: Maximum queue depth (MAXDEPTH)"),
    Operand("max_file_mib", "ALTER QLOCAL(name) MAXFSIZE(n)",
            f"MB, {_RANGES['max_file_mib'].span} or DEFAULT; since 9.1.5",
            f"{_MQ}: Changing the size of an IBM MQ queue file; {_RANGES['max_file_mib'].source}"),
    Operand("max_instances", "ALTER CHANNEL(name) CHLTYPE(SVRCONN) MAXINST(n)",
            "0 to 999,999,999, the default, which is no limit; 0: no client may connect",
            f"{_MQ}: Maximum instances (MAXINST)"),
    Operand("max_client_instances", "ALTER CHANNEL(name) CHLTYPE(SVRCONN) MAXINSTC(n)",
            "0 to 999,999,999, the default, which is no limit; 0: no client may connect",
            f"{_MQ}: Maximum instances per client (MAXINSTC)"),
    Operand("file_system_pct", "setmqsize -m QMname -s size",
            "G, or M or G behind the figure; IBM MQ Appliance alone, and never smaller",
            "IBM MQ Appliance reference: setmqsize"),
    Operand("mqm_mb", "MQM of a z/TPF system",
            "MB; where it is defined, and that it counts from the next IPL on", ""),
)  # fmt: skip


def operands_of(topic: str) -> Iterator[str]:
    """Yield the operands of a topic with their ranges, and which of them are to be checked."""
    for operand in OPERANDS:
        if operand.topic == topic:
            source = f"({operand.source})" if operand.source else "(in no document: to be checked)"
            yield f"{operand.operand}: {operand.takes} {source}."


def operands_page() -> Iterator[str]:
    """Yield the lines of the page on operands."""
    yield "# Operands of a change pack"
    yield ""
    yield "Written by `make docs`. A pack was never run: the operands below were compared with the"
    yield "documents named. What was found in none says so here, and in the pack itself."
    yield ""
    yield "| change | operand | takes | looked up in |"
    yield "| --- | --- | --- | --- |"
    for operand in OPERANDS:
        source = operand.source or "**to be checked**"
        yield f"| {operand.topic} | `{operand.operand}` | {operand.takes} | {source} |"
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
    for each in operand_ranges():
        kind, restart = (word.replace("_", " ") for word in (each.subject_kind, each.restart))
        statement = f"`{each.operand}`" if each.operand else ""
        source = "**to be checked**" if each.certainty is RangeCertainty.C else each.source
        yield (
            f"| {kind} | `{each.key}` | {statement} | {each.range_text} | {each.default} "
            f"| {restart} | {each.certainty} | {source} | {each.remark} |"
        )
