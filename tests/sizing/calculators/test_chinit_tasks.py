"""Tasks of the channel initiator: MP16, "CHIADAPS", "CHIDISPS and MAXCHL" and "SSLTASKS"."""

from __future__ import annotations

from typing import Any

import pytest

from sizing.calculators import chinit_tasks as registered
from tests.sizing.builders import refusal

chinit_tasks: Any = registered  # a registered function has the return type of all


@pytest.mark.parametrize(
    ("processors", "adapters"), [(1, 30), (4, 30), (5, 38), (15, 118), (16, 120), (64, 120)]
)
def test_adapters_are_30_and_8_for_each_processor_above_four_up_to_120(
    processors: int, adapters: int
) -> None:
    assert chinit_tasks.adapters(processors) == {"chiadaps": adapters}


def test_at_peak_one_adapter_should_be_unused() -> None:
    assert chinit_tasks.unused_adapters(0) == {"warn": True, "breach": True}
    assert chinit_tasks.unused_adapters(1) == {"warn": True, "breach": False}
    assert chinit_tasks.unused_adapters(2) == {"warn": False, "breach": False}


def test_only_more_than_1000_channels_have_a_recommended_number_of_dispatchers() -> None:
    assert chinit_tasks.dispatchers(0) == {"chidisps": None}
    assert chinit_tasks.dispatchers(1_000) == {"chidisps": None}
    assert chinit_tasks.dispatchers(1_001) == {"chidisps": 20}


@pytest.mark.parametrize(
    ("busy", "busiest", "skew", "warn"),
    [([50], 50, 0, False), ([10, 51, 30], 51, 41, True), ([0, 0], 0, 0, False)],
)
def test_the_busiest_dispatcher_decides_and_the_skew_is_given(
    busy: list[float], busiest: float, skew: float, warn: bool
) -> None:
    figures = chinit_tasks.dispatcher_busy(busy)
    assert figures == {"busiest_pct": busiest, "skew_pct": skew, "warn": warn}


def test_a_dispatcher_gets_ten_channels_at_first_or_its_share_when_that_is_less() -> None:
    # F-40: MIN(MAXCHL/CHIDISPS, 10) gives 10 while 50 run on each when all have started.
    assert chinit_tasks.channels_of_dispatcher(1_000, 20) == {
        "channels_per_dispatcher_when_all_started": 50, "first_fill": 10,
    }  # fmt: skip
    assert chinit_tasks.channels_of_dispatcher(100, 20)["first_fill"] == 5


@pytest.mark.parametrize(("dispatchers", "processors", "tasks"), [(5, 4, 6), (4, 5, 6), (1, 1, 2)])
def test_ssl_tasks_are_one_more_than_dispatchers_and_processors(
    dispatchers: int, processors: int, tasks: int
) -> None:
    assert chinit_tasks.ssl_tasks(dispatchers, processors) == {"ssltasks": tasks}


def test_an_ssl_task_may_be_exactly_90_per_cent_busy() -> None:
    assert chinit_tasks.ssl_busy(90) == {"breach": False}
    assert chinit_tasks.ssl_busy(90.1) == {"breach": True}


def test_each_channel_initiator_has_three_threads_of_its_own() -> None:
    # "Checking the OMVS Environment".
    assert chinit_tasks.threads(0, 0) == {"threads": 3}
    assert chinit_tasks.threads(5, 8) == {"threads": 16}
    assert chinit_tasks.threads(5, 8, 2) == {"threads": 32}


@pytest.mark.parametrize(
    ("threads", "warn", "breach"),
    [(0, False, False), (84, False, False), (85, True, False), (100, True, True),
     (101, True, True)],
)  # fmt: skip
def test_threads_warn_at_85_per_cent_of_the_limit_and_breach_at_it(
    threads: int, warn: bool, breach: bool
) -> None:
    figures = chinit_tasks.threads_against_limit(threads, 100)
    assert figures == {"used_pct": threads, "warn": warn, "breach": breach}


def test_no_processor_and_no_dispatcher_are_refused() -> None:
    assert "processors: Input should be greater than 0" in refusal("CHI-CHIADAPS", processors=0)
    assert "busy_pct: List should have at least 1 item" in refusal("CHI-DISP-BUSY", busy_pct=[])
    assert "less than or equal to 100" in refusal("CHI-DISP-BUSY", busy_pct=[101])
