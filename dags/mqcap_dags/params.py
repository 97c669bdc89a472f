"""Day that a DAG run processes, its parameters, and the templates that read them."""

from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from airflow.sdk import Param
from mqcap_dags.airflow_names import AirflowFailException

DAY: Final = "{{ mqcap_day(dag_run, params) }}"
"""Template of the day that a run processes, as ISO date."""
LAST_DAY: Final = "{{ mqcap_last_day(dag_run, params) }}"
"""Template of the last complete day before the end of a run's data interval, as ISO date."""
WAIT_UNTIL: Final = "{{ mqcap_wait_until(dag_run, params) }}"
"""Template of the instant at which the day's data are expected, ISO in UTC."""
BACKFILL: Final = "backfill"
"""Airflow's run type of a backfill."""


def daily_params() -> dict[str, Param]:
    """Return the parameters of the daily run: ``send`` and ``wait_minutes``.

    ``day`` is a key of a run's configuration and is not declared: Airflow shows declared parameters
    in the form of a backfill too, all of whose runs would then be of one day.
    """
    return {
        "send": Param(
            "auto",
            type="string",
            enum=["auto", "never"],
            title="Send email and tickets",
            description="auto: send, except in a backfill, which only stores the notifications. "
            "never: only store them.",
        ),
        "wait_minutes": Param(
            90,
            type="integer",
            minimum=0,
            maximum=1_440,
            title="Wait for data (minutes)",
            description="How long after the end of the day to wait for its dumps. Backfills and "
            "runs of a named day do not wait.",
        ),
    }


def day_of(dag_run: Any, params: Any) -> str:
    """Return the day a run processes, ISO: the one it names, else the start of the data interval.

    Raises:
        AirflowFailException: the run has neither (triggered without a logical date), the
            named one is no ISO date, or a backfill has one: all of its runs would be of one day.
            A guessed day would overwrite the results of another one.
    """
    return _stated_day(dag_run, params) or _utc_date(dag_run.data_interval_start).isoformat()


def last_day_of(dag_run: Any, params: Any) -> str:
    """Return the last day a run covers, ISO: the one it names, else that before the interval's end.

    Raises:
        AirflowFailException: as for ``day_of``.
    """
    stated = _stated_day(dag_run, params)
    if stated:
        return stated
    return (_utc_date(dag_run.data_interval_end) - timedelta(days=1)).isoformat()


def _stated_day(dag_run: Any, params: Any) -> str | None:
    stated = params.get("day")
    if not stated:
        return None
    if is_backfill(dag_run):
        raise AirflowFailException(
            f"day: found {stated!r} in a backfill, whose runs have a day each. Start the backfill "
            "again without it."
        )
    try:
        return date.fromisoformat(stated).isoformat()
    except ValueError as error:
        raise AirflowFailException(
            f"day: found {stated!r}, expected an ISO date such as 2026-11-20."
        ) from error


def _utc_date(instant: datetime | None) -> date:
    if instant is None:
        raise AirflowFailException(
            "this run has no data interval and names no day. Trigger it with the configuration "
            '{"day": "2026-11-20"}.'
        )
    return instant.astimezone(UTC).date()


def wait_until(dag_run: Any, params: Any) -> str:
    """Return when the day's data are due, ISO in UTC.

    1970 for backfills and runs of a named day, which do not wait.
    """
    end = dag_run.data_interval_end
    if params.get("day") or is_backfill(dag_run) or end is None:
        return datetime.fromtimestamp(0, tz=UTC).isoformat()
    due: datetime = end + timedelta(minutes=params["wait_minutes"])
    return due.astimezone(UTC).isoformat()


def is_backfill(dag_run: Any) -> bool:
    """Return True for a run that belongs to an Airflow backfill."""
    return str(getattr(dag_run.run_type, "value", dag_run.run_type)) == BACKFILL


def is_replay(dag_run: Any, params: Any) -> bool:
    """Return True when the run stores its notifications and sends none."""
    return params.get("send") == "never" or is_backfill(dag_run)


MACROS: Final = {
    "mqcap_day": day_of,
    "mqcap_last_day": last_day_of,
    "mqcap_wait_until": wait_until,
}
