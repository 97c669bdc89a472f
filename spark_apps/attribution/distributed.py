"""Parts of what is put to distributed queue managers and queues, from accounting messages."""

from typing import Final

import polars as pl

from mqcap.domain.attribution import PartKind
from mqcap.domain.datasets import QMGR_ACCOUNTING
from spark_apps.attribution.parts import DAYS, folded, measured, part_rows
from spark_apps.metrics import distributed
from spark_apps.transforms.intervals import Sections, path, union
from spark_apps.transforms.samples import part

NAMES: Final = (PartKind.application, PartKind.user, PartKind.channel, PartKind.connection)


def parts(sections: Sections) -> pl.LazyFrame:
    """Return the part rows of connections: messages put and their bytes.

    Those of a queue manager are by names of connections (MQI accounting) and by queue (queue
    accounting), those of a queue by names of connections. A message in several files counts once.
    """
    once = (
        measured(sections[QMGR_ACCOUNTING.name])
        .group_by("site", *QMGR_ACCOUNTING.key, *DAYS)
        .agg(pl.col("put_count", "put_bytes").max())
    )
    is_whole = pl.col("queue") == ""
    of_connections, of_queues = once.filter(is_whole), once.filter(~is_whole)
    qmgr, queue = path("site", part("qmgr")), path("site", part("qmgr"), part("queue"))
    put = [(distributed.PUTS, qmgr, "put_count"), (distributed.PUT_MIB, qmgr, "put_bytes")]
    to_queue = [
        (distributed.QUEUE_PUTS, queue, "put_count"),
        (distributed.QUEUE_PUT_MIB, queue, "put_bytes"),
    ]
    return union(
        *(part_rows(of_connections, kind, pl.col(kind), *put) for kind in NAMES),
        part_rows(of_queues, PartKind.queue, folded(pl.col("queue")), *put),
        *(part_rows(of_queues, kind, pl.col(kind), *to_queue) for kind in NAMES),
    )
