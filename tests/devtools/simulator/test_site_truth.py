"""Specification and planted truth of sites."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

import pytest
from pydantic import ValidationError

from devtools.simulator.site.site_figures import site_figures
from devtools.simulator.site.site_spec import (
    ExhaustionMessage,
    FileSystemUse,
    Producer,
    SiteEvent,
    SiteHost,
    SiteQueue,
    SiteQueueManager,
    SiteSpec,
    SiteZtpf,
)
from devtools.simulator.timeline import SimulatedPeriod
from devtools.simulator.truth import (
    CrossingClass,
    PlantedTruth,
    planted_site_events,
    planted_site_truths,
)
from devtools.simulator.workload import Load
from tests.devtools.simulator.builders import steady

LAST: Final = date(2026, 10, 25)
"""The Sunday on which clocks go back in Berlin: 25 hours."""
FIRST: Final = LAST - timedelta(days=8)


def span(first: date = FIRST, last: date = LAST) -> SimulatedPeriod:
    return SimulatedPeriod(first, last, last, seed=3, interval_minutes=60)


def qmgr_spec(**changed: Any) -> SiteQueueManager:
    """Return a queue manager of which every figure is known."""
    made = SiteQueueManager(
        name="PAY.QM",
        host="ham-mq1",
        primary_files=6,
        secondary_files=2,
        max_channels=300,
        log_primary_pct=steady(40),
        log_fs_pct=FileSystemUse(at_anchor=50, day_noise_ratio=0, hour_noise_ratio=0),
        data_fs_pct=FileSystemUse(at_anchor=62.5, day_noise_ratio=0, hour_noise_ratio=0),
        connections=steady(200),
        puts_per_s=steady(100),
        log_write_latency_us=steady(300),
        queues=(SiteQueue(name="APP/IN", max_depth=1_000, depth_pct=steady(130), put_ratio=0.25),),
    )
    return made.model_copy(update=changed)


def site_spec(**changed: Any) -> SiteSpec:
    """Return a site with two queue managers on one host, and a z/TPF system."""
    made = SiteSpec(
        name="HAMBURG",
        timezone="Europe/Berlin",
        step_minutes=30,
        history_days=9,
        hosts=(SiteHost(name="ham-mq1", cpu_busy_pct=steady(60), ram_free_pct=40),),
        qmgrs=(qmgr_spec(), qmgr_spec(name="qm_web", seen_by=Producer.container, queues=())),
        ztpf=(
            SiteZtpf(name="TPF1", mqm_blocks=100_000, mqm_used_pct=steady(70),
                     sweeps_per_day=steady(48), queues=("RES.IN", "TKT.OUT")),
        ),
    )  # fmt: skip
    return made.model_copy(update=changed)


SOON = CrossingClass.crosses_within_90_days


def truths(**changed: object) -> dict[str, PlantedTruth]:
    """Return the truth about the first queue manager by its metric."""
    site = site_spec(qmgrs=(qmgr_spec(**changed),), ztpf=(), history_days=100)
    long = span(first=LAST - timedelta(days=99))
    return {truth.metric: truth for truth in planted_site_truths([site], long)}


@pytest.mark.parametrize(
    ("at_anchor", "kind"),
    [(99.9, SOON), (100.0, SOON), (100.1, CrossingClass.already_over), (20, CrossingClass.never)],
)
def test_the_log_is_over_above_all_its_primary_files(at_anchor: float, kind: CrossingClass) -> None:
    load = Load(
        at_anchor=at_anchor,
        growth_ratio_per_year=0.8,
        weekday_ratio=(1,) * 7,
        month_end_ratio=1,
        profile="flat",
    )
    truth = truths(log_primary_pct=load)["mq_log_primary_used_pct"]
    assert (truth.limit, truth.crossing_class) == (100, kind)
    assert (truth.first_crossing_date is not None) == (kind is SOON)


def test_a_queue_beyond_maxdepth_is_over_and_its_name_is_escaped() -> None:
    truth = truths()["mq_queue_depth_used_pct"]
    assert truth.subject == "HAMBURG/PAY.QM/APP%2FIN"
    assert truth.crossing_class is CrossingClass.already_over


def test_a_container_has_no_truth_of_connections_and_a_system_has_its_sweep_level() -> None:
    long = span(first=LAST - timedelta(days=99))
    made = planted_site_truths([site_spec(history_days=100)], long)
    connections = [truth.subject for truth in made if truth.metric == "mq_connection_count"]
    assert connections == ["HAMBURG/PAY.QM"]
    [level] = [truth for truth in made if truth.subject == "HAMBURG/TPF1"]
    assert level.metric == "tpf_mqm_in_use_blocks"
    assert (level.limit, level.crossing_class) == (80_000, CrossingClass.never)


def test_planted_events_are_known_by_subject_day_and_message() -> None:
    event = SiteEvent(day_offset=-1, at_local=time(9), message=ExhaustionMessage.log_full)
    site = site_spec(qmgrs=(qmgr_spec(events=(event,)), qmgr_spec(name="QM2")))
    [planted] = planted_site_events([site], span())
    day = LAST - timedelta(days=1)
    assert (planted.subject, planted.day, planted.message) == ("HAMBURG/PAY.QM", day, "AMQ7463E")
    [made, other] = site_figures(site, span())
    [(time_us, _)] = made.events
    assert time_us / 1e6 == datetime(2026, 10, 24, 7, tzinfo=UTC).timestamp()
    assert other.events == ()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"step_minutes": 25}, "divides the hour"),
        ({"hosts": ()}, "host of PAY.QM, qm_web is none of"),
        ({"timezone": "Europe/Nowhere"}, "Nowhere"),
        ({"qmgrs": [{"name": "A B"}]}, "name"),
    ],
)
def test_a_site_that_does_not_fit_is_refused(changed: dict[str, Any], said: str) -> None:
    document = site_spec().model_dump() | changed
    with pytest.raises((ValidationError, KeyError), match=said):
        SiteSpec.model_validate(document)
