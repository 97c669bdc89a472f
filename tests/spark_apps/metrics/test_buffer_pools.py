"""Metrics of one field, buffer pools, page sets, local queues, and series of site figures."""

from mqcap.domain.distributed.site_figure import PUBLISHED, UNITS
from spark_apps.catalogue import SITE_FIGURES, catalogue
from spark_apps.metrics import buffer_pools, local_queues, one_field, site_figures
from spark_apps.metrics.local_queues import PARTIAL, queue_depths
from tests.spark_apps.rows import figures, records, sections

CSQ1 = "PLEX1/CSQ1"
PRIVATE = {"qqstflag": 0, "qqstcfst": " "}
SHARED = {"qqstflag": 0, "qqstcfst": "APPL1"}


def test_a_page_set_shows_share_and_pages() -> None:
    rows = [
        {"qis1psno": 4, "qis1topg": 1_000, "qis1unpg": 250},
        {"qis1psno": 5, "qis1topg": 0, "qis1unpg": 0},
    ]
    found = figures(buffer_pools.page_sets, f"{CSQ1}/PS04", section_qis1=rows)
    assert found == {"page_set_used_pct": 75.0, "page_set_used_pages": 750.0}


def test_pool_counters_are_rates_and_shares() -> None:
    row = {"qpstpool": 3, "qpstnbuf": 1_050, "qpstsos": 1, "qpststla": 421, "qpstdmc": 2}
    row |= {"qpststl": 842, "qpstdwt": 11, "qpstrio": 3_600, "qpstwio": 1_800, "qpsttpw": 900}
    assert figures(buffer_pools.pools, f"{CSQ1}/BP03", section_qpst=[row]) == {
        "buffer_pool_buffers_count": 1_050.0,
        "buffer_pool_short_count": 848.0,
        "buffer_pool_deferred_count": 22.0,
        "buffer_pool_io_per_s": 3.0,
        "buffer_pool_read_per_s": 2.0,
        "buffer_pool_written_per_s": 0.5,
        "buffer_pool_contention_pct": 50.0,
    }


def test_the_highest_depth_of_the_shared_queues_counts() -> None:
    rows = [
        {**SHARED, "qqstqnam": "A", "qqstdphi": 5_000, "qqstdpth": 10},
        {**SHARED, "qqstqnam": "B", "qqstcfst": "APPL2", "qqstdphi": None, "qqstdpth": 6_001},
        {**SHARED, "qqstqnam": "C", "qqstdphi": 9_999, "qqstflag": PARTIAL},
        {**PRIVATE, "qqstqnam": "D", "qqstdphi": 99_999},
    ]
    found = figures(queue_depths, CSQ1, section_qqst=rows)
    assert found == {"shared_queue_depth_count": 6_001}


def test_only_queues_that_the_estate_names_are_of_the_bridge() -> None:
    rows = [
        {"qqstqnam": name, "qqstdphi": depth, **PRIVATE}
        for name, depth in (("IMS.A", 6), ("IMS.B", 3), ("OTHER", 99))
    ]
    rows.append({"qmgr": "CSQ2", "qqstqnam": "IMS.A", "qqstdphi": 77, **PRIVATE})
    named = {CSQ1: ("IMS.B", "IMS.A")}
    found = figures(queue_depths, CSQ1, bridge_queues=named, section_qqst=rows)
    assert found == {"bridge_queue_depth_count": 6}


def test_puts_of_both_calls_are_counted_by_the_second() -> None:
    rows = [{"qmstput": 3_000, "qmstput1": 600}]
    found = figures(local_queues.messages_put, CSQ1, section_qmst=rows)
    assert found == {"messages_put_per_s": 2.0}


def test_the_busiest_private_queue_and_empty_gets_of_shared_queues_are_measured() -> None:
    none = {"qqstput1": 0, "qqstpt1b": 0}
    rows = [
        {**PRIVATE, **none, "qqstqnam": "A", "qqstputs": 1_800, "qqstput1": 1_800}
        | {"qqstputb": 7_200},
        {**PRIVATE, **none, "qqstqnam": "B", "qqstputs": 10, "qqstputb": 9_999},
        {**SHARED, **none, "qqstqnam": "S", "qqstputs": 99_999, "qqstgets": 10, "qqstnmag": 25},
    ]
    assert figures(local_queues.queues, CSQ1, section_qqst=rows) == {
        "private_queue_messages_per_s": 2.0,
        "private_queue_message_bytes": 2.0,
        "shared_empty_gets_per_get": 2.5,
    }


def test_an_amount_per_hour_is_counted_in_the_interval() -> None:
    rows = one_field.intervals(sections(section_qjst=[{"qjstwtb": 90, "qjstllcp": 3}]))
    assert {row.metric: (row.subject, row.level, row.amount) for row in records(rows)} == {
        "log_buffer_wait_count": (CSQ1, 180.0, 90),
        "log_checkpoints_per_h": (CSQ1, 6.0, 3),
    }


def test_every_known_figure_is_a_metric_of_its_name_and_unit() -> None:
    metrics = catalogue()[SITE_FIGURES]
    measured = {metric.name: metric.unit for metric in metrics if not metric.lowest_of}
    assert measured | dict.fromkeys(PUBLISHED, "%") == UNITS


def test_what_queue_managers_publish_too_is_left_to_their_metrics() -> None:
    rows = [
        {"metric": name, "subject": "EAST/mq1", "value": 3.0}
        for name in ("host_cpu_busy_pct", "mq_lock_wait_pct", "site_pool")
    ]
    assert figures(site_figures.intervals, "EAST/mq1", site_sample=rows) == {"site_pool": 3.0}
