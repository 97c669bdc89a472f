"""Sections of the settings."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from mqcap.domain.finding import Severity
from mqcap.domain.shown_text import MASK
from mqcap.settings import AlertSettings, GradePolicy, IngestSettings, SparkSettings, StoreSettings
from mqcap.settings.analysis import DriverSettings, PlanSettings, TransportSettings
from mqcap.settings.models import PLAIN_OPTIONS, without_secret


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


def test_the_store_address_is_masked_when_printed() -> None:
    settings = StoreSettings.model_validate({"url": "postgresql://mqcap:hidden@host/store"})
    assert "hidden" not in repr(settings)
    assert "hidden" not in settings.model_dump_json()
    assert settings.url.get_secret_value().endswith("hidden@host/store")


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


LOG = "log_growth_mib_per_s/PLEX1/CSQ1"
SERIES = {LOG: "payments", "log_growth_mib_per_s/PLEX1/*": "orders"}


def test_the_first_pattern_that_fits_names_the_driver() -> None:
    drivers = DriverSettings(file=Path("drivers.csv"), series=SERIES)
    assert drivers.driver_of(LOG) == "payments"
    assert drivers.driver_of("log_growth_mib_per_s/PLEX1/CSQ2") == "orders"
    assert drivers.driver_of("log_growth_mib_per_s/PLEX2/CSQ1") is None


def test_without_a_file_no_series_has_a_driver() -> None:
    assert DriverSettings(series=SERIES).driver_of(LOG) is None


@pytest.mark.parametrize("value", [-0.01, float("inf"), float("nan")])
def test_a_weight_that_is_no_cost_is_refused_by_its_key(value: float) -> None:
    with pytest.raises(ValidationError, match=r"cost\.cylinder"):
        PlanSettings.model_validate({"cost": {"cylinder": value}})


def test_addresses_that_spark_takes_are_taken_and_others_refused_before_java_starts() -> None:
    for master in (
        "local", "local[*]", "local[2]", "local[2,3]", "yarn", "spark://host:7077",
        "spark://a:7077,b:7077", "k8s://https://host:6443",
    ):  # fmt: skip
        assert SparkSettings(master=master).master == master
    for other in ("", "foo", "local[0]", "local[x]", "host:7077", "spark://"):
        with pytest.raises(ValidationError, match=r"expected local\[\*\]"):
            SparkSettings(master=other)


def test_a_heap_has_a_number_and_a_unit() -> None:
    for size in ("2g", "800m", "1T", "2gb"):
        assert SparkSettings(driver_memory=size).driver_memory == size
    for other in ("2", "0g", "lots", "2.5g", "-1g"):
        with pytest.raises(ValidationError, match="such as 2g"):
            SparkSettings(driver_memory=other)


@pytest.mark.parametrize("largest", [0.9, 1.0, 1.1])
def test_the_largest_message_is_not_below_the_least(largest: float) -> None:
    if largest < 1:
        with pytest.raises(ValidationError, match="largest_message_kib is below"):
            TransportSettings(largest_message_kib=largest)
    else:
        assert TransportSettings(largest_message_kib=largest).least_message_kib == 1
