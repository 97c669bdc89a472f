"""The steps of a day, each recorded in the store with versions and counts.

Each is an idempotent function of settings and day, named as it is recorded. Those from
``decode_and_aggregate`` to ``store_forecasts`` share a Spark session. Each imports its module when
it runs: half of a short task was the import of the others.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from functools import cache, wraps
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec

from mqcap.domain.errors import InputError, ServiceUnavailable, file_error
from mqcap.progress.shown import work
from mqcap.settings import Settings, SmtpServer
from mqcap.store import upkeep
from mqcap.store.database import Store, open_store
from mqcap.store.findings import latest_site_date, read_findings
from mqcap.store.models import StepRun
from mqcap.store.step_runs import save_step_run

if TYPE_CHECKING:
    from mqcap.notifications.smtp import MailServer

HASH_DIGITS: Final = 16
CODE: Final = ("mqcap", "forecasting", "sizing", "spark_apps")
"""Folders of all code that makes figures."""
_ROOT: Final = Path(__file__).resolve().parents[2]
_SUFFIXES: Final = frozenset({".py", ".json", ".yaml", ".csv", ".j2"})


def versions(settings: Settings) -> dict[str, str]:
    """Return product and Python version, and hashes of code, rules and settings without secrets."""
    return {
        "mqcap": installed_version("mqcap"),
        "python": platform.python_version(),
        "code_sha256": hash_of(CODE),
        "rules_sha256": hash_of(("sizing",)),
        "settings_sha256": hashlib.sha256(settings.model_dump_json().encode()).hexdigest()[
            :HASH_DIGITS
        ],
    }


@cache
def hash_of(folders: tuple[str, ...]) -> str:
    """Return a hash of the source files of the folders, but for the settings; computed once."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted((_ROOT / folder).rglob("*")):
            if path.suffix in _SUFFIXES and path.is_file() and path.name != "platform.yaml":
                digest.update(f"{path.relative_to(_ROOT).as_posix()}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:HASH_DIGITS]


def installed_version(name: str) -> str:
    """Return the version of an installed package; ``not installed`` without it."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


Counts = dict[str, Any]


def store_of(settings: Settings) -> Store:
    """Return the store of the settings, migrated; ServiceUnavailable without an answer."""
    return open_store(settings.store.url.get_secret_value())


P = ParamSpec("P")


def recorded(
    step: Callable[Concatenate[Settings, date, P], Counts],
) -> Callable[Concatenate[Settings, date, P], Counts]:
    """Return the step with its successful runs recorded: name, versions and counts.

    One without a day (``date.min``) has the day on which it ran. An OSError of the disk becomes
    ServiceUnavailable, of a permission ConfigurationError.
    """
    name = step.__name__

    @wraps(step)
    def run_and_record(
        settings: Settings, day: date, /, *args: P.args, **kwargs: P.kwargs
    ) -> Counts:
        try:
            with work(name.replace("_", " ")):
                counts = step(settings, day, *args, **kwargs)
        except OSError as error:
            known = file_error(error, name)
            if known is None:
                raise
            raise known from error
        ended = datetime.now(UTC)
        run = StepRun(
            step=name,
            ended_at_utc=ended,
            site_date=ended.date() if day == date.min else day,
            versions=versions(settings),
            counts=json.loads(json.dumps(counts, default=str)),
        )
        save_step_run(store_of(settings), run)
        return counts

    return run_and_record


@recorded
def land(settings: Settings, _day: date, *, inputs: Sequence[str] | None = None) -> Counts:
    """Copy new files into the lake: from the given inputs, or else the inbox and the settings."""
    from mqcap.steps import land as land_step

    return land_step.land(settings, store_of(settings), inputs)


@recorded
def withdraw(settings: Settings, _day: date, wanted: str) -> Counts:
    """Let a delivered file count no more, by name or hash."""
    from mqcap.steps import withdraw as withdraw_step

    return dict(withdraw_step.withdraw(settings, store_of(settings), wanted))


@recorded
def decode_and_aggregate(_settings: Settings, day: date) -> Counts:
    """Decode landed files and rewrite the hourly metrics of the dates they change, on Spark."""
    from spark_apps import decode_and_aggregate as app

    return app.main(["--day", day.isoformat()])


@recorded
def observe(settings: Settings, _day: date) -> Counts:
    """Roll hourly metrics up to daily observations, for dates that have changed."""
    from mqcap.steps import observe as observe_step

    return observe_step.observe(settings, store_of(settings))


@recorded
def export_training(settings: Settings, day: date) -> Counts:
    """Write the observations up to the day as training data of the forecast application."""
    from mqcap.steps import forecast as forecast_step
    from mqcap.steps import hold_out as hold_out_step

    engine = store_of(settings)
    counts = forecast_step.export_training(settings, engine, day)
    return counts | hold_out_step.export_origins(settings, engine, day)


@recorded
def fit(_settings: Settings, day: date) -> Counts:
    """Forecast every series of the export, on Spark."""
    from spark_apps import forecast as app

    return app.main(["--day", day.isoformat()])


@recorded
def store_forecasts(settings: Settings, day: date) -> Counts:
    """Replace the forecasts of the day in the store by those of the lake."""
    from mqcap.steps import forecast as forecast_step
    from mqcap.steps import hold_out as hold_out_step

    engine = store_of(settings)
    counts = forecast_step.store_forecasts(settings, engine, day)
    return counts | hold_out_step.store_hold_out(settings, engine, day)


@recorded
def size(settings: Settings, day: date) -> Counts:
    """Evaluate every rule for every subject, and date the crossings."""
    from mqcap.steps import evaluate

    return evaluate.evaluate_rules(settings, store_of(settings), day)


@recorded
def alert(
    settings: Settings,
    day: date,
    *,
    replay: bool = False,
    smtp: SmtpServer | MailServer | None = None,
) -> Counts:
    """Notify of new and worsened problems; a replay stores the notifications and sends none."""
    from mqcap.steps import notify as notify_step

    return notify_step.alert(settings, store_of(settings), day, replay=replay, smtp=smtp)


def check_store(settings: Settings) -> None:
    """Check schema, rows and outbox of the store; InputError names every flaw and its remedy."""
    flaws = upkeep.check(store_of(settings))
    if flaws:
        raise InputError(
            "the store is inconsistent",
            found="; ".join(flaw.what for flaw in flaws),
            remedy=" ".join(dict.fromkeys(flaw.remedy for flaw in flaws)),
        )


@recorded
def prune(settings: Settings, day: date) -> Counts:
    """Delete from store and lake what is older than the retention, counted back from the day."""
    from mqcap.steps import prune as prune_step

    return prune_step.remove_old(settings, store_of(settings), day)


def score(settings: Settings, day: date) -> Counts:
    """Verify forecasts and probabilities up to the day against observed values."""
    from mqcap.steps import verify as verify_step

    return verify_step.score(settings, store_of(settings), day)


def record(settings: Settings, day: date) -> list[str]:
    """Return the accuracy of the forecasts of the last year, in lines."""
    from mqcap.steps import verify as verify_step

    return verify_step.accuracy_lines(settings, store_of(settings), day)


def reports(settings: Settings, day: date, kind: str = "due") -> list[str]:
    """Write the reports due for a day, or the one named; ServiceUnavailable without findings."""
    from mqcap.reports.document import ReportKind
    from mqcap.reports.make import due_kinds, write_reports

    engine = store_of(settings)
    if not read_findings(engine, day):
        raise ServiceUnavailable(
            f"no rule has been evaluated for {day} yet",
            expected="findings of that day",
            remedy="Wait for the daily DAG, or run it for this day; then run this step again.",
        )
    kinds = due_kinds(day) if kind == "due" else (ReportKind(kind),)
    return [
        str(path) for path in write_reports(settings, engine, day, kinds, settings.reports.folder)
    ]


@contextmanager
def one_session() -> Iterator[None]:
    """Let the steps in the block share the Spark session that the first who needs one starts."""
    from spark_apps.runtime.session import kept_session

    with kept_session():
        yield


Step = Callable[[Settings, date], Counts]

LOAD: tuple[Step, ...] = (land, decode_and_aggregate, observe)
"""Steps that bring files into lake and store."""
FORECAST: tuple[Step, ...] = (export_training, fit, store_forecasts)
"""Steps that forecast a stored day; ``size`` and ``alert`` follow."""


def last_day(settings: Settings) -> date | None:
    """Return the newest day with observations, or ``None`` for an empty store."""
    return latest_site_date(store_of(settings))
