"""Findings and deliveries."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from pydantic import ValidationError

from mqcap.domain.delivery import Channel, Stage
from mqcap.domain.finding import Change, Citation, Finding, InputValue, Severity
from mqcap.domain.input_source import EstateSource, MeasuredDaySource, MeasuredHoursSource
from mqcap.domain.metric import Statistic
from mqcap.domain.typed_amount import TypedAmount
from tests import factories
from tests.factories import NOON, delivery

DAY = date(2026, 10, 1)
LOG = "log_growth_mib_per_s/PLEX1/CSQ1"


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
        (Citation(document="MP16", edition="14"), "MP16 (14)"),
        (Citation(document="MP16", section="Logs"), 'MP16, "Logs"'),
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
    assert finding(inputs=inputs).observed_when == "peak of 2026-10-01"
    assert finding(inputs=inputs[:1]).observed_when == ""
    assert finding(inputs=inputs, series_id=None).observed_when == ""


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
    assert finding(inputs=inputs).observed_when == (
        "busiest hours of 2026-08-28 to 2026-10-01, 840 measured"
    )
    assert finding(inputs=inputs[:1]).observed_when == "peak of 2026-10-01"


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


def test_a_measured_value_names_what_is_typed_and_not_used() -> None:
    origin = measured("log_growth_mib_per_s").origin
    typed = EstateSource(place="PLEX1/CSQ1", key="maxarch")
    made = InputValue(name="rate", value=1.0, origin=origin, instead_of=typed)
    assert made.source.endswith("(instead of settings, estate PLEX1/CSQ1: maxarch)")
    assert InputValue.model_validate_json(made.model_dump_json()) == made
    assert "instead" not in measured("log_growth_mib_per_s").source


def test_severities_rank_from_ok_to_act() -> None:
    words = ["ok", "suggestion", "unknown", "watch", "act"]
    assert sorted(Severity, key=lambda severity: severity.rank) == words


def test_a_new_delivery_is_pending_and_not_sent() -> None:
    made = delivery()
    assert made.stage is Stage.pending
    assert made.channel is Channel.mail
    assert not made.sent
    assert made.attempts == 0


def test_a_delivery_that_was_handed_over_is_sent_and_has_no_error() -> None:
    failed = delivery(error="the server did not answer", attempts=2)
    sent = failed.handed_over(NOON)
    assert sent.sent
    assert (sent.stage, sent.sent_at_utc, sent.error) == (Stage.sent, NOON, None)
    assert sent.attempts == 2
    assert not failed.sent


def test_the_time_of_sending_needs_a_time_zone() -> None:
    with pytest.raises(ValidationError, match="timezone"):
        delivery(sent_at_utc=NOON.replace(tzinfo=None))
