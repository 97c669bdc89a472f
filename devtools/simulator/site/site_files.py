"""Files of the sites of an estate: what tells about queue managers and z/TPF systems."""

import textwrap
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from devtools.simulator.site.manager_inputs import INPUTS
from devtools.simulator.site.published import prometheus_answer, published
from devtools.simulator.site.site_figures import (
    SiteFigures,
    SiteZtpfFigures,
    site_figures,
    ztpf_figures,
)
from devtools.simulator.site.site_spec import ExhaustionMessage, Producer, SiteSpec
from devtools.simulator.timeline import Period, SimulatedPeriod, instant_utc
from mqcap.ingest.error_log.records import HEADER as LOG_HEADER
from mqcap.ingest.qm_ini.source import HEADER as INI_HEADER

FOLDER: Final = "sites"
_END_OF_TIME_US: Final = 2**62


def write_sites(
    sites: Iterable[SiteSpec],
    span: SimulatedPeriod,
    periods: Iterable[Period],
    out_dir: Path,
) -> list[Path]:
    """Write the files of all sites into ``sites/`` and return them.

    An answer of Prometheus per period, and displays and console of each z/TPF system; of each queue
    manager a qm.ini, its further inputs of each daily period, and error logs with what happened
    before the daily periods and on each of them.
    """
    parts = list(periods)
    return [file for site in sites for file in _write(site, span, parts, out_dir / FOLDER)]


def _write(
    site: SiteSpec, span: SimulatedPeriod, periods: list[Period], folder: Path
) -> Iterator[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    qmgrs = site_figures(site, span)
    systems = ztpf_figures(site, span)
    days = [period for period in periods if period.is_daily]
    for figures in qmgrs:
        yield from _texts(figures, days, folder)
    for period in periods:
        scraped = [
            series
            for one in qmgrs
            if one.spec.is_scraped_to_the_end or not period.is_daily
            if (part := one.of_days(period.first, period.last))
            for series in published(part)
        ]
        if scraped:
            path = folder / f"{site.name}.{period.name}.json"
            path.write_bytes(prometheus_answer(scraped))
            yield path
        for figures in qmgrs if period.is_daily else ():
            yield from _inputs(figures, period, folder)
        for system in systems:
            yield from _of_ztpf(system, period, folder)


def _texts(figures: SiteFigures, days: list[Period], folder: Path) -> Iterator[Path]:
    stem = f"{figures.site.name}.{figures.spec.name}"
    yield _written(folder / f"{stem}.qm.ini", qm_ini(figures))
    first_us, logs = _END_OF_TIME_US, []
    for day in days:
        if part := figures.of_days(day.first, day.last):
            begin_us = int(part.intervals.start_us[0])
            first_us = min(first_us, begin_us)
            logs.append((f"{stem}.AMQERR01.{day.name}.LOG", begin_us, part.scraped_us(-1)))
    for name, begin_us, end_us in ((f"{stem}.AMQERR01.LOG", 0, first_us), *logs):
        if log := error_log(figures, begin_us, end_us):
            yield _written(folder / name, log)


def _inputs(figures: SiteFigures, period: Period, folder: Path) -> Iterator[Path]:
    if not figures.of_days(period.first, period.last).places:
        return
    for kind in figures.spec.inputs:
        written = INPUTS[kind]
        part = figures.of_days(period.first, period.last, written.begins_before)
        stem = f"{figures.site.name}.{figures.spec.name}.{kind.value}.{period.name}"
        yield _written(folder / f"{stem}.{written.suffix}", written.text(part))


def _of_ztpf(figures: SiteZtpfFigures, period: Period, folder: Path) -> Iterator[Path]:
    stem = f"{figures.site.name}.{figures.spec.name}"
    if part := figures.of_days(period.first, period.last):
        displays = (line for place in range(len(part)) for line in _display(part, place))
        text = "".join(f"{line}\n" for line in displays)
        yield _written(folder / f"{stem}.zmqsc.{period.name}.txt", text)
        text = "".join(_console(day) for day in part.runs(part.grid.local_day))
        yield _written(folder / f"{stem}.console.{period.name}.txt", text)


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="ascii")
    return path


def _console(figures: SiteZtpfFigures) -> str:
    """Return the console of a day.

    The first line has the date; sweeps are spread evenly over the time in which they ended.
    """
    starts_us, ends_us = figures.intervals.start_us, figures.intervals.end_us
    lines = [_stamp(figures, figures.local(int(starts_us[0])))]
    queues = figures.spec.queues
    columns = (starts_us.tolist(), ends_us.tolist(), figures.sweeps.tolist())
    for start_us, end_us, count in zip(*columns, strict=True):
        for sweep in range(count):
            at_us = start_us + (end_us - start_us) * (2 * sweep + 1) // (2 * count)
            queue = queues[(len(lines) - 1) % len(queues)]
            moment = figures.local(at_us)
            lines.append(f"MQSC0801I {moment:%H.%M.%S} SWEEP FOR {queue} COMPLETED+")
    return "\n".join((*lines, ""))


def _display(figures: SiteZtpfFigures, place: int) -> Iterator[str]:
    spec = figures.spec
    moment = figures.local(figures.scraped_us(place))
    high_water = figures.local(int(figures.high_water_us[place]))
    yield _stamp(figures, moment)
    yield f"MQSC0283I {moment:%H.%M.%S} QUEUE MANAGER DISPLAY"
    for line in (
        f"QMNAME - {spec.name}",
        f"Total MQM - {spec.mqm_blocks}",
        f"In Use MQM - {figures.in_use_blocks[place]}",
        f"HW In Use Count MQM - {figures.high_water_blocks[place]}",
        f"HW In Use Time MQM - {high_water:%Y-%m-%d %H:%M:%S}",
        f"MQMSWPL (%) - {spec.sweep_level_pct}",
        f"MQMSWPT (%) - {spec.sweep_target_pct}",
        "END OF DISPLAY+",
    ):
        yield f"          {line}"


def _stamp(figures: SiteZtpfFigures, moment: datetime) -> str:
    return f"NOW({moment:%Y-%m-%dT%H:%M:%S%z}) SYSTEM({figures.spec.name})"


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
