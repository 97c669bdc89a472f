"""Archiving and accounting at what one unit costs by the site's own data."""

from typing import Any

import pytest

from mqcap.domain.metric import SubjectKind
from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.judging.evaluate import DayFacts
from mqcap.whatif.overlay import Overlay
from tests.factories import unit_cost
from tests.mqcap.rulebook.builders import QUEUE_MANAGER
from tests.mqcap.whatif.builders import WITH_SIZES, known_in, peak, world
from tests.mqcap.whatif.planted_costs import learning

KIND = SubjectKind.queue_manager
VOLUME, TASKS = "accounting_mib_per_day", "accounting_tasks_per_day"
ACCOUNTED = [
    *WITH_SIZES,
    (VOLUME, QUEUE_MANAGER, KIND, "MiB/day", 400.0),
    (TASKS, QUEUE_MANAGER, KIND, "count/day", 50_000.0),
]


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> DayFacts:
    return known_in(tmp_path_factory.mktemp("costs"), ACCOUNTED)


def rate(**changed: Any) -> UnitCost:
    values = {
        "kind": UnitCostKind.archive_mib_per_s, "subject": QUEUE_MANAGER, "unit": "MiB/s",
        "value": 8.0, "lower": 7.5, "upper": 8.5, "base": None, "base_unit": "",
        "correlation": None, "sample_count": 12, "sample_of": "archive", "least_sample": 10,
        "book": None,
    }  # fmt: skip
    return unit_cost(**(values | changed))


def with_settings(known: DayFacts, **settings: Any) -> Overlay:
    return world(known, configuration=[{"subject": QUEUE_MANAGER, **settings}])


def text_of(seen: Overlay, metric: str) -> str:
    return " ".join(
        line for effect in seen.effects if effect.metric == metric for line in effect.lines
    )


def test_a_log_of_another_size_is_archived_at_the_learnt_rate(known: DayFacts) -> None:
    seen = with_settings(learning(known, rate()), active_log_size_mib=3_840)
    assert peak(seen, "log_archive_min", QUEUE_MANAGER) == pytest.approx(3_840 / 8 / 60)
    assert "8 MiB/s (7.5 to 8.5 at 80 %), 12 archives" in text_of(seen, "log_archive_min")


def test_without_a_certain_rate_it_is_archived_in_step_with_its_size(known: DayFacts) -> None:
    few = rate(sample_count=9)
    for costs in ((), (few,)):
        seen = with_settings(learning(known, *costs), active_log_size_mib=4_096)
        assert peak(seen, "log_archive_min", QUEUE_MANAGER) == 18
        assert "in step with the size of a log" in text_of(seen, "log_archive_min")
    assert "the sample has 9 archives, at least 10" in text_of(seen, "log_archive_min")


@pytest.mark.parametrize(("transactions", "mib"), [(12_500, 200), (25_000, 400), (50_000, 800)])
def test_each_transaction_is_accounted_with_its_measured_bytes(
    known: DayFacts, transactions: int, mib: float
) -> None:
    seen = with_settings(known, accounting_transactions_per_day=transactions)
    # The mean of a day of the builder is half of its peak.
    assert peak(seen, VOLUME, QUEUE_MANAGER) == pytest.approx(mib)
    assert peak(seen, TASKS, QUEUE_MANAGER) == pytest.approx(2 * transactions)
    assert "x 8,388.6 bytes / 1048576, measured" in text_of(seen, VOLUME)


def test_without_measured_records_the_rule_has_the_bytes_of_mp16(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    plain = known_in(tmp_path_factory.mktemp("plain"))
    assert with_settings(plain, accounting_transactions_per_day=9).effects == ()
