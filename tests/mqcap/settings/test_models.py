from __future__ import annotations

from datetime import date

import pytest
from pydantic import ValidationError

from mqcap.domain.estate import SystemClass
from mqcap.domain.finding import Severity
from mqcap.domain.shown_text import MASK
from mqcap.settings import (
    AlertSettings,
    ChangeFreeze,
    ForecastSettings,
    GradePolicy,
    IngestSettings,
    Retention,
    RuleWindow,
    Site,
    StoreSettings,
)
from mqcap.settings.models import PLAIN_OPTIONS, without_secret


def test_a_section_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        setattr(Site(), "name", "other")  # noqa: B010 - mypy refuses the assignment itself


def test_an_unknown_key_is_an_error() -> None:
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        Site.model_validate({"name": "A", "nmae": "B"})


def test_the_error_of_a_value_does_not_repeat_it() -> None:
    with pytest.raises(ValidationError) as raised:
        StoreSettings.model_validate({"url": ["hidden"]})
    assert "hidden" not in str(raised.value)


@pytest.mark.parametrize("address", ["s3://lake/daily", "var/inbox", "https://host:8443/a?b=c", ""])
def test_an_address_without_credentials_is_returned_as_it_is(address: str) -> None:
    assert without_secret(address) == address


@pytest.mark.parametrize("address", ["s3://key:secret@lake/x", "https://user@host/"])
def test_an_address_with_credentials_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="contains a user or a password"):
        without_secret(address)
    with pytest.raises(ValidationError, match="contains a user or a password"):
        IngestSettings(inputs=("var/inbox", address))
    with pytest.raises(ValidationError, match="contains a user or a password"):
        AlertSettings(ticket_options={"url": address})


@pytest.mark.parametrize(
    ("section", "values"),
    [
        (Retention, {"raw_days": 6}),
        (Retention, {"daily_days": 399}),
        (IngestSettings, {"rejected_bytes_max_ratio": 1.5}),
        (IngestSettings, {"settle_seconds": -1}),
        (IngestSettings, {"unpacked_max_ratio": 1.0}),
        (ForecastSettings, {"horizon_days": 0}),
        (ForecastSettings, {"horizon_days": 731}),
        (ForecastSettings, {"interval_width": 1.0}),
        (ForecastSettings, {"final_fit": "other"}),
        (GradePolicy, {"watch_below_headroom": 1.0}),
        (GradePolicy, {"act_within_days": -1}),
        (AlertSettings, {"raise_days": 0}),
        (AlertSettings, {"raise_window_days": 32}),
        (AlertSettings, {"act_risk": 0}),
        (AlertSettings, {"weekly_digest": "someday"}),
        (AlertSettings, {"lead_time_days": {"default": -1}}),
        (RuleWindow, {"peak_days": 0}),
        (Site, {"timezone": "Mars/Olympus"}),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else value.__name__,
)
def test_a_value_outside_its_range_is_refused(
    section: type[Site], values: dict[str, object]
) -> None:
    with pytest.raises(ValidationError):
        section.model_validate(values)


def test_the_store_address_is_masked_when_printed() -> None:
    settings = StoreSettings.model_validate({"url": "postgresql://mqcap:hidden@host/store"})
    assert "hidden" not in repr(settings)
    assert "hidden" not in settings.model_dump_json()
    assert settings.url.get_secret_value().endswith("hidden@host/store")


def test_a_freeze_of_one_day_is_in_order_and_a_reversed_one_is_not() -> None:
    day = date(2026, 12, 18)
    assert ChangeFreeze(first=day, last=day).name == ""
    with pytest.raises(ValidationError, match="ends on 2026-12-17, before it begins"):
        ChangeFreeze(first=day, last=date(2026, 12, 17))


@pytest.mark.parametrize("graded", [Severity.ok, Severity.watch, Severity.act, None])
def test_a_breach_is_graded_by_a_severity_or_left_to_the_rule(graded: Severity | None) -> None:
    assert GradePolicy(breach=graded).breach is graded


def test_a_breach_is_no_suggestion() -> None:
    with pytest.raises(ValidationError, match="a breach is no suggestion"):
        GradePolicy(breach=Severity.suggestion)


def test_the_owner_is_that_of_the_nearest_parent() -> None:
    alerts = AlertSettings(owners={"PLEX1": "sysplex team", "PLEX1/CSQ1": "payments"})
    owners = {
        subject: alerts.owner_of(subject)
        for subject in ("PLEX1/CSQ1/PSID04", "PLEX1/CSQ1", "PLEX1/CSQ10", "PLEX1", "PLEX2/CSQ1")
    }
    assert owners == {
        "PLEX1/CSQ1/PSID04": "payments",
        "PLEX1/CSQ1": "payments",
        "PLEX1/CSQ10": "sysplex team",
        "PLEX1": "sysplex team",
        "PLEX2/CSQ1": "",
    }


def test_the_lead_time_of_a_rule_wins_over_the_default() -> None:
    alerts = AlertSettings(lead_time_days={"default": 14, "CF-CPU-60": 90})
    assert alerts.lead_time("CF-CPU-60") == 90
    assert alerts.lead_time("CF-BUSY-1") == 14
    assert AlertSettings(lead_time_days={}).lead_time("CF-BUSY-1") == 0


def test_options_of_a_tracker_are_masked_but_for_the_plain_ones() -> None:
    options = {"project": "CAP", "token": "hidden", "url": "https://jira.example.com/hooks/hidden"}
    printed = AlertSettings(ticket_options=options).model_dump(mode="json")["ticket_options"]
    assert printed == {"project": "CAP", "token": MASK, "url": "https://jira.example.com"}
    assert "token" not in PLAIN_OPTIONS
    assert AlertSettings(ticket_options=options).ticket_options == options


def test_every_class_of_systems_has_a_weight_and_production_the_highest() -> None:
    weights = AlertSettings().class_weights
    assert set(weights) == set(SystemClass)
    assert max(weights, key=lambda name: weights[name]) is SystemClass.production
