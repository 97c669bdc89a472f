"""Which errors are retried, the failure notice and the connections that DAGs share."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest
from mqcap_dags import (
    daily_capacity,
    defaults,
    forecast_verification,
    housekeeping,
    reports,
    spark,
)
from mqcap_dags.airflow_names import AirflowFailException

from mqcap.domain.errors import ConfigurationError, InputError, ServiceUnavailable
from mqcap.notifications.tickets.jira import JiraOptions
from mqcap.notifications.tickets.webhook import WebhookOptions
from tests.mqcap.notifications.smtp_server import smtp_server


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (InputError("a damaged dump"), AirflowFailException),
        (ConfigurationError("an unknown key"), AirflowFailException),
        (ServiceUnavailable("no database"), ServiceUnavailable),
        (ValueError("something else"), ValueError),
    ],
)
def test_what_must_be_corrected_is_not_retried(error: Exception, raised: type[Exception]) -> None:
    @defaults.fails_at_once
    def step(_day: str) -> None:
        raise error

    with pytest.raises(raised) as told:
        step("2026-11-20")
    assert str(told.value) == str(error)


def test_a_step_keeps_its_name_its_arguments_and_its_result() -> None:
    @defaults.fails_at_once
    def step(day: str, *, replay: bool = False) -> tuple[str, bool]:
        return day, replay

    assert step("2026-11-20", replay=True) == ("2026-11-20", True)
    assert (step.__name__, list(inspect.signature(step).parameters)) == ("step", ["day", "replay"])


def test_every_task_of_ours_fails_at_once() -> None:
    modules = (daily_capacity, forecast_verification, housekeeping, reports)
    tasks = [value for module in modules for value in vars(module).values() if is_task(value)]
    assert len(tasks) == 11
    assert [task for task in tasks if not hasattr(task.function, "__wrapped__")] == []
    assert hasattr(spark.SparkApp.execute, "__wrapped__")


def is_task(value: object) -> bool:
    return hasattr(value, "operator_class") and hasattr(value, "function")


@pytest.mark.airflow
def test_a_missing_connection_is_none(airflow_home: Any) -> None:
    assert defaults.connection("mqcap_no_such_connection") is None


def test_the_mail_server_comes_from_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(
        "AIRFLOW_CONN_SMTP_DEFAULT",
        '{"conn_type": "smtp", "host": "mail.example.com", "port": 587, "login": "mq",'
        ' "password": "made-up", "extra": {"disable_ssl": true}}',
    )
    _, server = defaults.settings_for_delivery()
    assert (server.host, server.port, server.user) == ("mail.example.com", 587, "mq")
    assert (server.tls, server.starttls) == (False, True)
    assert server.password.get_secret_value() == "made-up"


def test_a_plain_mail_server_has_both_encryptions_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(
        "AIRFLOW_CONN_SMTP_DEFAULT",
        '{"conn_type": "smtp", "host": "mail",'
        ' "extra": {"disable_ssl": "true", "disable_tls": "true"}}',
    )
    _, server = defaults.settings_for_delivery()
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
    settings, _ = defaults.settings_for_delivery()
    assert settings.alerts.ticket_options == {
        "project": "MQCAP",
        "url": "https://jira.example.com",
        "user": "mq",
        "token": "made-up",
    }
    assert JiraOptions.model_validate(settings.alerts.ticket_options).project == "MQCAP"


@pytest.mark.airflow
def test_the_host_of_a_webhook_connection_may_be_a_complete_url(
    airflow_home: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MQCAP_ALERTS__TICKET_BACKEND", "webhook")
    monkeypatch.setenv(
        "AIRFLOW_CONN_MQCAP_WEBHOOK",
        '{"conn_type": "http", "host": "https://hook.example.com/mq/in", "password": "made-up"}',
    )
    settings, _ = defaults.settings_for_delivery()
    options = settings.alerts.ticket_options
    assert options == {"url": "https://hook.example.com/mq/in", "token": "made-up"}
    assert WebhookOptions.model_validate(options).url == options["url"]


@pytest.mark.airflow
def test_a_platform_failure_without_recipients_sends_nothing(airflow_home: Any) -> None:
    defaults.platform_failed({})


class Task:
    """The attributes of a task instance that the failure notice reads."""

    dag_id, task_id, try_number = "mqcap_daily", "size", 4


@pytest.mark.airflow
def test_a_platform_failure_is_mailed_to_the_operators_under_its_own_subject(
    airflow_home: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    extra = {"disable_ssl": "true", "disable_tls": "true", "from_email": "mqcap@example.com"}
    with smtp_server() as (server, mailbox):
        declared = {"conn_type": "smtp", "host": server.host, "port": server.port, "extra": extra}
        monkeypatch.setenv("AIRFLOW_CONN_SMTP_DEFAULT", json.dumps(declared))
        monkeypatch.setenv("AIRFLOW_VAR_MQCAP_PLATFORM_MAIL_TO", "platform@example.com, ops@a.com")
        error = ServiceUnavailable("postgresql://mqcap:hidden-word@db <script> does not answer")
        defaults.platform_failed({"ti": Task(), "run_id": "r1", "exception": error})
    [mail] = mailbox.mails
    assert mailbox.recipients == [["platform@example.com", "ops@a.com"]]
    assert mail["Subject"] == "[mqcap platform] mqcap_daily.size failed in r1"
    text = "".join(str(part.get_payload(decode=True)) for part in mail.walk())
    assert "This is not an alert about IBM MQ." in text
    assert "&lt;script&gt;" in text
    assert "<script>" not in text
    assert "hidden-word" not in text
