"""Files of the sites of an estate: what tells about queue managers and z/TPF systems."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from devtools.simulator.site import manager_texts
from devtools.simulator.site.manager_inputs import INPUTS
from devtools.simulator.site.published import prometheus_answer, published
from devtools.simulator.site.site_figures import (
    SiteFigures,
    SiteZtpfFigures,
    site_figures,
    ztpf_figures,
)
from devtools.simulator.site.site_spec import SiteSpec
from devtools.simulator.timeline import Period, SimulatedPeriod

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
    yield _written(folder / f"{stem}.qm.ini", manager_texts.qm_ini(figures))
    first_us, logs = _END_OF_TIME_US, []
    for day in days:
        if part := figures.of_days(day.first, day.last):
            begin_us = int(part.intervals.start_us[0])
            first_us = min(first_us, begin_us)
            logs.append((f"{stem}.AMQERR01.{day.name}.LOG", begin_us, part.scraped_us(-1)))
    for name, begin_us, end_us in ((f"{stem}.AMQERR01.LOG", 0, first_us), *logs):
        if log := manager_texts.error_log(figures, begin_us, end_us):
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
