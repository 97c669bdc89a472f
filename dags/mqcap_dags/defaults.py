"""What the DAG files share: defaults, tags, pools, retry policy, the day, the connections.

Airflow parses the DAG files again for each task start, so nothing here imports pandas, pyspark,
prophet or a package of ours, except ``mqcap.domain.errors``, which needs the standard library only.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from airflow.sdk import (
    Connection,
    ExceptionRetryPolicy,
    Param,
    RetryAction,
    RetryRule,
    Variable,
)
from airflow.sdk.exceptions import AirflowFailException, AirflowNotFoundException

SMTP_CONNECTION: Final = "smtp_default"
TRACKER_CONNECTIONS: Final = {
    "jira": "jira_default",
    "servicenow": "servicenow_default",
    "webhook": "mqcap_webhook",
}
"""By ticket backend: the connection that holds its address and secret."""
PLATFORM_MAIL_VARIABLE: Final = "mqcap_platform_mail_to"
"""Airflow variable: who is told, comma-separated, when a task itself fails for good."""

DAY: Final = "{{ mqcap_day(dag_run, params) }}"
"""Template of the day that a run processes, as ISO date."""
LAST_DAY: Final = "{{ mqcap_last_day(dag_run, params) }}"
"""Template of the last whole day before the end of a run's data interval, as ISO date."""
WAIT_UNTIL: Final = "{{ mqcap_wait_until(dag_run, params) }}"
"""Template of the instant from which the day's data are expected to be there."""

BACKFILL: Final = "backfill"


class Tag(StrEnum):
    """The tags a DAG of this product may carry."""

    capacity = "capacity"
    mq = "mq"
    smf = "smf"
    tier_2 = "tier-2"
    """A failure is repaired on the next working day."""


class Pool(StrEnum):
    """Pools with one slot each; ``dags/pools.json`` declares them to Airflow."""

    lake = "mqcap_lake"
    delivery = "mqcap_delivery"


RETRY_POLICY: Final = ExceptionRetryPolicy(
    rules=[
        RetryRule(
            exception=["mqcap.domain.errors.InputError", "mqcap.domain.errors.ConfigurationError"],
            action=RetryAction.FAIL,
            reason="The input or the settings must be corrected; trying again cannot help.",
        ),
        RetryRule(
            exception="mqcap.domain.errors.ServiceUnavailable",
            action=RetryAction.RETRY,
            reason="A service did not answer.",
        ),
    ]
)


def platform_failed(context: Any) -> None:
    """Tell the platform's people that a task failed for good: never the planners' mail.

    Silent without the connection ``smtp_default`` or the variable ``mqcap_platform_mail_to``.
    """
    recipients = Variable.get(PLATFORM_MAIL_VARIABLE, default=None)
    if not recipients or connection(SMTP_CONNECTION) is None:
        return
    from airflow.providers.smtp.notifications.smtp import SmtpNotifier  # noqa: PLC0415 - seldom

    SmtpNotifier(
        to=[address.strip() for address in recipients.split(",")],
        subject="[mqcap platform] {{ ti.dag_id }}.{{ ti.task_id }} failed in {{ run_id }}",
        html_content=(
            "<p>The capacity platform itself is ill; nothing is said about MQ.</p>"
            "<p>Task {{ ti.task_id }}, try {{ ti.try_number }}: {{ exception | e }}</p>"
            "<p>The log of the task in Airflow tells more. Clear the task to run it again.</p>"
        ),
        smtp_conn_id=SMTP_CONNECTION,
    )(context)


DEFAULT_ARGS: Final[dict[str, Any]] = {
    "owner": "mq-capacity",
    "retries": 3,
    "retry_delay": timedelta(minutes=1),
    "retry_exponential_backoff": 2.0,
    "max_retry_delay": timedelta(minutes=15),
    "retry_policy": RETRY_POLICY,
    "execution_timeout": timedelta(minutes=30),
    "on_failure_callback": platform_failed,
    "pool": Pool.lake.value,
}


def day_param(asks: str, otherwise: str) -> Param:
    """The day of a run in its trigger form: what it is asked for, and which day it is if empty."""
    return Param(
        None,
        type=["null", "string"],
        format="date",
        title="Day",
        description=f"{asks}, such as 2026-11-20. Empty: {otherwise}.",
    )


def day_params() -> dict[str, Param]:
    """The parameters of the trigger form of a daily run."""
    return {
        "day": day_param("UTC day to process", "the day of the run's data interval"),
        "send": Param(
            "auto",
            type="string",
            enum=["auto", "never"],
            title="Send mail and tickets",
            description="auto: send, except in a backfill, which only stores what it would have "
            "sent. never: only store.",
        ),
        "wait_minutes": Param(
            90,
            type="integer",
            minimum=0,
            maximum=1_440,
            title="Wait for data (minutes)",
            description="How long after the end of the day to wait for its dumps. Backfills and "
            "runs for a stated day do not wait.",
        ),
    }


