"""A measured distributed queue manager with a queue, and its forecasts."""

from pathlib import Path
from typing import Final

from mqcap.domain.estate import Estate
from mqcap.domain.estate.places import Place
from mqcap.domain.metric import SubjectKind, series_id
from mqcap.judging.evaluate import DayFacts, facts_of_day
from mqcap.settings import load_settings
from mqcap.store.forecasts import replace_forecasts
from tests.mqcap.rulebook.builders import DAY, days, new_store, observe, rising, url_of

QMGR: Final = "EAST/QM1"
QUEUE: Final = "EAST/QM1/APP.IN"
CHANNEL: Final = "EAST/QM1/CHANNEL/APP.SVRCONN"
_MANAGER = SubjectKind.distributed_queue_manager
_QUEUE = SubjectKind.distributed_queue
_CHANNEL = SubjectKind.distributed_channel
MEASURED: Final = [
    ("mq_log_primary_used_pct", QMGR, _MANAGER, "%", 80.0),
    ("mq_log_total_used_pct", QMGR, _MANAGER, "%", 48.0),
    ("mq_log_primary_files_count", QMGR, _MANAGER, "count", 3.0),
    ("mq_log_secondary_files_count", QMGR, _MANAGER, "count", 2.0),
    ("mq_log_file_pages_count", QMGR, _MANAGER, "count", 4_096.0),
    ("mq_log_fs_used_pct", QMGR, _MANAGER, "%", 78.0),
    ("mq_log_fs_size_mib", QMGR, _MANAGER, "MiB", 2_000.0),
    ("mq_qmgr_fs_used_pct", QMGR, _MANAGER, "%", 70.0),
    ("mq_connection_count", QMGR, _MANAGER, "count", 250.0),
    ("mq_log_workload_pct", QMGR, _MANAGER, "%", 60.0),
    ("mq_max_channels_count", QMGR, _MANAGER, "count", 400.0),
    ("mq_queue_depth_used_pct", QUEUE, _QUEUE, "%", 60.0),
    ("mq_queue_depth_max_count", QUEUE, _QUEUE, "count", 5_000.0),
    ("mq_queue_depth_count", QUEUE, _QUEUE, "count", 3_000.0),
    ("mq_queue_put_per_s", QUEUE, _QUEUE, "count/s", 10.0),
    ("mq_queue_put_mib_per_s", QUEUE, _QUEUE, "MiB/s", 0.01),
    ("mq_queue_file_mib", QUEUE, _QUEUE, "MiB", 50.0),
    ("mq_queue_file_used_pct", QUEUE, _QUEUE, "%", 50.0),
    ("mq_queue_file_max_mib", QUEUE, _QUEUE, "MiB", 100.0),
    ("mq_channel_instance_count", CHANNEL, _CHANNEL, "count", 80.0),
    ("mq_channel_instance_max_count", CHANNEL, _CHANNEL, "count", 100.0),
    ("mq_channel_client_instance_count", CHANNEL, _CHANNEL, "count", 10.0),
    ("mq_channel_client_instance_max_count", CHANNEL, _CHANNEL, "count", 20.0),
]
RISING: Final = {
    ("mq_log_primary_used_pct", QMGR): 0.5,
    ("mq_log_total_used_pct", QMGR): 0.3,
    ("mq_log_fs_used_pct", QMGR): 0.4,
    ("mq_qmgr_fs_used_pct", QMGR): 0.4,
    ("mq_connection_count", QMGR): 2.0,
    ("mq_queue_depth_used_pct", QUEUE): 0.5,
    ("mq_queue_file_used_pct", QUEUE): 0.5,
    ("mq_channel_instance_count", CHANNEL): 0.4,
}
"""What a figure rises by on each day: every limit is passed within the horizon."""


def distributed_facts(folder: Path, *left_out: str, **steady: float) -> DayFacts:
    """What is known on ``DAY`` of the queue manager, without some metrics.

    Those of ``steady`` have that value on each day, and do not rise.
    """
    engine = new_store(folder)
    measured = [
        (*each[:4], steady.get(each[0], each[4])) for each in MEASURED if each[0] not in left_out
    ]
    for metric, subject, kind, unit, value in measured:
        observe(engine, metric, subject, days(40, value), kind=kind, unit=unit)
    start = {(metric, subject): value for metric, subject, _, _, value in measured}
    forecasts = [
        rising(series_id(*series), start[series], 0.0 if series[0] in steady else rise)
        for series, rise in RISING.items()
        if series in start
    ]
    replace_forecasts(engine, DAY, forecasts)
    place = Place.model_validate({"site": "EAST", "qmgrs": [{"name": "QM1"}]})
    settings = load_settings(
        estate=(place,), lake=str(folder / "lake"), store={"url": url_of(folder)}
    )
    facts = facts_of_day(settings, engine, DAY)
    return facts._replace(estate=Estate(places=(place,)))
