"""Which errors are retried, the failure notice and the connections that DAGs share."""

import inspect
import json
import socket
import threading
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Final

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
from mqcap.notifications.smtp import send
from mqcap.notifications.tickets.jira import JiraOptions
from mqcap.notifications.tickets.webhook import WebhookOptions
from mqcap.settings import SmtpServer
from tests.mqcap.notifications.certificate import loopback_certificate
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
    assert len(tasks) == 8
    assert [task for task in tasks if not hasattr(task.function, "__wrapped__")] == []
    assert hasattr(spark.SparkApp.execute, "__wrapped__")


def is_task(value: object) -> bool:
    return hasattr(value, "operator_class") and hasattr(value, "function")


@pytest.mark.airflow
def test_a_missing_connection_is_none(airflow_home: Any) -> None:
    assert defaults.connection("mqcap_no_such_connection") is None


def declare(monkeypatch: pytest.MonkeyPatch, server: SmtpServer, **extra: Any) -> None:
    login, secret = extra.pop("login", None), extra.pop("password", None)
    names = {"login": login, "password": secret, "port": server.port, "extra": extra}
    declared = {"conn_type": "smtp", "host": server.host, **names}
    monkeypatch.setenv("AIRFLOW_CONN_SMTP_DEFAULT", json.dumps(declared))


def sent_by_airflow() -> None:
    settings, server = defaults.settings_for_delivery()
    mail = EmailMessage()
    mail["From"], mail["To"] = settings.alerts.mail_from, "planners@example.com"
    send(mail, server)


PLAIN: Final = {"disable_ssl": True, "disable_tls": True}


@pytest.mark.airflow
def test_mail_goes_out_as_the_connection_says(
    airflow_home: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with smtp_server(password="made-up") as (server, mailbox):
        login = {"login": "mq", "password": "made-up", "from_email": "capacity@example.com"}
        declare(monkeypatch, server, **login, **PLAIN)
        sent_by_airflow()
        assert (mailbox.logins, mailbox.mails[0]["From"]) == (["mq"], "capacity@example.com")
        declare(monkeypatch, server, **login | {"password": "wrong"}, **PLAIN)
        with pytest.raises(ConfigurationError, match="535"):
            sent_by_airflow()
    with smtp_server(password="unused") as (server, mailbox):
        token = {"auth_type": "oauth2", "access_token": "a-token", "login": "mq"}
        declare(monkeypatch, server, **token, **PLAIN)
        sent_by_airflow()
        assert mailbox.logins == ["user=mq\x01auth=Bearer a-token\x01\x01"]
        declare(monkeypatch, server, auth_type="oauth2", login="mq", **PLAIN)
        with pytest.raises(ConfigurationError, match="access_token"):
            sent_by_airflow()
    _, context = loopback_certificate(tmp_path)
    for plain in ({}, {"disable_ssl": True}):
        tls, starttls = (None, context) if plain else (context, None)
        with smtp_server(tls=tls, starttls=starttls) as (server, mailbox):
            declare(monkeypatch, server, ssl_context="none", **plain)
            sent_by_airflow()
            assert len(mailbox.mails) == 1
            declare(monkeypatch, server, **plain)
            with pytest.raises(ServiceUnavailable, match="CERTIFICATE_VERIFY_FAILED"):
                sent_by_airflow()
            declare(monkeypatch, server, ssl_context="nonsense", **plain)
            with pytest.raises(ConfigurationError, match="ssl_context"):
                sent_by_airflow()
    with pytest.raises(ServiceUnavailable, match="smtp_default"):
        sent_by_airflow()


@pytest.mark.airflow
def test_a_server_that_hangs_up_is_tried_as_often_as_the_connection_says(
    airflow_home: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def hang_up() -> None:
            for _ in range(3):
                calls.append(listening.accept()[0])
                calls[-1].close()

        answering = threading.Thread(target=hang_up)
        answering.start()
        server = SmtpServer(host="127.0.0.1", port=listening.getsockname()[1])
        declare(monkeypatch, server, retry_limit=2, timeout=5, **PLAIN)
        with pytest.raises(ServiceUnavailable, match="smtp_default"):
            sent_by_airflow()
        answering.join(5)
    assert len(calls) == 3


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
    with smtp_server() as (server, mailbox):
        declare(monkeypatch, server, from_email="mqcap@example.com", **PLAIN)
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
