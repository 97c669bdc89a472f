"""Resources, metrics, and the texts and figures stated of them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Finding, InputValue, stated_figure
from mqcap.domain.input_source import MeasuredDaySource
from mqcap.domain.metric import Direction, Statistic, series_id, split_series_id
from mqcap.domain.resource import ResourceKind, resource_of
from mqcap.domain.shown_text import (
    MASK,
    harmless,
    holds_secret,
    masked,
    names_credential,
    place_of,
    without_credentials,
    wrapped,
)
from mqcap.domain.subject import Subject
from tests import factories

CSQ1 = "PLEX1/CSQ1"
CHINIT = f"{CSQ1}/CHINIT"
CF01 = "PLEX1/CF01"
APPL1 = f"{CF01}/QSG1APPL1"
QM1 = "EAST/QM1"


@pytest.mark.parametrize(
    ("kind", "subject", "path", "label", "owner"),
    [
        ("active_log", CSQ1, f"{CSQ1}/active_log", "CSQ1 active logs", CSQ1),
        ("buffer_pool", f"{CSQ1}/BP03", f"{CSQ1}/BP03", "CSQ1 buffer pool BP03", CSQ1),
        ("page_set", f"{CSQ1}/PS04", f"{CSQ1}/PS04", "CSQ1 page set PS04", CSQ1),
        ("chinit_adapters", CHINIT, f"{CHINIT}/adapters", "CSQ1 chinit adapters", CSQ1),
        ("coupling_facility", CF01, CF01, "CF01 coupling facility", CF01),
        ("structure", APPL1, "PLEX1/QSG1APPL1", "structure QSG1APPL1", CF01),
        ("smds", APPL1, "PLEX1/QSG1APPL1/SMDS", "QSG1APPL1 shared message data sets", CF01),
        ("smds", CSQ1, f"{CSQ1}/SMDS", "CSQ1 shared message data sets", CSQ1),
        ("loss", CF01, f"{CF01}/loss", "loss of CF01", CF01),
        ("linux_log", QM1, f"{QM1}/log", "QM1 log", QM1),
        ("mq_queue", f"{QM1}/A", f"{QM1}/A", "QM1 queue A", QM1),
        ("mq_channel", f"{QM1}/CHANNEL/A", f"{QM1}/CHANNEL/A", "QM1 channel A", QM1),
        ("ztpf_mqm", "TPFA/TPF1", "TPFA/TPF1/mqm", "TPF1 MQM", "TPFA/TPF1"),
    ],
)
def test_a_resource_has_a_path_a_label_and_an_owner(
    kind: str, subject: str, path: str, label: str, owner: str
) -> None:
    resource = resource_of(ResourceKind(kind), subject)
    assert (resource.path, resource.label, resource.owner_subject) == (path, label, owner)
    assert resource.kind == kind


def test_both_copies_of_a_duplexed_structure_are_one_resource() -> None:
    first = resource_of(ResourceKind.structure, "PLEX1/CF01/QSG1APPL1")
    second = resource_of(ResourceKind.structure, "PLEX1/CF02/QSG1APPL1")
    assert first == second
    assert len({first, second}) == 1
    assert (first.owner_subject, second.owner_subject) == ("PLEX1/CF01", "PLEX1/CF02")
    assert first != resource_of(ResourceKind.structure, "PLEX2/CF01/QSG1APPL1")


@pytest.mark.parametrize(
    ("kind", "subject"), [(ResourceKind.active_log, "PLEX1"), (ResourceKind.structure, CF01)]
)
def test_a_subject_that_has_no_such_resource_is_refused(kind: ResourceKind, subject: str) -> None:
    with pytest.raises(ConfigurationError, match="too short"):
        resource_of(kind, subject)


@given(st.from_regex(r"[a-z_0-9]{1,30}", fullmatch=True), st.text(max_size=40))
def test_a_series_id_splits_into_what_it_was_made_of(metric: str, subject: str) -> None:
    assert split_series_id(series_id(metric, subject)) == (metric, subject)


@pytest.mark.parametrize(
    ("subject", "owner"), [("PLEX1", "PLEX1"), (CSQ1, CSQ1), (CHINIT, CSQ1), (APPL1, CF01)]
)
def test_a_subject_belongs_to_its_queue_manager_or_facility(subject: str, owner: str) -> None:
    assert Subject(subject).owner == owner


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://mqcap:secret@db:5432/x", f"postgresql://{MASK}@db:5432/x"),
        ("s3://key@bucket/path", f"s3://{MASK}@bucket/path"),
        ("sqlite:////var/mqcap.db", "sqlite:////var/mqcap.db"),
        ("two: a://u:p@h and b://v@i", f"two: a://{MASK}@h and b://{MASK}@i"),
        ("anna@example.com", "anna@example.com"),
    ],
)
def test_addresses_lose_user_and_password(address: str, shown: str) -> None:
    assert masked(address) == shown
    assert holds_secret(address) is (shown != address)


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("https://hooks.example.com/T0/B1/secret?x=1", "https://hooks.example.com"),
        ("https://user:secret@host:8443/path", "https://host:8443"),
        ("http://host:nonsense/", MASK),
    ],
)
def test_the_place_of_an_address_is_scheme_host_and_port(address: str, place: str) -> None:
    assert place_of(address) == place


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("   SSLKeyRepositoryPassword=hunter2", f"   SSLKeyRepositoryPassword={MASK}"),
        (
            "DEFINE AUTHINFO(A) LDAPPWD('hunter2') X(1)",
            f"DEFINE AUTHINFO(A) LDAPPWD('{MASK}') X(1)",
        ),
        ('{"token": "hunter2", "a": 1}', f'{{"token": "{MASK}", "a": 1}}'),
        ("api_key : hunter2;b", f"api_key : {MASK};b"),
        ("passphrase=", "passphrase="),
        ("zhyperlink_other_token_count=7", "zhyperlink_other_token_count=7"),
        ("the password was changed", "the password was changed"),
        ("MAXDEPTH(5000)", "MAXDEPTH(5000)"),
    ],
)
def test_values_behind_names_of_credentials_are_masked(text: str, shown: str) -> None:
    assert without_credentials(text) == shown
    assert without_credentials(shown) == shown


@pytest.mark.parametrize(
    ("key", "expected"),
    [("keyrepositorypassword", True), ("ldappwd", True), ("logpath", False), ("tokens.of", False)],
)
def test_names_of_credentials_are_known(key: str, *, expected: bool) -> None:
    assert names_credential(key) is expected


def test_control_characters_become_question_marks_and_line_ends_tabs_and_letters_stay() -> None:
    for control in "\x00\x07\x0b\x1b\x7f\x85\x9b\udcc5":
        assert harmless(f"a{control}b") == "a?b"
    text = "Größe\tstørrelse\n大"
    assert harmless(text) == text


@given(st.text())
def test_the_length_stays_and_a_second_time_changes_nothing(text: str) -> None:
    assert len(harmless(text)) == len(text)
    assert harmless(harmless(text)) == harmless(text)


def test_a_longer_word_is_not_cut_and_no_text_is_one_empty_line() -> None:
    assert wrapped("PLEX1/CSQ1/CHINIT is full", 5) == ["PLEX1/CSQ1/CHINIT", "is", "full"]
    assert wrapped("", 5) == [""]
    assert wrapped("a b", 0) == ["a", "b"]


def lasting(measured: float | None = None, **changed: Any) -> Finding:
    """Logs that last 6 h of 12 h; at 2 MiB/s it would be 12 h."""
    values: dict[str, Any] = {
        "observed": 6.0,
        "limit_value": 12.0,
        "unit": "h",
        "direction": Direction.downward,
        "series_direction": Direction.upward,
        "series_id": "log_growth_mib_per_s/PLEX1/CSQ1",
        "series_limit": 2.0,
    }
    source = MeasuredDaySource(
        metric="log_growth_mib_per_s",
        subject="PLEX1/CSQ1",
        statistic=Statistic.p95,
        site_date=factories.DAY,
    )
    inputs = () if measured is None else (InputValue(name="rate", value=measured, origin=source),)
    return factories.finding(**values | {"inputs": inputs} | changed)


def test_twice_the_rate_lasts_half_as_long_and_without_a_load_there_is_no_time() -> None:
    stated = stated_figure(lasting())
    assert stated is not None
    assert [stated.of(rate) for rate in (2.0, 4.0, 1.0)] == pytest.approx([12, 6, 24])
    assert [stated.of(value) for value in (None, 0.0, -1.0)] == [None] * 3


@pytest.mark.parametrize("measured", [3.0, 4.0, 5.0])
def test_the_measured_rate_gives_the_figure_of_the_finding_and_the_limit_its_limit(
    measured: float,
) -> None:
    stated = stated_figure(lasting(measured))
    assert stated is not None
    assert stated.of(measured) == pytest.approx(6.0)
    assert stated.of(2.0) == pytest.approx(12.0)


@pytest.mark.parametrize("measured", [2.0, 2.1, 1.0])
def test_points_that_no_load_explains_are_not_bent_to(measured: float) -> None:
    stated = stated_figure(lasting(measured))
    assert stated is not None
    assert stated.power == 1.0


@pytest.mark.parametrize(
    "changed",
    [
        {"series_limit": None},
        {"limit_value": None},
        {"direction": Direction.upward, "series_direction": None},
        {"series_direction": Direction.downward},
    ],
    ids=["own-unit", "no-limit", "upward", "both-downward"],
)
def test_other_rules_state_no_such_time(changed: dict[str, Any]) -> None:
    assert stated_figure(lasting(**changed)) is None
