"""CPU cost: MP16, chapter 10 on converting CPU costs, and the sections on single calls."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from sizing.calculators import processor as registered
from tests.sizing.builders import refusal

processor: Any = registered  # a registered function has the return type of all


def converted(**inputs: Any) -> dict[str, Any]:
    values = {"measured_itr": 20, "measured_cps": 2, "target_itr": 20, "target_cps": 1}
    return dict(processor.converted_cost(processor.LsprInputs(**values | inputs)))


def test_a_cost_follows_the_power_of_one_engine() -> None:
    assert converted(cost_us=100) == {
        "measured_single": 10, "target_single": 20, "ratio": 0.5, "predicted_us": 50,
    }  # fmt: skip


def test_the_same_machine_costs_the_same() -> None:
    assert converted(target_cps=2, cost_us=70)["predicted_us"] == 70


def test_without_a_cost_only_the_ratio_is_given() -> None:
    assert converted()["predicted_us"] is None


def test_a_faster_engine_never_costs_more() -> None:
    costs = [converted(target_itr=itr, cost_us=100)["predicted_us"] for itr in (5, 10, 20, 40)]
    assert costs == sorted(costs, reverse=True)


@pytest.mark.parametrize(
    ("cost_ms", "processors", "busy"), [(0, 1, 0), (500, 1, 50), (500, 2, 25), (3_000, 3, 100)]
)
def test_busy_is_the_cpu_time_of_a_second_over_all_processors(
    cost_ms: float, processors: int, busy: float
) -> None:
    assert processor.cpu_busy(cost_ms, processors) == {"busy_pct": busy}


def test_shared_queues_cost_some_per_cent_more_for_each_further_queue_manager() -> None:
    # "Shared queue persistent message - CPU costs": +225 % and 3 at 1,000 bytes, +200 % and 2.
    assert processor.shared_more(1_000) == {"increase_pct": 225}
    assert processor.shared_more(1_000, 2) == {"increase_pct": 228}
    assert processor.shared_more(5_000, 3) == {"increase_pct": 204}


def test_each_waiting_getter_costs_a_microsecond() -> None:
    assert processor.waiting_getters(0) == {"extra_us": 0}
    assert processor.waiting_getters(7) == {"extra_us": 7}
    assert processor.waiting_getters(7, 0.5)["extra_us"] == approx(3.5)


def test_conversion_costs_a_get_and_four_for_double_byte_characters() -> None:
    assert processor.conversion(3) == {"cpu_us": 3}
    assert processor.conversion(3, double_byte=True) == {"cpu_us": 12}


def test_events_are_persistent_puts_and_triggers_are_not() -> None:
    assert processor.events(1, 0, 50, 10) == {"cpu_us": 50}
    assert processor.events(0, 1, 50, 10) == {"cpu_us": 10}
    assert processor.events(0, 0, 50, 10) == {"cpu_us": 0}


def test_machines_without_engines_and_sizes_not_measured_are_refused() -> None:
    assert "processors: Input should be greater than 0" in refusal(
        "CPU-BUSY", cost_ms_per_s=1, processors=0
    )
    assert "message_bytes: Input should be 1000 or 5000" in refusal(
        "CPU-SHARED-PRIVATE", message_bytes=2_000
    )
