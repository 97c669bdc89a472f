"""Parts of what is put to distributed queue managers and queues, from accounting messages."""

from __future__ import annotations

from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from mqcap.domain.attribution import PartKind
from mqcap.domain.datasets import QMGR_ACCOUNTING
from mqcap.domain.distributed.mq_name import ESCAPES
from spark_apps.attribution.parts import folded, named, part_rows
from spark_apps.attribution.tables import DayRows, SiteDays, grouped, measured, path, with_columns
from spark_apps.metrics import distributed
from spark_apps.transforms.keys import INTERVAL

READS: Final = (QMGR_ACCOUNTING.name,)
COUNTED: Final = READS
NAMES: Final = (PartKind.application, PartKind.user, PartKind.channel, PartKind.connection)
_IDENTITY: Final = ("site", *QMGR_ACCOUNTING.key)
_FIGURES: Final = ("put_count", "put_bytes")
_QUEUE: Final = "queue"


def parts(rows: DayRows, site_days: SiteDays) -> pa.Table:
    """Return the part rows of connections: messages put and their bytes.

    Those of a queue manager are by the names of the connections (MQI accounting) and by queue
    (queue accounting), those of a queue by the names of the connections. A message that is in
    several files counts once. An interval belongs to the day on which it begins.
    """
    once = grouped(
        measured(rows.of(QMGR_ACCOUNTING.name, *_IDENTITY, *_FIGURES)), _IDENTITY, (), _FIGURES
    )
    plain = {name: once[name].cast(pa.string()) for name in _IDENTITY if name not in INTERVAL}
    dated = site_days.dated(with_columns(once, **plain, sysplex=plain["site"]))
    is_whole = pc.equal(dated[_QUEUE], "")
    of_connections, of_queues = dated.filter(is_whole), dated.filter(pc.invert(is_whole))
    return pa.concat_tables(
        [
            *(_of_qmgrs(of_connections, kind, of_connections[kind]) for kind in NAMES),
            _of_qmgrs(of_queues, PartKind.queue, folded(of_queues[_QUEUE])),
            *(_of_queues(of_queues, kind) for kind in NAMES),
        ]
    )


def _of_qmgrs(table: pa.Table, kind: PartKind, name: Any) -> pa.Table:
    key = ["site", "qmgr", "breakdown", "kind", "part", "site_date"]
    sums = grouped(named(table, kind, name), key, _FIGURES)
    subject = path(sums["site"], _escaped(sums["qmgr"]))
    figures = [(distributed.PUTS, "put_count"), (distributed.PUT_MIB, "put_bytes")]
    return part_rows(sums, [(metric, subject, amount) for metric, amount in figures])


def _of_queues(table: pa.Table, kind: PartKind) -> pa.Table:
    key = ["site", "qmgr", _QUEUE, "breakdown", "kind", "part", "site_date"]
    sums = grouped(named(table, kind, table[kind]), key, _FIGURES)
    subject = path(sums["site"], _escaped(sums["qmgr"]), _escaped(sums[_QUEUE]))
    figures = [
        (distributed.QUEUE_PUTS, "put_count"),
        (distributed.QUEUE_PUT_MIB, "put_bytes"),
    ]
    return part_rows(sums, [(metric, subject, amount) for metric, amount in figures])


def _escaped(names: Any) -> Any:
    """Return names as parts of a subject, as ``escaped`` of the domain does."""
    for character, escape in ESCAPES:
        names = pc.replace_substring(names, pattern=character, replacement=escape)
    return names
