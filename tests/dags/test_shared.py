"""The day of a run, the wait for data, the retry policy and the connections."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from airflow.sdk.definitions.retry_policy import RetryAction
from airflow.sdk.exceptions import AirflowFailException
from mqcap_dags import defaults as shared

from mqcap.domain.errors import ConfigurationError, InputError, ServiceUnavailable
from mqcap.notifications.tickets.jira import JiraOptions
from mqcap.notifications.tickets.webhook import WebhookOptions
from tests.mqcap.notifications.smtp_server import smtp_server

START = datetime(2026, 11, 20, tzinfo=UTC)


@dataclass(frozen=True)
class Run:
    run_type: str = "scheduled"
    data_interval_start: datetime | None = START
    data_interval_end: datetime | None = START + timedelta(days=1)


BARE = Run("manual", None, None)


def params(**changed: Any) -> dict[str, Any]:
    return {"day": None, "send": "auto", "wait_minutes": 90, **changed}


def test_the_stated_day_wins_over_the_interval() -> None:
    assert shared.day_of(Run(), params(day="2026-03-01")) == "2026-03-01"


def test_without_a_stated_day_the_start_of_the_interval_counts() -> None:
    assert shared.day_of(Run(), params()) == "2026-11-20"


def test_an_interval_in_another_zone_is_read_in_utc() -> None:
    local = START.astimezone(ZoneInfo("America/New_York"))  # the evening before
    assert shared.day_of(Run(data_interval_start=local), params()) == "2026-11-20"


def test_a_run_without_day_and_interval_fails_at_once() -> None:
    with pytest.raises(AirflowFailException, match="day"):
        shared.day_of(BARE, params())


def test_a_day_that_is_none_fails_at_once() -> None:
    with pytest.raises(AirflowFailException, match=r"31\.12\.2026"):
        shared.day_of(Run(), params(day="31.12.2026"))


def test_a_scheduled_run_waits_after_the_end_of_its_day() -> None:
    assert shared.wait_until(Run(), params()) == "2026-11-21T01:30:00+00:00"


@pytest.mark.parametrize(
    ("run", "stated"), [(Run("backfill"), None), (Run(), "2026-11-20"), (BARE, "2026-11-20")]
)
def test_backfills_and_stated_days_do_not_wait(run: Run, stated: str | None) -> None:
    assert shared.wait_until(run, params(day=stated)).startswith("1970-01-01")


@pytest.mark.parametrize(
    ("run", "send", "replay"),
    [
        (Run(), "auto", False),
        (Run("manual"), "auto", False),
        (Run("backfill"), "auto", True),
        (Run(), "never", True),
    ],
)
def test_a_backfill_only_stores_what_it_would_have_sent(run: Run, send: str, replay: bool) -> None:
    assert shared.is_replay(run, params(send=send)) is replay


@pytest.mark.parametrize(
    ("error", "action"),
    [
        (InputError("a damaged dump"), RetryAction.FAIL),
        (ConfigurationError("an unknown key"), RetryAction.FAIL),
        (ServiceUnavailable("no database"), RetryAction.RETRY),
        (ValueError("something else"), RetryAction.DEFAULT),
    ],
)
def test_only_what_may_heal_is_tried_again(error: Exception, action: RetryAction) -> None:
    assert shared.RETRY_POLICY.evaluate(error, 1, 3).action is action


def test_the_retry_policy_survives_the_scheduler() -> None:
    policy = type(shared.RETRY_POLICY).deserialize(shared.RETRY_POLICY.serialize())
    assert policy.evaluate(InputError("a damaged dump"), 1, 3).action is RetryAction.FAIL


@pytest.mark.airflow
def test_a_missing_connection_is_none(airflow_home: Any) -> None:
    assert shared.connection("mqcap_no_such_connection") is None


def test_the_mail_server_comes_from_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(
        "AIRFLOW_CONN_SMTP_DEFAULT",
        '{"conn_type": "smtp", "host": "mail.example.com", "port": 587, "login": "mq",'
        ' "password": "made-up", "extra": {"disable_ssl": true}}',
    )
    _, server = shared.settings_for_delivery()
    assert (server.host, server.port, server.user) == ("mail.example.com", 587, "mq")
    assert (server.tls, server.starttls) == (False, True)
    assert server.password.get_secret_value() == "made-up"


def test_a_plain_mail_server_has_both_encryptions_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(
        "AIRFLOW_CONN_SMTP_DEFAULT",
        '{"conn_type": "smtp", "host": "mail",'
        ' "extra": {"disable_ssl": "true", "disable_tls": "true"}}',
    )
    _, server = shared.settings_for_delivery()
    assert (server.port, server.tls, server.starttls) == (25, False, False)


@pytest.mark.airflow
def test_the_tracker_s_address_comes_from_the_connection(
    airflow_home: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MQCAP_ALERTS__TICKET_BACKEND", "jira")
    monkeypatch.setenv("MQCAP_ALERTS__TICKET_OPTIONS", '{"project": "MQCAP"}')
    monkeypatch.setenv(
        "AIRFLOW_CONN_JIRA_DEFAULT",
        '{"conn_type": "jira", "host": "jira.example.com", "login": "mq", "password": "made-up"}',
    )
    settings, _ = shared.settings_for_delivery()
    assert settings.alerts.ticket_options == {
        "project": "MQCAP",
        "url": "https://jira.example.com",
        "user": "mq",
        "token": "made-up",
    }
    assert JiraOptions.model_validate(settings.alerts.ticket_options).project == "MQCAP"


@pytest.mark.airflow
def test_a_webhook_s_whole_address_may_stand_in_its_connection(
    airflow_home: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MQCAP_ALERTS__TICKET_BACKEND", "webhook")
    monkeypatch.setenv(
        "AIRFLOW_CONN_MQCAP_WEBHOOK",
        '{"conn_type": "http", "host": "https://hook.example.com/mq/in", "password": "made-up"}',
    )
    settings, _ = shared.settings_for_delivery()
    options = settings.alerts.ticket_options
    assert options == {"url": "https://hook.example.com/mq/in", "token": "made-up"}
    assert WebhookOptions.model_validate(options).url == options["url"]


@pytest.mark.airflow
def test_a_failed_platform_is_silent_without_a_recipient(airflow_home: Any) -> None:
    shared.platform_failed({})


class Task:
    """What Airflow tells a callback of its task."""

    dag_id, task_id, try_number = "mqcap_daily", "size", 4


@pytest.mark.airflow
def test_a_failed_platform_is_told_to_its_own_people_with_its_own_subject(
    airflow_home: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    extra = {"disable_ssl": "true", "disable_tls": "true", "from_email": "mqcap@example.com"}
    with smtp_server() as (server, mailbox):
        known = {"conn_type": "smtp", "host": server.host, "port": server.port, "extra": extra}
        monkeypatch.setenv("AIRFLOW_CONN_SMTP_DEFAULT", json.dumps(known))
        monkeypatch.setenv("AIRFLOW_VAR_MQCAP_PLATFORM_MAIL_TO", "platform@example.com, ops@a.com")
        error = ServiceUnavailable("postgresql://mqcap:hidden-word@db <script> does not answer")
        shared.platform_failed({"ti": Task(), "run_id": "r1", "exception": error})
    [mail] = mailbox.mails
    assert mailbox.recipients == [["platform@example.com", "ops@a.com"]]
    assert mail["Subject"] == "[mqcap platform] mqcap_daily.size failed in r1"
    text = "".join(str(part.get_payload(decode=True)) for part in mail.walk())
    assert "nothing is said about MQ" in text
    assert "&lt;script&gt;" in text
    assert "<script>" not in text
    assert "hidden-word" not in text
