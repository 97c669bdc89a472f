"""Names of mq_prometheus and of the container image, and the figures that they tell.

The prefix ``ibmmq_`` is left out. The TYPE of a name is not believed: mq_prometheus reports what
was counted since the last scrape under names that it declares as counters, the container reports
true counters under names that end with ``_total``. Source: exporter.go of mq-metric-samples,
mapping.go of mq-container.
"""

from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from mqcap.domain.distributed.qmgr_figure import QmgrFigure, SampleReading
from mqcap.domain.sampled.figures import ZosFigure
from mqcap.domain.units import MIB_BYTES, US_PER_S

PREFIX: Final = "ibmmq_"


GAUGE, SCRAPE, COUNTER = SampleReading.gauge, SampleReading.scrape, SampleReading.counter


class Meaning(NamedTuple):
    """The figure of a name, how it is reported, and the factor that gives the figure's unit."""

    figure: QmgrFigure
    reading: SampleReading = GAUGE
    labels: tuple[str, ...] = ()
    """Labels whose values name the object, or its instances."""
    factor: float = 1.0
    is_half: bool = False
    """Whether MQPUT and MQPUT1 are counted under names of their own: both are needed."""


_QUEUE: Final = ("queue",)
_CHANNEL: Final = ("channel", "type", "rqmname", "connname", "jobname", "instance_type")
_REPLICA: Final = ("nha", "nhainstance", "exported_instance", "instance")
"""The first label that is there: of newer and older collectors, and of the container behind
Prometheus, which calls it ``exported_instance``, or leaves its name."""

