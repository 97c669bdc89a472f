"""Changes of series, and what effects read from a day."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.errors import ConfigurationError
from mqcap.judging.evaluate import DayFacts
from mqcap.whatif.effects import (
    SeriesChange,
    SlopeChange,
    calculate,
    engines_of,
    last_day,
    peak_of,
    total_of,
)
from tests.mqcap.whatif.builders import CF, OTHER_CF, PAGE_SET


@given(
    value=st.floats(0, 100),
    factor=st.floats(0.1, 10),
    addition=st.floats(-50, 50),
    slope=st.floats(0, 1),
)
def test_changes_keep_the_order_of_values_and_none_falls_below_zero(
    value: float, factor: float, addition: float, slope: float
) -> None:
    change = SeriesChange(factor, addition, SlopeChange(70, slope))
    assert 0 <= change.of(value) <= change.of(value + 1)


@given(
    values=st.lists(st.floats(0, 200), max_size=20),
    factor=st.floats(0, 10),
    addition=st.floats(-50, 50),
    slope=st.none() | st.floats(0, 1),
    rescale=st.floats(0.1, 10),
)
def test_many_values_change_to_the_bit_as_single_ones_do(
    values: list[float], factor: float, addition: float, slope: float | None, rescale: float
) -> None:
    bend = None if slope is None else SlopeChange(70, slope)
    change = SeriesChange(factor, addition, bend, rescale)
    assert change.of_each(np.array(values)).tolist() == [change.of(value) for value in values]


@pytest.mark.parametrize(
    ("change", "value", "changed"),
    [
        (SeriesChange(factor=1.5), 40.0, 60.0),
        (SeriesChange(factor=2, addition=5), 40.0, 85.0),
        (SeriesChange(factor=2, slope=SlopeChange(70, 0.5)), 40.0, 75.0),
        (SeriesChange(factor=2, slope=SlopeChange(80, 0.5)), 40.0, 80.0),
        (SeriesChange(addition=-50), 40.0, 0.0),
        (SeriesChange(addition=70), 40.0, 110.0),
    ],
)
def test_a_change_multiplies_adds_and_then_limits(
    change: SeriesChange, value: float, changed: float
) -> None:
    assert change.of(value) == changed


def test_two_changes_in_a_row_are_one_change() -> None:
    first, second = SeriesChange(2, 10), SeriesChange(3, 1, SlopeChange(500, 0.1))
    both = first.then(second)
    assert both == SeriesChange(6, 31, SlopeChange(500, 0.1))
    assert both.of(20.0) == 151.0
    assert second.then(first).slope == SlopeChange(500, 0.1)


@pytest.mark.parametrize("is_total_first", [True, False])
def test_another_total_applies_to_the_share_and_to_what_is_added_in_any_order(
    *, is_total_first: bool
) -> None:
    added, doubled_total = SeriesChange(addition=-30.0), SeriesChange(rescale=0.5)
    order = (doubled_total, added) if is_total_first else (added, doubled_total)
    assert order[0].then(order[1]).of(80.0) == 25.0, "(80 - 30) % of half the total"


def test_a_calculator_states_inputs_results_and_citation() -> None:
    result = calculate("CF-CF-COST", message_bytes=2_048, cflevel=5)
    assert result.figures["us_per_message"] == 100 * 29 / 100
    assert result.line.startswith("CF-CF-COST(message_bytes=2,048, cflevel=5): us_per_message=29")
    assert "[MP16" in result.line


@pytest.mark.parametrize("read", [last_day, peak_of])
def test_a_series_that_is_not_measured_is_an_error_with_those_that_are(
    known: DayFacts, read: Callable[[DayFacts, str, str], object]
) -> None:
    with pytest.raises(ConfigurationError) as raised:
        read(known, "cf_busy_pct", "PLEX1/CF09")
    assert str(raised.value) == (
        "cf_busy_pct of PLEX1/CF09 is not measured; expected one of: PLEX1/CF01 PLEX1/CF02."
    )


def test_a_total_follows_from_a_size_and_its_percentage(known: DayFacts) -> None:
    pages = total_of(known, PAGE_SET, "page_set_used_pages", "page_set_used_pct")
    assert pages == 100_000
    assert total_of(known, "PLEX1/CSQ1/PS09", "page_set_used_pages", "page_set_used_pct") is None


def test_engines_are_configured_or_measured_or_unknown(known: DayFacts) -> None:
    assert engines_of(known, CF) == 2
    assert engines_of(known, OTHER_CF) == 2.0
    with pytest.raises(ConfigurationError, match="Set engines of this CF in the estate"):
        engines_of(known, "PLEX1/CF09")