def day_of(dag_run: Any, params: Any) -> str:
    """The day a run processes, ISO: the parameter first, else the start of the data interval.

    A run without both (triggered without a logical date) fails at once: guessing a day would
    rewrite the wrong one.
    """
    return _stated_day(params) or _utc_date(dag_run.data_interval_start).isoformat()


def last_day_of(dag_run: Any, params: Any) -> str:
    """The last day a run looks at, ISO: the parameter, else the day before the interval's end."""
    stated = _stated_day(params)
    if stated:
        return stated
    return (_utc_date(dag_run.data_interval_end) - timedelta(days=1)).isoformat()


def _stated_day(params: Any) -> str | None:
    stated = params.get("day")
    if not stated:
        return None
    try:
        return date.fromisoformat(stated).isoformat()
    except ValueError as error:
        raise AirflowFailException(
            f"parameter day: found {stated!r}, expected an ISO date such as 2026-11-20."
        ) from error


def _utc_date(instant: datetime | None) -> date:
    if instant is None:
        raise AirflowFailException(
            "this run has no data interval and no parameter day. Trigger it with day set."
        )
    return instant.astimezone(UTC).date()


def wait_until(dag_run: Any, params: Any) -> str:
    """When the day's data are due, ISO instant in UTC: long ago for backfills and stated days."""
    end = dag_run.data_interval_end
    if params.get("day") or is_backfill(dag_run) or end is None:
        return datetime.fromtimestamp(0, tz=UTC).isoformat()
    due: datetime = end + timedelta(minutes=params["wait_minutes"])
    return due.astimezone(UTC).isoformat()


def is_backfill(dag_run: Any) -> bool:
    """Whether Airflow started the run to replay the past."""
    return str(getattr(dag_run.run_type, "value", dag_run.run_type)) == BACKFILL


def is_replay(dag_run: Any, params: Any) -> bool:
    """Whether the run may only store what it would have sent."""
    return params.get("send") == "never" or is_backfill(dag_run)


MACROS: Final = {
    "mqcap_day": day_of,
    "mqcap_last_day": last_day_of,
    "mqcap_wait_until": wait_until,
}


def connection(conn_id: str) -> Connection | None:
    """An Airflow connection, or ``None`` when the site did not define it."""
    try:
        found: Connection = Connection.get(conn_id)
    except AirflowNotFoundException:
        return None
    return found


def settings_for_delivery() -> tuple[Any, Any]:
    """The settings with the tracker's address, and the mail server or ``None``.

    Servers and secrets come from Airflow connections and are handed down as plain values.
    """
    from mqcap.settings import load_settings  # noqa: PLC0415 - not while parsing

    settings = load_settings()
    name = TRACKER_CONNECTIONS.get(settings.alerts.ticket_backend)
    tracker = connection(name) if name else None
    if tracker is not None:
        options = {**settings.alerts.ticket_options, **_tracker_options(tracker)}
        alerts = settings.alerts.model_copy(update={"ticket_options": options})
        settings = settings.model_copy(update={"alerts": alerts})
    mail = connection(SMTP_CONNECTION)
    return settings, settings.smtp if mail is None else _smtp_server(mail)


def _tracker_options(conn: Connection) -> dict[str, str]:
    """Address and secret of a tracker; the host may hold a whole address, path included."""
    scheme = "" if "://" in (conn.host or "") else "https://"
    port = f":{conn.port}" if conn.port else ""
    options = {"url": f"{scheme}{conn.host}{port}", "user": conn.login, "token": conn.password}
    return {key: value for key, value in options.items() if value}


def _smtp_server(conn: Connection) -> Any:
    """The connection of Airflow's SMTP provider; its extras say which encryption is off."""
    from mqcap.settings import SmtpServer  # noqa: PLC0415 - not while parsing

    extra = conn.extra_dejson
    tls = not _is_true(extra.get("disable_ssl"))
    return SmtpServer(
        host=conn.host or "localhost",
        port=conn.port or (465 if tls else 25),
        user=conn.login or None,
        password=conn.password or None,
        tls=tls,
        starttls=not tls and not _is_true(extra.get("disable_tls")),
        timeout_seconds=float(extra.get("timeout", 30)),
    )


def _is_true(value: Any) -> bool:
    return str(value).strip().lower() in {"true", "1", "yes"}
