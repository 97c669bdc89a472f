"""The steps of a day. Each is a function of settings and one day and can be run again.

Airflow starts the Spark applications by themselves; here they run in this process, for the
command line.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec

from mqcap.domain.errors import InputError, ServiceUnavailable
from mqcap.judging import evaluate as size_step
from mqcap.lake.aggregated import app_counts
from mqcap.settings import Settings, SmtpServer
from mqcap.steps import forecast as forecast_step
from mqcap.steps import land as land_step
from mqcap.steps import notify as alert_step
from mqcap.steps import observe as observe_step
from mqcap.steps import prune as retention
from mqcap.steps import verify as score_step
from mqcap.steps.versions import versions
from mqcap.store import upkeep
from mqcap.store.database import Store, open_store
from mqcap.store.findings import latest_site_date, read_findings
from mqcap.store.models import StepRun
from mqcap.store.step_runs import save_step_run

Counts = dict[str, Any]

_NO_ROOM: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS}


def store_of(settings: Settings) -> Store:
    """The store of these settings, with its schema up to date.

    Raises ServiceUnavailable when the database does not answer.
    """
    return open_store(settings.store.url.get_secret_value())


P = ParamSpec("P")


def recorded(
    step: Callable[Concatenate[Settings, date, P], Counts],
) -> Callable[Concatenate[Settings, date, P], Counts]:
    """The step, written down with versions and counts when it has ended well.

    A step that was given no day (``date.min``) is filed under the day on which it ran.
    """

    @wraps(step)
    def and_written_down(
        settings: Settings, day: date, /, *args: P.args, **kwargs: P.kwargs
    ) -> Counts:
        try:
            counts = step(settings, day, *args, **kwargs)
        except OSError as error:
            if error.errno in _NO_ROOM:
                raise _no_room(step.__name__, error) from error
            raise
        _write_down(settings, step.__name__, day, counts)
        return counts

    return and_written_down


def submitted(settings: Settings, day: date, step: str, app: str) -> Counts:
    """Write down a step whose Spark application was submitted and has ended well.

    Its counts are those that it has left in the lake for this day; else there are none.
    """
    counts: Counts = dict(app_counts(Path(settings.lake), app, day))
    _write_down(settings, step, day, counts)
    return counts


def _write_down(settings: Settings, step: str, day: date, counts: Counts) -> None:
    ended = datetime.now(UTC)
    run = StepRun(
        step=step,
        ended_at_utc=ended,
        site_date=ended.date() if day == date.min else day,
        versions=dict(versions(settings)),
        counts=json.loads(json.dumps(counts, default=str)),
    )
    save_step_run(store_of(settings), run)


def _no_room(step: str, error: OSError) -> ServiceUnavailable:
    """What a full or read-only disk means to an operator."""
    return ServiceUnavailable(
        f"{step} cannot write {error.filename or 'to the lake'}",
        found=str(error.strerror or error),
        expected="room on the disk",
        remedy="Make room (`mqcap store prune` removes what is old); then run the step again.",
    )


@recorded
def land(settings: Settings, _day: date, *, inputs: Sequence[str] | None = None) -> Counts:
    """Copy what is new into the lake: of the inbox, or of the given inputs."""
    return land_step.land(settings, store_of(settings), inputs)


@recorded
def decode_and_aggregate(_settings: Settings, day: date) -> Counts:
    """Decode what landed and rewrite the hourly metrics of stale dates, in one Spark session."""
    from spark_apps import decode_and_aggregate as app  # noqa: PLC0415 - only this step needs Spark

    return app.main(["--day", day.isoformat()])


@recorded
def observe(settings: Settings, _day: date) -> Counts:
    """Rewrite the daily observations of changed dates."""
    return observe_step.observe(settings, store_of(settings))


@recorded
def export_training(settings: Settings, day: date) -> Counts:
    """Write what was known on the day for the forecast application."""
    return forecast_step.export_training(settings, store_of(settings), day)


@recorded
def fit(_settings: Settings, day: date) -> Counts:
    """Forecast every series in this process's own Spark session."""
    from spark_apps import forecast as app  # noqa: PLC0415 - only this step needs Spark

    return app.main(["--day", day.isoformat()])


@recorded
def store_forecasts(settings: Settings, day: date) -> Counts:
    """Take the forecasts of the day into the store."""
    return forecast_step.store_forecasts(settings, store_of(settings), day)


@recorded
def size(settings: Settings, day: date) -> Counts:
    """Judge every rule for every subject, and date the crossings."""
    return size_step.size(settings, store_of(settings), day)


@recorded
def alert(
    settings: Settings, day: date, *, replay: bool = False, smtp: SmtpServer | None = None
) -> Counts:
    """Tell people once what is new; a replay stores what it would have said and says nothing."""
    return alert_step.alert(settings, store_of(settings), day, replay=replay, smtp=smtp)


def check_store(settings: Settings) -> None:
    """Whether schema, rows and outbox of the store are sound.

    Raises:
        InputError: they are not; it names every flaw and what to do.
    """
    flaws = upkeep.check(store_of(settings))
    if flaws:
        raise InputError(
            "the store is not sound",
            found="; ".join(flaw.what for flaw in flaws),
            remedy=" ".join(dict.fromkeys(flaw.remedy for flaw in flaws)),
        )


@recorded
def prune(settings: Settings, day: date) -> Counts:
    """Remove what the retention says of store and lake, counted back from the day."""
    return retention.remove_old(settings, store_of(settings), day)


def score(settings: Settings, day: date) -> Counts:
    """Hold what was forecast against what came."""
    return score_step.score(settings, store_of(settings), day)


def record(settings: Settings, day: date) -> list[str]:
    """The record of the forecasts of the last year, in lines."""
    return score_step.report(store_of(settings), day)


def reports(settings: Settings, day: date, kind: str = "due") -> list[str]:
    """Write the reports that are due about a day, or the one named. Returns their paths.

    Raises:
        ServiceUnavailable: the day is not judged yet; the daily run makes it so.
    """
    from mqcap.reports.document import ReportKind  # noqa: PLC0415 - only this step needs it
    from mqcap.reports.write import due_kinds, write_reports  # noqa: PLC0415 - as above

    engine = store_of(settings)
    if not read_findings(engine, day):
        raise ServiceUnavailable(
            f"nothing was judged on {day} yet",
            remedy="Wait for the daily DAG, or run it for this day; then run this step again.",
        )
    kinds = due_kinds(day) if kind == "due" else (ReportKind(kind),)
    return [
        str(path) for path in write_reports(settings, engine, day, kinds, settings.reports.folder)
    ]


Step = Callable[[Settings, date], Counts]

LOAD: tuple[Step, ...] = (land, decode_and_aggregate, observe)
"""What brings files into lake and store."""
JUDGE: tuple[Step, ...] = (export_training, fit, store_forecasts, size)
"""What is made of the stored days; only ``alert`` comes after it."""


def last_day(settings: Settings) -> date | None:
    """The newest day with observations, or ``None`` for an empty store."""
    return latest_site_date(store_of(settings))


def line(name: str, counts: Counts) -> str:
    """One log line of a step."""
    return f"{name}: {json.dumps(counts, default=str)}" if counts else name
