"""Text files of queue managers of a site: qm.ini, and error logs as AMQERR01.LOG or container."""

import textwrap
from collections.abc import Iterator
from typing import Final, NamedTuple

from devtools.simulator.site.site_figures import SiteFigures
from devtools.simulator.site.site_spec import ExhaustionMessage, Producer
from devtools.simulator.timeline import instant_utc
from mqcap.ingest.error_log.records import HEADER as LOG_HEADER
from mqcap.ingest.qm_ini.source import HEADER as INI_HEADER

_WIDTH: Final = 79
_MODULE: Final = "amqqmlog.c : 402"
_INDENT: Final = " " * 22
_TEXTS: Final = {
    ExhaustionMessage.log_full: "The log for queue manager '{}' is full.",
    ExhaustionMessage.channels_reached: "Maximum number of channels reached.",
}


class _Record(NamedTuple):
    """A record of an error log: its message and inserts, whatever the shape."""

    time_us: int
    message: str
    text: str
    inserts: tuple[tuple[str, str], ...] = ()


def qm_ini(figures: SiteFigures) -> str:
    """Return the qm.ini of a queue manager, captured at the begin of its first day."""
    spec = figures.spec
    folder = spec.name.replace(".", "!")
    begin = instant_utc(int(figures.intervals.start_us[0]))
    log_type = "REPLICATED" if spec.seen_by is Producer.container else "CIRCULAR"
    stamp = f"QMGR({spec.name}) HOST({spec.host}) NOW({begin:%Y-%m-%dT%H:%M:%S}+0000)"
    return "\n".join(
        (
            f"{INI_HEADER} {stamp}",
            "#* Module Name: qm.ini",
            "ExitPath:",
            "   ExitsDefaultPath=/var/mqm/exits",
            "   ExitsDefaultPath64=/var/mqm/exits64",
            "Log:",
            f"   LogPrimaryFiles={spec.primary_files}",
            f"   LogSecondaryFiles={spec.secondary_files}",
            f"   LogFilePages={spec.file_pages}",
            f"   LogType={log_type}",
            "   LogBufferPages=0",
            f"   LogPath=/var/mqm/log/{folder}/",
            "   LogWriteIntegrity=TripleWrite",
            "Service:",
            "   Name=AuthorizationService",
            "   EntryPoints=14",
            "Channels:",
            f"   MaxChannels={spec.max_channels}",
            "TuningParameters:",
            "   MonitorPublishHeartBeat=10",
            "",
        )
    )


def error_log(figures: SiteFigures, begin_us: int, end_us: int) -> str:
    """Return what the error log says from one instant to before another; empty for nothing.

    Containers write lines; others AMQERR01.LOG.
    """
    records = [record for record in _records(figures) if begin_us <= record.time_us < end_us]
    records.sort(key=lambda record: record.time_us)
    spec = figures.spec
    if not records:
        return ""
    if spec.seen_by is Producer.container:
        lines = [f"{LOG_HEADER} QMGR({spec.name}) HOST({spec.host})", *map(_line, records)]
    else:
        lines = [
            line for number, record in enumerate(records) for line in _text(figures, number, record)
        ]
    return "\n".join((*lines, ""))


def _records(figures: SiteFigures) -> Iterator[_Record]:
    """Yield planted events, and what each regular restart writes.

    That is the end, the start and the use of both file systems.
    """
    spec = figures.spec
    named = (("CommentInsert1", spec.name),)
    for time_us, message in figures.events:
        yield _Record(time_us, message.value, _TEXTS[message].format(spec.name), named)
    for restart in figures.restarts:
        text = f"IBM MQ queue manager '{spec.name}' ended."
        yield _Record(restart.ended_us, "AMQ8004I", text, named)
        started = (("CommentInsert1", spec.mq_level), ("CommentInsert3", spec.name))
        text = f"IBM MQ queue manager '{spec.name}' started using V{spec.mq_level}."
        yield _Record(restart.started_us, "AMQ8003I", text, started)
        place = int((figures.intervals.end_us <= restart.started_us).sum()) - 1
        for name, use_pct, size_mib in (
            ("qmgrs", figures.data_fs_pct, spec.data_fs_mib),
            ("log", figures.log_fs_pct, spec.log_fs_mib),
        ):
            path = f"/var/mqm/{name}/{spec.name}"
            yield _file_system(restart.started_us, path, float(use_pct[place]), size_mib)


def _file_system(time_us: int, path: str, used_pct: float, size_mib: float) -> _Record:
    free_mib = round(size_mib * (1 - used_pct / 100))
    inserts = (
        ("ArithInsert1", f"{used_pct:.2f}"),
        ("CommentInsert1", path),
        ("CommentInsert2", f"{size_mib:.0f}"),
        ("CommentInsert3", f"{free_mib}"),
    )
    text = f"File system containing '{path}' is {used_pct:.2f}% used, {free_mib}MB free."
    return _Record(time_us, "AMQ5782I", text, inserts)


def _line(record: _Record) -> str:
    inserts = ", ".join(f"{name}({value})" for name, value in record.inserts)
    time = f"{instant_utc(record.time_us):%Y-%m-%dT%H:%M:%S}.501Z"
    return f"{time} {record.message}: {record.text} [{inserts}]"


def _text(figures: SiteFigures, number: int, record: _Record) -> Iterator[str]:
    """Yield the lines of a record of AMQERR01.LOG; the time of its heading is local."""
    spec = figures.spec
    utc = instant_utc(record.time_us)
    local = figures.local(record.time_us)
    yield f"{local:%m/%d/%Y %I:%M:%S %p} - Process(4000.{number + 1}) User(mqm) Program(amqzxma0)"
    yield f"{_INDENT}Host({spec.host}) Installation(Installation1)"
    yield f"{_INDENT}VRMF({spec.mq_level}) QMgr({spec.name})"
    yield f"{_INDENT}Time({utc:%Y-%m-%dT%H:%M:%S}.501Z)"
    yield from (f"{_INDENT}{name}({value})" for name, value in record.inserts)
    yield _INDENT
    yield from textwrap.wrap(f"{record.message}: {record.text}", _WIDTH)
    yield from ("", "EXPLANATION:", "See the message.", "ACTION:", "None.")
    yield f"----- {_MODULE} ".ljust(_WIDTH - 1, "-")
