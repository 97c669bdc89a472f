"""Findings and deliveries."""

from datetime import date
from typing import Any

import pytest

from mqcap.domain.finding import Change, Citation, Finding, InputValue
from mqcap.domain.input_source import EstateSource, MeasuredDaySource, MeasuredHoursSource
from mqcap.domain.metric import Statistic
from mqcap.domain.typed_amount import TypedAmount
from tests import factories

DAY = date(2026, 10, 1)


def finding(**changed: Any) -> Finding:
    return factories.finding(**({"inputs": ()} | changed))


def measured(metric: str, subject: str = "PLEX1/CSQ1") -> InputValue:
    origin = MeasuredDaySource(
        metric=metric, subject=subject, statistic=Statistic.peak, site_date=DAY
    )
    return InputValue(name=metric, value=1.5, origin=origin)


CONFIGURED = InputValue(
    name="log_size_mib", value=1_000, origin=EstateSource(place="PLEX1/CSQ1", key="maxarch")
)


@pytest.mark.parametrize(
    ("citation", "text"),
    [
        (Citation(document="MP16"), "MP16"),
        (Citation(document="MP16", edition="14", section="Logs"), 'MP16 (14), "Logs"'),
    ],
)
def test_a_citation_leaves_out_what_it_lacks(citation: Citation, text: str) -> None:
    assert str(citation) == text


def test_the_metric_of_the_watched_series_is_the_one_behind_the_figure() -> None:
    judged = finding(inputs=(measured("log_task_busy_pct"),))
    assert judged.measured_metrics == {"log_growth_mib_per_s"}


def test_without_a_series_the_metrics_of_all_measured_inputs_are_behind_the_figure() -> None:
    inputs = (measured("log_task_busy_pct"), CONFIGURED, measured("log_growth_mib_per_s"))
    assert finding(series_id=None, inputs=inputs).measured_metrics == {
        "log_task_busy_pct",
        "log_growth_mib_per_s",
    }
    assert finding(series_id=None, inputs=(CONFIGURED,)).measured_metrics == frozenset()


def test_the_observed_figure_is_that_of_the_finding_s_own_series() -> None:
    inputs = (measured("log_growth_mib_per_s", "PLEX1/CSQ10"), measured("log_growth_mib_per_s"))
    assert finding(inputs=inputs).observed_source is inputs[1].origin
    assert finding(inputs=inputs[:1]).observed_source is None
    assert finding(inputs=inputs, series_id=None).observed_source is None


def test_a_figure_of_the_busiest_hours_is_of_their_window_and_not_of_a_day() -> None:
    hours = MeasuredHoursSource(
        metric="log_growth_mib_per_s",
        subject="PLEX1/CSQ1",
        first_date=date(2026, 8, 28),
        last_date=DAY,
        hour_count=840,
        starts=(),
    )
    inputs = (measured("log_growth_mib_per_s"), InputValue(name="busiest", value=1.0, origin=hours))
    assert finding(inputs=inputs).observed_source is hours
    assert hours.when == "busiest hours of 2026-08-28 to 2026-10-01, 840 measured"
    assert finding(inputs=inputs[:1]).observed_source is inputs[0].origin


def test_the_limit_of_the_series_goes_before_the_limit_of_the_figure() -> None:
    assert finding(limit_value=60.0).crossing_limit == 60.0
    assert finding(limit_value=60.0, series_limit=45.0).crossing_limit == 45.0


def test_an_input_and_a_change_are_dumped_with_their_parts_and_their_text() -> None:
    assert CONFIGURED.model_dump(mode="json") == {
        "name": "log_size_mib",
        "value": 1_000,
        "unit": "",
        "origin": {"kind": "estate", "place": "PLEX1/CSQ1", "key": "maxarch"},
        "source": "settings, estate PLEX1/CSQ1: maxarch",
    }
    change = Change(action="Do it.", amount=TypedAmount.of("buffers", 2_667))
    assert change.model_dump(mode="json")["typed"] == "BUFFERS(2667)"
    assert Change(action="Do it.").typed == ""
    assert InputValue(name="unknown", value=None).source == ""
