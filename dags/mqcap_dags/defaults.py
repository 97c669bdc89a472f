"""Common parts of the tasks of all DAGs: default arguments, tags, pools, retries, connections.

Airflow parses the DAG files again for each task start, so nothing here imports pandas, PySpark,
Prophet or a module of ``mqcap`` while a file is parsed.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from enum import StrEnum
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

from airflow import sdk
from airflow.sdk import Connection, Variable
from mqcap_dags.airflow_names import (
    AirflowFailException,
    AirflowNotFoundException,
    CronDataIntervalTimetable,
    doubling_backoff,
)
from mqcap_dags.params import MACROS

Given = ParamSpec("Given")
Result = TypeVar("Result")

SMTP_CONNECTION: Final = "smtp_default"
PLATFORM_MAIL_VARIABLE: Final = "mqcap_platform_mail_to"
"""Airflow variable: comma-separated addresses that are notified when a task has failed its last
attempt."""


class Tag(StrEnum):
    """Tags that a DAG of this product may carry."""

    capacity = "capacity"
    mq = "mq"
    smf = "smf"
    tier_2 = "tier-2"
    """A failure is repaired on the next working day."""


class Pool(StrEnum):
    """Pools with one slot each; ``mqcap/installation/pools.json`` declares them to Airflow."""

    lake = "mqcap_lake"
    delivery = "mqcap_delivery"


def fails_at_once(step: Callable[Given, Result]) -> Callable[Given, Result]:
    """Return a step that Airflow does not retry where another attempt cannot succeed.

    That is where the input or the settings must be corrected. Whatever else a step raises is
    retried.
    """

    @wraps(step)
    def run(*given: Given.args, **named: Given.kwargs) -> Result:
        from mqcap.domain.errors import (
            ConfigurationError,
            InputError,
        )

        try:
            return step(*given, **named)
        except (InputError, ConfigurationError) as error:
            raise AirflowFailException(str(error)) from error

    return run


def platform_failed(context: Any) -> None:
    """Notify the operators of the platform that a task has failed its last attempt.

    The recipients are those of the variable ``mqcap_platform_mail_to``, never those of the
    capacity alerts. Sends nothing without that variable or the connection ``smtp_default``.
    """
    recipients = Variable.get(PLATFORM_MAIL_VARIABLE, default=None)
    if not recipients or connection(SMTP_CONNECTION) is None:
        return
    from airflow.providers.smtp.notifications.smtp import SmtpNotifier

    SmtpNotifier(
        to=[address.strip() for address in recipients.split(",")],
        subject="[mqcap platform] {{ ti.dag_id }}.{{ ti.task_id }} failed in {{ run_id }}",
        html_content=(
            "<p>The capacity-forecasting platform failed. This is not an alert about IBM MQ.</p>"
            "<p>Task {{ ti.task_id }}, attempt {{ ti.try_number }}: {{ exception | e }}</p>"
            "<p>See the task log in Airflow for details. Clear the task to run it again.</p>"
        ),
        smtp_conn_id=SMTP_CONNECTION,
    )(context)


DEFAULT_ARGS: Final[dict[str, Any]] = {
    "owner": "mq-capacity",
    "retries": 3,
    "retry_delay": timedelta(minutes=1),
    "retry_exponential_backoff": doubling_backoff(sdk.__version__),
    "max_retry_delay": timedelta(minutes=15),
    "execution_timeout": timedelta(minutes=30),
    "on_failure_callback": platform_failed,
    "pool": Pool.lake.value,
}
SCHEDULED: Final[dict[str, Any]] = {
    "start_date": datetime.fromisoformat("2020-01-01T00:00:00+00:00"),
    "catchup": False,
    "max_active_runs": 1,
    "default_args": DEFAULT_ARGS,
    "user_defined_macros": MACROS,
}
"""What all DAGs of ours are: one run at a time, and no catching up."""


def utc(cron: str) -> CronDataIntervalTimetable:
    """Return a schedule whose intervals are those of UTC."""
    return CronDataIntervalTimetable(cron, timezone="UTC")


def connection(conn_id: str) -> Connection | None:
    """Return an Airflow connection, or ``None`` when the site has not defined it."""
    try:
        defined: Connection = Connection.get(conn_id)
    except AirflowNotFoundException:
        return None
    return defined


def settings_for_delivery() -> tuple[Any, Any]:
    """Return the settings with tracker and sender of Airflow, and the mail server or ``None``.

    These come from Airflow's connections; one that is not defined leaves the value of the settings.
    """
    from mqcap.notifications.tickets.registry import connection_id
    from mqcap.settings import load_settings

    settings = load_settings()
    name = connection_id(settings.alerts.ticket_backend)
    tracker = connection(name) if name else None
    if tracker is not None:
        options = {**settings.alerts.ticket_options, **_tracker_options(tracker)}
        alerts = settings.alerts.model_copy(update={"ticket_options": options})
        settings = settings.model_copy(update={"alerts": alerts})
    mail = connection(SMTP_CONNECTION)
    if mail is None:
        return settings, settings.smtp
    from mqcap_dags.airflow_mail import mail_server

    if sender := mail.extra_dejson.get("from_email"):
        alerts = settings.alerts.model_copy(update={"mail_from": sender})
        settings = settings.model_copy(update={"alerts": alerts})
    return settings, mail_server(mail)


def _tracker_options(conn: Connection) -> dict[str, str]:
    """Return address and secret of a tracker; the host may hold a complete URL with its path."""
    scheme = "" if "://" in (conn.host or "") else "https://"
    port = f":{conn.port}" if conn.port else ""
    options = {"url": f"{scheme}{conn.host}{port}", "user": conn.login, "token": conn.password}
    return {key: value for key, value in options.items() if value}
