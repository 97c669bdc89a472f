"""Specification and planted truth of sites, which are that of the sample but for what is stated."""

from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from pydantic import ValidationError

from devtools.simulator.generate import periods_of
from devtools.simulator.site.site_figures import site_figures
from devtools.simulator.site.site_files import write_sites
from devtools.simulator.site.site_spec import ExhaustionMessage, SiteEvent, SiteQueue
from devtools.simulator.spec import sample_spec
from devtools.simulator.timeline import SimulatedPeriod
from devtools.simulator.truth import (
    CrossingClass,
    PlantedTruth,
    planted_site_events,
    planted_site_truths,
)
from tests.devtools.simulator.builders import steady

LAST: Final = date(2026, 10, 25)
"""The Sunday on which clocks go back in Berlin: 25 hours."""
SPAN: Final = SimulatedPeriod(LAST - timedelta(days=99), LAST, LAST, seed=3, interval_minutes=60)
[SITE] = sample_spec().sites
SOON = CrossingClass.crosses_within_90_days


def truths(**changed: object) -> dict[str, PlantedTruth]:
    """Return the truth about the first queue manager, changed so, by its metric."""
    site = SITE.model_copy(update={"qmgrs": (SITE.qmgrs[0].model_copy(update=changed),)})
    return {truth.metric: truth for truth in planted_site_truths([site], SPAN)}


@pytest.mark.parametrize(
    ("at_anchor", "kind"),
    [(99.9, SOON), (100.0, SOON), (100.1, CrossingClass.already_over), (20, CrossingClass.never)],
)
def test_the_log_is_over_above_all_its_primary_files(at_anchor: float, kind: CrossingClass) -> None:
    load = steady(at_anchor).model_copy(update={"growth_ratio_per_year": 0.8})
    truth = truths(log_primary_pct=load)["mq_log_primary_used_pct"]
    assert (truth.limit, truth.crossing_class) == (100, kind)
    assert (truth.first_crossing_date is not None) == (kind is SOON)


def test_a_queue_beyond_maxdepth_is_over_and_its_name_is_escaped() -> None:
    full = SiteQueue(name="APP/IN", max_depth=1_000, depth_pct=steady(130))
    truth = truths(queues=(full,))["mq_queue_depth_used_pct"]
    assert truth.subject == "HAMBURG/ORDERS/APP%2FIN"
    assert truth.crossing_class is CrossingClass.already_over


def test_a_container_has_no_truth_of_connections_and_a_system_has_its_sweep_level() -> None:
    made = planted_site_truths([SITE], SPAN)
    connections = [truth.subject for truth in made if truth.metric == "mq_connection_count"]
    assert connections == ["HAMBURG/ORDERS", "HAMBURG/PAY.QM", "HAMBURG/TEST1"]
    [level] = [truth for truth in made if truth.subject == "HAMBURG/TPF1"]
    assert level.metric == "tpf_mqm_in_use_blocks"
    assert level.limit == pytest.approx(0.8 * 127_997)
    assert level.crossing_class is SOON


def test_planted_events_are_known_by_subject_day_and_message() -> None:
    event = SiteEvent(day_offset=-1, at_local=time(9), message=ExhaustionMessage.log_full)
    orders, *_ = SITE.qmgrs
    qmgrs = (orders.model_copy(update={"events": (event,)}), orders)
    site = SITE.model_copy(update={"qmgrs": qmgrs})
    [planted] = planted_site_events([site], SPAN)
    day = LAST - timedelta(days=1)
    assert (planted.subject, planted.day, planted.message) == ("HAMBURG/ORDERS", day, "AMQ7463E")
    [made, other] = site_figures(site, SPAN)
    [(time_us, _)] = made.events
    assert time_us / 1e6 == datetime(2026, 10, 24, 7, tzinfo=UTC).timestamp()
    assert other.events == ()


def test_a_month_before_a_site_has_data_has_no_answer(tmp_path: Path) -> None:
    months = periods_of(date(2026, 6, 1), date(2026, 8, 31), 0)
    written = write_sites([SITE], SPAN, months, tmp_path)
    answers = [file.name for file in written if file.suffix == ".json"]
    assert answers == ["HAMBURG.2026-07.json", "HAMBURG.2026-08.json"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"step_minutes": 25}, "divides the hour"),
        ({"hosts": ()}, "host of ORDERS, PAY.QM, qm_web, TEST1 is none of"),
        ({"timezone": "Europe/Nowhere"}, "Nowhere"),
        ({"qmgrs": [{"name": "A B"}]}, "name"),
    ],
)
def test_a_site_that_does_not_fit_is_refused(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        type(SITE).model_validate(SITE.model_dump() | changed)
