"""Units and clock of a reader."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import UTC, datetime

import pytest

from mqcap.presentation import display_units
from mqcap.presentation.display_units import Clock, DisplayPreferences, Rate, Scale

MOMENT = datetime(2026, 7, 1, 22, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("rate", "scale"),
    [
        (Rate.mb_per_hour, Scale(3_600, "MB/hour")),
        (Rate.mib_per_s, Scale(1.0, "MiB/s")),
        (Rate.cylinders_per_hour, Scale(3_600 * 1_048_576 / 737_280, "cylinders/hour")),
    ],
)
def test_log_growth_is_scaled_to_the_chosen_unit(rate: Rate, scale: Scale) -> None:
    assert DisplayPreferences(rate=rate).scale("MiB/s") == scale
    assert DisplayPreferences(rate=rate).scale("%") == Scale(1.0, "%")


def test_the_second_unit_is_never_the_chosen_one() -> None:
    for rate in Rate:
        shown = DisplayPreferences(rate=rate)
        assert shown.other_rate().unit != shown.scale("MiB/s").unit


def test_an_instant_keeps_its_value_on_the_local_clock() -> None:
    local = DisplayPreferences(clock=Clock.local, local_zone="Europe/Berlin").at(MOMENT)
    assert local == MOMENT
    assert f"{local:%Y-%m-%d %H:%M}" == "2026-07-02 00:30"
    assert DisplayPreferences().at(MOMENT).tzinfo is UTC


def test_a_choice_ends_with_its_context_and_is_inherited_by_its_threads() -> None:
    def request() -> Rate:
        display_units.choose(DisplayPreferences(rate=Rate.mib_per_s))
        with ThreadPoolExecutor() as pool:
            return pool.submit(copy_context().run, display_units.current).result().rate

    assert copy_context().run(request) is Rate.mib_per_s
    assert display_units.current() == DisplayPreferences()