MEANINGS: Final = {
    "qmgr_log_current_primary_space_in_use_percentage": Meaning(QmgrFigure.log_primary_used_pct),
    "qmgr_log_primary_space_in_use_percentage": Meaning(QmgrFigure.log_primary_used_pct),
    "qmgr_log_workload_primary_space_utilization_percentage": Meaning(QmgrFigure.log_workload_pct),
    "qmgr_log_physical_written_bytes": Meaning(QmgrFigure.log_written_bytes, SCRAPE),
    "qmgr_log_physical_written_bytes_total": Meaning(QmgrFigure.log_written_bytes, COUNTER),
    "qmgr_interval_mqput_mqput1_total_count": Meaning(QmgrFigure.put_count, SCRAPE),
    "qmgr_mqput_mqput1_total": Meaning(QmgrFigure.put_count, COUNTER),
    "qmgr_interval_mqput_mqput1_total_bytes": Meaning(QmgrFigure.put_bytes, SCRAPE),
    "qmgr_mqput_mqput1_bytes_total": Meaning(QmgrFigure.put_bytes, COUNTER),
    "qmgr_log_write_latency_seconds": Meaning(QmgrFigure.log_write_latency_us, factor=US_PER_S),
    "qmgr_log_required_for_media_recovery_bytes": Meaning(
        QmgrFigure.log_media_mib, factor=1 / MIB_BYTES
    ),
    "qmgr_log_extent_media": Meaning(QmgrFigure.log_media_extent_count),
    "qmgr_log_file_system_in_use_bytes": Meaning(QmgrFigure.log_fs_used_bytes),
    "qmgr_log_file_system_max_bytes": Meaning(QmgrFigure.log_fs_size_bytes),
    # a percentage, whatever its name says
    "qmgr_log_file_system_free_space_bytes": Meaning(QmgrFigure.log_fs_free_pct),
    "qmgr_log_file_system_free_space_percentage": Meaning(QmgrFigure.log_fs_free_pct),
    "qmgr_queue_manager_file_system_free_space_percentage": Meaning(QmgrFigure.qmgr_fs_free_pct),
    "qmgr_connection_count": Meaning(QmgrFigure.connection_count),
    "qmgr_user_cpu_time_percentage": Meaning(QmgrFigure.host_cpu_user_pct),
    "qmgr_system_cpu_time_percentage": Meaning(QmgrFigure.host_cpu_system_pct),
    "qmgr_ram_free_percentage": Meaning(QmgrFigure.host_ram_free_pct),
    "nha_backlog_bytes": Meaning(QmgrFigure.nha_backlog_bytes, labels=_REPLICA),
    "nha_replication_backlog_bytes": Meaning(QmgrFigure.nha_backlog_bytes, labels=_REPLICA),
    "queue_depth": Meaning(QmgrFigure.queue_depth_count, labels=_QUEUE),
    "queue_attribute_max_depth": Meaning(QmgrFigure.queue_depth_max_count, labels=_QUEUE),
    # in MB, which is 2^20 bytes, and not converted by the collector
    "queue_qfile_current_size": Meaning(QmgrFigure.queue_file_mib, labels=_QUEUE),
    "queue_qfile_max_size": Meaning(QmgrFigure.queue_file_max_mib, labels=_QUEUE),
    "queue_mqput_mqput1_count": Meaning(QmgrFigure.queue_put_count, SCRAPE, _QUEUE),
    "queue_mqput_bytes": Meaning(QmgrFigure.queue_put_bytes, SCRAPE, _QUEUE),
    # with useStatistics, since release 5.7.0: from statistics messages instead of publications
    "queue_mqput_message_count": Meaning(QmgrFigure.queue_put_count, SCRAPE, _QUEUE, is_half=True),
    "queue_mqput1_message_count": Meaning(QmgrFigure.queue_put_count, SCRAPE, _QUEUE, is_half=True),
    "qmgr_mqput_message_count": Meaning(QmgrFigure.put_count, SCRAPE, is_half=True),
    "qmgr_mqput1_message_count": Meaning(QmgrFigure.put_count, SCRAPE, is_half=True),
    "queue_put_message_bytes_count": Meaning(QmgrFigure.queue_put_bytes, SCRAPE, _QUEUE),
    "qmgr_put_message_bytes_count": Meaning(QmgrFigure.put_bytes, SCRAPE),
    "queue_max_depth": Meaning(QmgrFigure.queue_depth_count, labels=_QUEUE),
    "queue_lock_contention_percentage": Meaning(
        QmgrFigure.queue_lock_contention_pct, labels=_QUEUE
    ),
    "channel_status": Meaning(QmgrFigure.channel_status, labels=_CHANNEL),
    # all instances of a name carry the same count; of a limit 0 is not known
    "channel_cur_inst": Meaning(QmgrFigure.channel_instance_count, labels=_CHANNEL[:1]),
    "channel_attribute_max_inst": Meaning(
        QmgrFigure.channel_instance_max_count, labels=_CHANNEL[:1]
    ),
}
"""By name. Those of container and mq_prometheus are the same for most levels."""


class ZosMeaning(NamedTuple):
    """The figure of a name, the label with the number of its object, and the form of its name."""

    figure: ZosFigure
    label: str
    form: str


_POOL: Final = ("bufferpool", "BP{:02d}")
_PAGE_SET: Final = ("pageset", "PS{:02d}")
ZOS_MEANINGS: Final = {
    "bufferpool_buffers_total": ZosMeaning(ZosFigure.buffers_total_count, *_POOL),
    "bufferpool_buffers_free": ZosMeaning(ZosFigure.buffers_free_count, *_POOL),
    "pageset_pages_total": ZosMeaning(ZosFigure.pages_total_count, *_PAGE_SET),
    "pageset_pages_unused": ZosMeaning(ZosFigure.pages_unused_count, *_PAGE_SET),
}
"""Of mq_prometheus connected to a queue manager on z/OS (DISPLAY USAGE), by name."""


@cache
def known_names() -> frozenset[str]:
    """Return the published names of both producers, also those whose figures are not used."""
    text = (files("mqcap.ingest.prometheus") / "known_names.txt").read_text(encoding="ascii")
    return frozenset(text.split())
