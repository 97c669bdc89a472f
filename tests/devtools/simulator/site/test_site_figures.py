"""Figures of a site at each scrape: gaps of restarts, caps, counts, high-water marks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from devtools.simulator.site.site_figures import (
    FigureSlice,
    first_site_day,
    site_figures,
    ztpf_figures,
)
from devtools.simulator.workload import PROFILES, Profile
from tests.devtools.simulator.builders import steady
from tests.devtools.simulator.site.builders import FIRST, figures, site_spec, span


def test_a_site_begins_with_its_own_history_and_never_before_the_estate() -> None:
    long = span(first=FIRST - timedelta(days=50))
    assert first_site_day(site_spec(), long) == FIRST
    assert first_site_day(site_spec(history_days=400), span()) == FIRST


def test_scrapes_end_the_intervals_and_a_day_of_25_hours_has_two_more() -> None:
    made = figures()
    assert len(made.grid) == 8 * 48 + 50
    first = datetime.fromtimestamp(int(made.seconds[0]), tz=UTC)
    assert first == datetime(2026, 10, 16, 22, 30, tzinfo=UTC)


def test_a_restart_on_a_sunday_leaves_out_the_scrapes_in_it() -> None:
    made = figures()
    [restart] = made.restarts
    assert datetime.fromtimestamp(restart.ended_us / 1e6, tz=UTC) == datetime(
        2026, 10, 25, 2, 10, tzinfo=UTC
    )
    left_out = made.seconds[~made.is_up].tolist()
    assert [datetime.fromtimestamp(second, tz=UTC).isoformat()[11:16] for second in left_out] == [
        "02:30",
        "03:00",
    ]


def test_a_queue_holds_at_most_its_maxdepth() -> None:
    depths = figures().depths["APP/IN"]
    assert depths.max() == 1_000
    assert depths.min() < 1_000


def test_log_bytes_are_whole_pages_and_follow_the_puts() -> None:
    made = figures()
    assert (made.log_bytes % 4_096 == 0).all()
    expected = made.puts * 2_048 * 1.3
    assert made.log_bytes == pytest.approx(expected, abs=4_096)


def test_queue_managers_of_one_host_publish_the_same_figures_of_it() -> None:
    first, second = site_figures(site_spec(), span())
    assert (first.host_cpu_pct == second.host_cpu_pct).all()
    assert first.host_system_pct == pytest.approx(first.host_cpu_pct / 4)


def test_the_high_water_mark_of_a_system_never_falls_and_sweeps_are_those_of_the_day() -> None:
    [made] = ztpf_figures(site_spec(), span())
    assert (np.diff(made.high_water_blocks) >= 0).all()
    assert made.high_water_blocks[-1] == made.in_use_blocks.max() == 70_000
    [flat] = ztpf_figures(
        site_spec(ztpf=(made.spec.model_copy(update={"sweeps_per_day": steady(480)}),)), span()
    )
    day = flat.sweeps[:48]
    assert day.sum() == pytest.approx(480 * np.mean(PROFILES[Profile.business]), abs=1)


def test_a_slice_has_the_scrapes_that_were_answered() -> None:
    made = figures()
    part = FigureSlice(made, len(made.grid) - 50, len(made.grid))
    first = len(made.grid) - 50
    down = np.flatnonzero(~made.is_up).tolist()
    assert part.places == [place for place in range(first, first + 50) if place not in down]
    assert len(part.places) == 48
    assert part.with_previous.low == first - 1
    assert FigureSlice(made, 0, 3).with_previous.places == [0, 1, 2]
