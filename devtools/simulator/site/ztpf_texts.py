"""Displays and console lines of a z/TPF system, each file with the stamps that a site adds."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from devtools.simulator.site.site_figures import SiteZtpfFigures


def displays(figures: SiteZtpfFigures, low: int, high: int) -> str:
    """Return the captures ``low`` to ``high`` of ZMQSC DISPLAY QMGR, each with its stamp."""
    return "".join(f"{line}\n" for place in range(low, high) for line in _display(figures, place))


def console(figures: SiteZtpfFigures, low: int, high: int) -> str:
    """Return the console of the day that begins at capture ``low`` and ends before ``high``.

    The first line has the date; sweeps are spread evenly over the time in which they ended.
    """
    begin = _local(figures, int(figures.grid.intervals.start_us[low]))
    lines = [_stamp(figures, begin)]
    queues = figures.spec.queues
    number = 0
    for place in range(low, high):
        count = int(figures.sweeps[place])
        start_us = int(figures.grid.intervals.start_us[place])
        length_us = int(figures.grid.intervals.end_us[place]) - start_us
        for sweep in range(count):
            moment = _local(figures, start_us + length_us * (2 * sweep + 1) // (2 * count))
            queue = queues[number % len(queues)]
            lines.append(f"MQSC0801I {moment:%H.%M.%S} SWEEP FOR {queue} COMPLETED+")
            number += 1
    return "\n".join((*lines, ""))


def _display(figures: SiteZtpfFigures, place: int) -> Iterator[str]:
    spec = figures.spec
    moment = _local(figures, int(figures.grid.intervals.end_us[place]))
    yield _stamp(figures, moment)
    yield f"MQSC0283I {moment:%H.%M.%S} QUEUE MANAGER DISPLAY"
    for line in (
        f"QMNAME - {spec.name}",
        f"Total MQM - {spec.mqm_blocks}",
        f"In Use MQM - {figures.in_use_blocks[place]}",
        f"HW In Use Count MQM - {figures.high_water_blocks[place]}",
        f"HW In Use Time MQM - {_high_water_time(figures, place):%Y-%m-%d %H:%M:%S}",
        f"MQMSWPL (%) - {spec.sweep_level_pct}",
        f"MQMSWPT (%) - {spec.sweep_target_pct}",
        "END OF DISPLAY+",
    ):
        yield f"          {line}"


def _high_water_time(figures: SiteZtpfFigures, place: int) -> datetime:
    """Return the time of the capture at which the high-water mark was first that high."""
    first = int(figures.high_water_blocks.searchsorted(figures.high_water_blocks[place]))
    return _local(figures, int(figures.grid.intervals.end_us[first]))


def _stamp(figures: SiteZtpfFigures, moment: datetime) -> str:
    return f"NOW({moment:%Y-%m-%dT%H:%M:%S%z}) SYSTEM({figures.spec.name})"


def _local(figures: SiteZtpfFigures, instant_us: int) -> datetime:
    return datetime.fromtimestamp(instant_us / 1e6, tz=ZoneInfo(figures.site.timezone))
