"""The retry policy, the failure notice and the connections that DAGs share."""

from __future__ import annotations

import json
from typing import Any

import pytest
from airflow.sdk.definitions.retry_policy import RetryAction
from mqcap_dags import defaults

from mqcap.domain.errors import ConfigurationError, InputError, ServiceUnavailable
from mqcap.notifications.tickets.jira import JiraOptions
from mqcap.notifications.tickets.webhook import WebhookOptions
from tests.mqcap.notifications.smtp_server import smtp_server


@pytest.mark.parametrize(
    ("error", "action"),
    [
        (InputError("a damaged dump"), RetryAction.FAIL),
        (ConfigurationError("an unknown key"), RetryAction.FAIL),
        (ServiceUnavailable("no database"), RetryAction.RETRY),
        (ValueError("something else"), RetryAction.DEFAULT),
    ],
)
def test_only_temporary_errors_are_retried(error: Exception, action: RetryAction) -> None:
    assert defaults.RETRY_POLICY.evaluate(error, 1, 3).action is action


def test_the_retry_policy_survives_the_scheduler() -> None:
    policy = type(defaults.RETRY_POLICY).deserialize(defaults.RETRY_POLICY.serialize())
    assert policy.evaluate(InputError("a damaged dump"), 1, 3).action is RetryAction.FAIL


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
