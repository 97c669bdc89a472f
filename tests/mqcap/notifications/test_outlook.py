"""Clauses of an email about a forecast."""

from __future__ import annotations

from mqcap.notifications.outlook import NO_OUTLOOK, data_note_of
from tests.mqcap.notifications import builders
from tests.mqcap.notifications.builders import cf_finding


def test_a_forecast_on_incomplete_data_says_so() -> None:
    lacking = builders.forecast(cf_finding()).model_copy(
        update={"data_note": "3 of 240 days are incomplete."}
    )
    assert data_note_of(lacking) == ("forecast on incomplete data: 3 of 240 days are incomplete")


def test_nothing_is_said_about_complete_data_and_without_a_forecast() -> None:
    assert data_note_of(builders.forecast(cf_finding())) == ""
    assert data_note_of(None) == ""
    assert not any(NO_OUTLOOK)
