"""Units and time zones in which figures are displayed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import UTC, datetime

from mqcap.presentation import display_units
from mqcap.presentation.display_units import DisplayZones, Scale

MOMENT = datetime(2026, 7, 1, 22, 30, tzinfo=UTC)


def test_log_growth_is_scaled_to_the_unit_of_planners_and_nothing_else_is() -> None:
    assert display_units.scale("MiB/s") == Scale(3_600, "MB/hour")
    assert display_units.scale("%") == Scale(1.0, "%")


def test_an_instant_keeps_its_value_in_a_local_zone() -> None:
    local = DisplayZones(zone="Europe/Berlin").at(MOMENT)
    assert local == MOMENT
    assert f"{local:%Y-%m-%d %H:%M}" == "2026-07-02 00:30"
    assert DisplayZones().at(MOMENT).tzinfo is UTC


def test_a_choice_ends_with_its_context_and_is_inherited_by_its_threads() -> None:
    def request() -> DisplayZones:
        display_units.use_utc()
        with ThreadPoolExecutor() as pool:
            return pool.submit(copy_context().run, display_units.current).result()

    assert copy_context().run(request).always_utc
    assert display_units.current() == DisplayZones()
