"""Text of amqsrua, the sample that prints published metrics, as samples.

It does not print whose the figures are; the capture script writes a line before each run::

    # mqcap amqsrua QMGR(QM1) HOST(mq1)

The first publication behind it covers the time since the metric was last asked for, and is left
out. Times are those of the message descriptor: GMT. Source: qmmonitor2.c of the sample.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from operator import mul
from typing import Final

from mqcap.domain.distributed.mq_name import is_mq_name
from mqcap.domain.distributed.qmgr_figure import QmgrFigure, SampleReading
from mqcap.domain.units import US_PER_S
from mqcap.ingest.capture_stamp import keyword
from mqcap.ingest.samples import SampleKey
from mqcap.ingest.text_reading import Refusal, SamplesReading, TextInput

HEADER: Final = "# mqcap amqsrua"
_GAUGE, _DELTA = SampleReading.gauge, SampleReading.delta
_PLAIN_FIGURES: Final = {
    "Log - current primary space in use": (QmgrFigure.log_primary_used_pct, _GAUGE),
    "Log - workload primary space utilization": (QmgrFigure.log_workload_pct, _GAUGE),
    "Log - write latency": (QmgrFigure.log_write_latency_us, _GAUGE),
    "Log - bytes required for media recovery": (QmgrFigure.log_media_mib, _GAUGE),
    "Log file system - bytes in use": (QmgrFigure.log_fs_used_bytes, _GAUGE),
    "Log file system - bytes max": (QmgrFigure.log_fs_size_bytes, _GAUGE),
    "Log file system - free space": (QmgrFigure.log_fs_free_pct, _GAUGE),
    "Queue Manager file system - free space": (QmgrFigure.qmgr_fs_free_pct, _GAUGE),
    "User CPU time percentage": (QmgrFigure.host_cpu_user_pct, _GAUGE),
    "System CPU time percentage": (QmgrFigure.host_cpu_system_pct, _GAUGE),
    "RAM free percentage": (QmgrFigure.host_ram_free_pct, _GAUGE),
    "Log - physical bytes written": (QmgrFigure.log_written_bytes, _DELTA),
    "Interval total MQPUT/MQPUT1 count": (QmgrFigure.put_count, _DELTA),
    "Interval total MQPUT/MQPUT1 byte count": (QmgrFigure.put_bytes, _DELTA),
}
_OF_OBJECTS: Final = {
    "Queue depth": (QmgrFigure.queue_depth_count, _GAUGE),
    "Backlog bytes": (QmgrFigure.nha_backlog_bytes, _GAUGE),
    "lock contention": (QmgrFigure.queue_lock_contention_pct, _GAUGE),
    "MQPUT/MQPUT1 count": (QmgrFigure.queue_put_count, _DELTA),
    "MQPUT byte count": (QmgrFigure.queue_put_bytes, _DELTA),
}
"""Their object stands in front of the description, padded to 48 characters."""
_DESCRIBED: Final = _PLAIN_FIGURES | _OF_OBJECTS
_PLAIN: Final = "|".join(map(re.escape, _PLAIN_FIGURES))
_NAMED: Final = "|".join(map(re.escape, _OF_OBJECTS))
_LINE: Final = re.compile(
    rf"^(?:Publication received PutDate:(\d{{8}}) PutTime:(\d{{8}}) Interval:([^\n]*) seconds"
    rf"|({re.escape(HEADER)}[^\n]*)"
    rf"|({_PLAIN}) (-?\d+(?:\.\d+|,\d\d(?=%))?)(?![\d.,])"
    rf"|([^\s]{{1,48}}) +({_NAMED}) (\d+(?:\.\d+)?)(?![\d.,]))",
    re.ASCII,
)
_OTHER: Final = re.compile(r"[^{}<>]*\s-?\d\S*(?: \S+)?\s*|\w[^:{}]+ : .*|(?:==>|Enter) .*")
"""Figures of amqsrua that are not used, and its menus."""
_CHANGED: Final = re.compile(rf"(?:{_PLAIN}|[^\s]{{1,48}} +(?:{_NAMED})) \d+[\d.,]+")
"""Figures that are used, with a number that none is."""
_HEADER_LINE, _PLAIN_VALUE, _NAMED_VALUE = 4, 6, 9
"""Last group of each kind of line; that of a publication is another one."""
_PUBLICATION: Final = re.compile(
    r"^Publication received PutDate:\d{8} PutTime:\d{8} Interval:", re.MULTILINE
)
_COMMA: Final = re.compile(r",(\d{3})\Z")
"""Decimal comma of an interval; percentages have two digits behind theirs."""
_PARTS: Final = re.compile(r"(?:(\d+) days?,)?(?:(\d+) hours?,)?(?:(\d+) minutes?,)?(\d+\.?\d*)")
_PART_SECONDS: Final = (86_400.0, 3_600.0, 60.0, 1.0)


@dataclass
class _AmqsruaReading(SamplesReading):
    nothing = Refusal(
        "text of amqsrua that gives no figure",
        expected=f"the line {HEADER} QMGR(QM1) HOST(mq1) before each run of amqsrua",
        remedy="Put that line in front of it; the first publication behind it does not count.",
    )
    _qmgr: str | None = None
    _host: str = ""
    _publication_count: int = 0
    """Of this run, until a line of capture begins another."""
    _reported_us: int = 0
    _seconds: float = 0.0
    _is_taken: bool = False

    def take_all(self) -> None:
        for number, line in enumerate(self.text.ended_lines(), start=1):
            if found := _LINE.match(line):
                self._take(found, number)
            elif _CHANGED.match(line) or not _OTHER.fullmatch(line):
                self.left_out.not_understood(line, number)
        if self._is_taken and _LINE.match(self.text.open_line):
            self.left_out.add("it is the last one and has no end")

    def is_end(self, line: str) -> bool:  # noqa: ARG002 - every line
        """Return True: that the last line is left out is said above."""
        return True

    def _take(self, line: re.Match[str], number: int) -> None:
        kind = line.lastindex
        if kind in {_PLAIN_VALUE, _NAMED_VALUE}:
            if self._is_taken:
                figure, reading = _DESCRIBED[line[5] or line[8]]
                key = SampleKey(self._qmgr or "", figure, reading, line[7] or "", self._host)
                value = float(line[kind].replace(",", "."))  # its locale may have a decimal comma
                self.gathered.add(key, self._reported_us, value, self._seconds)
        elif kind == _HEADER_LINE:
            self._begin_run(line[4])
        else:
            self._begin(line[1], line[2], line[3], number)

    def _begin_run(self, header: str) -> None:
        """Begin a run of amqsrua; what follows a line that names nobody is left out."""
        qmgr = keyword("QMGR", header)
        self._qmgr = qmgr if qmgr and is_mq_name(qmgr) else None
        self._host = keyword("HOST", header) or ""
        self._publication_count = 0
        self._is_taken = False

    def _begin(self, date: str, time: str, interval: str, number: int) -> None:
        """Begin a publication; the first one of a run is left out."""
        self._publication_count += 1
        self._is_taken = False
        try:
            self._seconds = _seconds(interval)
            self._reported_us = _second_us(date, time[:6]) + int(time[6:]) * US_PER_S // 100
        except ValueError:
            self.left_out.add("its time or interval cannot be read", "publication", number)
            return
        if self._qmgr is None:
            reason = f"no line {HEADER} before it names its queue manager"
            self.left_out.add(reason, "publication", number)
        self._is_taken = self._qmgr is not None and self._publication_count > 1


@lru_cache(maxsize=1 << 12)
def _second_us(date: str, time: str) -> int:
    return round(datetime.fromisoformat(f"{date}T{time}Z").timestamp()) * US_PER_S


@lru_cache(maxsize=1 << 10)
def _seconds(interval: str) -> float:
    """Return the length of a printed interval; ValueError where it has none."""
    parts = _PARTS.fullmatch(_COMMA.sub(r".\1", interval))
    numbers = [float(part or 0) for part in parts.groups()] if parts else []
    seconds: float = sum(map(mul, numbers, _PART_SECONDS))
    if not seconds:
        raise ValueError
    return seconds


SOURCE: Final = TextInput(
    name="amqsrua",
    order=51,
    title="text of amqsrua",
    description="text of amqsrua",
    recognises=lambda text: _PUBLICATION.search(text.head) is not None,
    begin=_AmqsruaReading,
    first_line=r"Publication received PutDate:\d{8}",
)
