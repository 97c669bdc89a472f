"""A finding about the busiest queue names it."""

from pathlib import Path

import pytest

from mqcap.domain.finding import Finding, InputValue
from mqcap.domain.input_source import MeasuredDaySource
from mqcap.domain.metric import Statistic
from mqcap.judging.measured_figures import with_busiest_part
from tests.factories import DAY, finding
from tests.mqcap.lake.parts import CSQ1, row, write_parts

RATE = "private_queue_messages_per_s"


def about(metric: str = RATE) -> Finding:
    origin = MeasuredDaySource(
        metric=metric, subject=CSQ1, statistic=Statistic.peak, site_date=DAY, window_days=35
    )
    value = InputValue(name="messages_per_s", value=900.0, unit="count/s", origin=origin)
    return finding().model_copy(
        update={"inputs": (value,), "statement": "900 a second of 1,000 a second."}
    )


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    queues = {"PAY.IN": 800.0, "ORDER.IN": 900.0, "ADMIN": 900.0}
    write_parts(tmp_path, [row(DAY, name, value, metric=RATE) for name, value in queues.items()])
    return tmp_path


def test_the_busiest_queue_is_named_of_equal_ones_the_first(lake: Path) -> None:
    named = with_busiest_part(about(), str(lake))
    assert named.statement == "900 a second of 1,000 a second; the queue is ADMIN."
    assert named.summary.endswith("the queue is ADMIN.")


def test_figures_of_other_metrics_stay_as_they_are(lake: Path) -> None:
    assert with_busiest_part(about("log_growth_mib_per_s"), str(lake)) == about(
        "log_growth_mib_per_s"
    )


def test_without_parts_nothing_is_named(tmp_path: Path) -> None:
    assert with_busiest_part(about(), str(tmp_path)) == about()
