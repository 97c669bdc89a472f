"""Sections of the settings, dates that are due, and texts in YAML."""

from datetime import date, timedelta
from pathlib import Path

import pytest
import yaml
from pydantic import ValidationError

from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import InputValue, Severity
from mqcap.domain.input_source import LossSource
from mqcap.domain.shown_text import MASK
from mqcap.settings import AlertSettings, ChangeFreeze, GradePolicy, SparkSettings
from mqcap.settings.analysis import DriverSettings, PlanSettings, TransportSettings
from mqcap.settings.due_dates import due_date, due_date_of, last_responsible_date
from mqcap.settings.loader import parse_yaml
from mqcap.settings.models import PLAIN_OPTIONS, StoreSettings, without_secret
from tests.factories import DAY, crossing, finding
from tests.mqcap.notifications.builders import breached, cf_finding, problem


@pytest.mark.parametrize("address", ["s3://lake/daily", "var/inbox", "https://host:8443/a?b=c", ""])
def test_an_address_without_credentials_is_returned_as_it_is(address: str) -> None:
    assert without_secret(address) == address


@pytest.mark.parametrize("address", ["s3://key:secret@lake/x", "https://user@host/"])
def test_an_address_with_credentials_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="contains a user or a password"):
        without_secret(address)
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
    subjects = ("PLEX1/CSQ1/PSID04", "PLEX1/CSQ1", "PLEX1/CSQ10", "PLEX1", "PLEX2/CSQ1")
    owners = ["payments", "payments", "sysplex team", "sysplex team", ""]
    assert [alerts.owner_of(subject) for subject in subjects] == owners


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


def test_the_first_pattern_that_fits_names_the_driver_and_without_a_file_there_is_none() -> None:
    drivers = DriverSettings(file=Path("drivers.csv"), series=SERIES)
    assert drivers.driver_of(LOG) == "payments"
    assert drivers.driver_of("log_growth_mib_per_s/PLEX1/CSQ2") == "orders"
    assert drivers.driver_of("log_growth_mib_per_s/PLEX2/CSQ1") is None
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


PASSED = date(2026, 6, 1)
FINE = finding(breach=False)
YEAR_END = ChangeFreeze(name="year end", first=date(2026, 5, 10), last=date(2026, 5, 25))
BEFORE = ChangeFreeze(first=date(2026, 5, 1), last=date(2026, 5, 9))
TEXT = "a: [1, 2.5, true]\nb: {c: 2026-03-02, d: 'æ'}\n"


@pytest.mark.parametrize(
    ("freezes", "last"),
    [
        ((), date(2026, 5, 18)),
        ((YEAR_END,), date(2026, 5, 9)),
        ((BEFORE, YEAR_END), date(2026, 4, 30)),
    ],
)
def test_a_day_in_a_freeze_moves_before_it_as_often_as_needed(
    freezes: tuple[ChangeFreeze, ...], last: date
) -> None:
    assert last_responsible_date(PASSED, 14, freezes) == last


def test_a_freeze_of_one_day_is_in_order_and_a_reversed_one_is_not() -> None:
    assert ChangeFreeze(first=DAY, last=DAY).name == ""
    with pytest.raises(ValidationError, match="ends on 2026-03-01, before it begins"):
        ChangeFreeze(first=DAY, last=DAY - timedelta(days=1))


def test_the_earliest_crossing_counts_less_the_lead_time_of_the_rule() -> None:
    alerts = AlertSettings(lead_time_days={"default": 14, FINE.rule_id: 30})
    dated = crossing(FINE, earliest_date=PASSED, expected_date=PASSED + timedelta(days=60))
    assert due_date(FINE, dated, alerts) == date(2026, 5, 2)
    late = dated.model_copy(update={"earliest_date": None, "expected_date": PASSED})
    assert due_date(FINE, late, alerts) == date(2026, 5, 2)


def test_what_is_over_or_has_no_date_is_not_due() -> None:
    alerts = AlertSettings()
    assert due_date(FINE, None, alerts) is None
    assert due_date(finding(breach=True), crossing(), alerts) is None
    far = crossing(FINE, state=CrossingState.not_within_horizon)
    assert due_date(FINE, far, alerts) is None
    dateless = crossing(FINE, earliest_date=None, expected_date=None)
    assert due_date(FINE, dateless, alerts) is None


def days(count: int) -> timedelta:
    return timedelta(days=count)


def test_a_change_is_due_before_a_freeze_and_a_due_date_is_never_past() -> None:
    soon = problem(cf_finding(), crossing(cf_finding()))
    freezes = (
        ChangeFreeze(first=DAY + days(15), last=DAY + days(40), name="quarter-end"),
        ChangeFreeze(first=DAY + days(10), last=DAY + days(14)),
    )
    due = due_date_of(soon, AlertSettings(change_freezes=freezes))
    assert due == DAY + days(9)
    late = due_date_of(soon, AlertSettings(lead_time_days={"CF-CPU-60": 90}))
    assert late == DAY
    assert due_date_of(problem(cf_finding()), AlertSettings()) is None


def test_a_change_is_due_when_the_breach_was_notified_and_not_when_its_forecast_was() -> None:
    over = problem(finding(), breached(finding()))
    course = {"raised_date": DAY - days(60), "breach_notified_date": DAY - days(2)}
    status = over.status.model_copy(update=course)
    due = due_date_of(over.model_copy(update={"status": status}), AlertSettings())
    assert due == DAY - days(2)
    soon = problem(cf_finding(), crossing(cf_finding()))
    back = soon.status.model_copy(update={"raised_date": DAY - days(60), "first_seen_date": DAY})
    late = due_date_of(
        soon.model_copy(update={"status": back}), AlertSettings(lead_time_days={"default": 90})
    )
    assert late == DAY


def test_a_loss_that_has_not_happened_leaves_its_lead_time() -> None:
    inputs = (InputValue(name="with_load", value=73, origin=LossSource(lost="PLEX1/CF02")),)
    lost = problem(finding(inputs=inputs))
    due = due_date_of(lost, AlertSettings(lead_time_days={"default": 30}))
    assert due == DAY + timedelta(days=30)


def test_the_parser_in_c_reads_what_the_one_in_python_reads_and_no_objects(tmp_path: Path) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text(TEXT, encoding="utf-8")
    with file.open("rb") as opened:
        assert parse_yaml(opened) == parse_yaml(TEXT) == yaml.safe_load(TEXT)
    assert parse_yaml("") is None
    with pytest.raises(yaml.YAMLError):
        parse_yaml("!!python/object/apply:os.getcwd []")
