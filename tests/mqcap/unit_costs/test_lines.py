"""Log bytes of a put to a distributed queue manager."""

from pathlib import Path

import pytest

from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.domain.units import MIB_BYTES
from mqcap.unit_costs.learning_data import LearningData
from mqcap.unit_costs.lines import LOG, PUTS, site_log_bytes
from tests.mqcap.unit_costs.builders import data_in, measured

KIND = UnitCostKind.mq_log_bytes_per_put
QMGR = "EAST/QM1"
BYTES = 4_096


def swinging(place: int) -> float:
    """Puts that swing by the week."""
    return 100.0 + 20 * (place % 7)


def site(folder: Path, days: int = 120) -> LearningData:
    """A queue manager that logs 0.2 MiB/s and 4,096 bytes a put; means are half of the peaks."""
    data = data_in(folder)
    measured(data.engine, PUTS, QMGR, swinging, days)
    each_mib = BYTES / MIB_BYTES
    measured(data.engine, LOG, QMGR, lambda place: 0.4 + each_mib * swinging(place), days)
    return data


def learnt(data: LearningData) -> UnitCost:
    cost = site_log_bytes(data, KIND, QMGR)
    assert cost is not None
    return cost


def test_bytes_of_a_put_and_the_log_without_puts_are_a_line_through_days(tmp_path: Path) -> None:
    cost = learnt(site(tmp_path))
    assert cost.value == pytest.approx(BYTES)
    assert (cost.unit, cost.base_unit, cost.sample_of) == ("bytes", "MiB/s", "day")
    assert cost.base == pytest.approx(0.2)
    assert cost.is_used


@pytest.mark.parametrize(("days", "is_used"), [(59, False), (60, True), (61, True)])
def test_it_takes_as_many_days_as_other_lines(tmp_path: Path, days: int, is_used: bool) -> None:
    data = site(tmp_path, days)
    assert data.options.least_days == 60
    assert learnt(data).is_used is is_used


def test_without_a_measured_log_there_is_no_cost(tmp_path: Path) -> None:
    data = data_in(tmp_path)
    measured(data.engine, PUTS, QMGR, swinging)
    assert site_log_bytes(data, KIND, QMGR) is None
