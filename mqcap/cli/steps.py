"""The steps of a day: ``land``, ``load``, ``run``, ``backfill`` and ``verify``."""

from datetime import UTC, date, datetime
from typing import Annotated, Any

import typer

from mqcap.cli.common import DayOption, print_error, print_lines, print_status
from mqcap.cli.shared.local_run import site_settings
from mqcap.cli.site_store import configured_store, day_or_newest, existing_store
from mqcap.completeness.days import newest_day
from mqcap.lake.location import open_lake
from mqcap.lake.manifest import manifests
from mqcap.progress.shown import work
from mqcap.settings import Settings
from mqcap.steps import runner
from mqcap.steps.backfill import backfill as replay_days
from mqcap.steps.load_problems import beside_smf, load_problems, refused, reported_before
from mqcap.steps.step_words import step_line
from mqcap.store.feeds import read_source_files
from mqcap.store.observations import require_observed

app = typer.Typer()

RunDayOption = Annotated[
    datetime | None,
    typer.Option(
        "--day", formats=["%Y-%m-%d"], help="The day; default: the newest complete one of the data."
    ),
]
Inputs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[INPUT…]",
        help="Dumps, logs or command output: files, folders, patterns, zip archives, or"
        " object-store URLs; default: the inbox and ingest.inputs of the settings.",
    ),
]


@app.command()
def land(inputs: Inputs = None) -> None:
    """Copy new input files into the lake.

    Exits with 1 when an input cannot be read; the others are landed. Without INPUT one that an
    earlier command reported, and that is unchanged, is only named.
    """
    raise typer.Exit(0 if _land(site_settings(), inputs) else 1)


@app.command()
def load(inputs: Inputs = None) -> None:
    """Land, decode and aggregate inputs.

    Exits with 1 when an input cannot be read; the others are loaded. Without INPUT one that an
    earlier command reported, and that is unchanged, is only named.
    """
    raise typer.Exit(0 if _load(site_settings(), inputs) else 1)


def _load(settings: Settings, inputs: list[str] | None) -> bool:
    """Land, decode, aggregate and roll up; return True when each input could be read."""
    lake = open_lake(settings.lake)
    known = {manifest.sha256 for manifest in manifests(lake)}
    all_landed = _land(settings, inputs)
    dates_left_out = 0
    for step in runner.LOAD[1:]:
        counts = step(settings, date.min)
        dates_left_out += counts.get("dates_left_out", 0)
        _print_step(step.__name__, counts)
    in_lake = manifests(lake)
    loaded = [manifest for manifest in in_lake if manifest.sha256 not in known]
    names = {file.sha256: file.name for file in read_source_files(runner.store_of(settings))}
    for sentence in load_problems(loaded, names, settings.complete_estate()):
        print_error(sentence)
    for sentence in beside_smf(loaded, in_lake, names):
        print_status(sentence)
    return all_landed and not refused(loaded) and not dates_left_out


def _land(settings: Settings, inputs: list[str] | None) -> bool:
    """Land the inputs; return True when each of them could be read.

    Of those that lie in inbox and folders unchanged since an error was reported it is not repeated.
    """
    if not inputs:
        settings.ingest.inbox.mkdir(parents=True, exist_ok=True)
    earlier = [] if inputs else read_source_files(runner.store_of(settings))
    counts = runner.land(settings, date.min, inputs=inputs or None)
    rejected = counts.pop("rejected")
    known = (
        reported_before(rejected, earlier, read_source_files(runner.store_of(settings)))
        if rejected and earlier
        else set()
    )
    for sentence in rejected:
        if sentence in known:
            print_status(f"As reported before, and unchanged: {sentence}")
        else:
            print_error(sentence)
    _print_step("land", {**counts, "rejected": len(rejected)})
    return known.issuperset(rejected)


@app.command()
def withdraw(
    file: Annotated[
        str,
        typer.Argument(help="Its name as it was sent, or the first digits of its content hash."),
    ],
) -> None:
    """Let a loaded file count no more.

    The file stays in the lake; load FILE takes it back. Findings change with the next run.
    """
    settings = site_settings()
    _print_step("withdraw", runner.withdraw(settings, date.min, file))
    for step in runner.LOAD[1:]:
        _print_step(step.__name__, step(settings, date.min))


@app.command()
def run(
    day: RunDayOption = None,
    replay: Annotated[
        bool, typer.Option(help="Store the notifications instead of sending them.")
    ] = False,
) -> None:
    """Run all steps of one day: load, forecast, judge, notify.

    Exits with 1 when an input cannot be read; the others are loaded, and the day is judged. One
    that an earlier command reported, and that is unchanged, is only named.
    """
    settings = site_settings()
    with runner.one_session():
        all_loaded = _load(settings, None)
        chosen = day.date() if day is not None else _newest_day(settings)
        for step in runner.FORECAST:
            _print_step(step.__name__, step(settings, chosen))
    _print_step("size", runner.size(settings, chosen))
    counts = runner.alert(settings, chosen, replay=replay, smtp=settings.smtp)
    _print_step("alert", counts)
    raise typer.Exit(0 if all_loaded else 1)


def _newest_day(settings: Settings) -> date:
    """Return the newest complete day of the data, and print which one it is and why."""
    newest = newest_day(existing_store(settings), datetime.now(tz=UTC).date())
    if newest is None:
        return day_or_newest(settings, None)
    print_status(f"Day {newest.day}: {newest.reason}.", day=str(newest.day))
    return newest.day


@app.command()
def backfill(
    first: Annotated[datetime, typer.Argument(formats=["%Y-%m-%d"], help="The first day.")],
    last: Annotated[datetime, typer.Argument(formats=["%Y-%m-%d"], help="The last day.")],
) -> None:
    """Replay a range of days; notifications are stored, not sent."""
    replay_days(site_settings(), first.date(), last.date(), print_status)


@app.command("verify")
def verify(day: DayOption = None) -> None:
    """Print how accurate past forecasts were."""
    settings, engine = configured_store()
    chosen = day_or_newest(settings, day)
    with work("verify forecasts"):
        counts = runner.score(settings, chosen)
    if day is not None and not any(counts.values()):
        require_observed(engine, chosen)
    _print_step("score", counts)
    with work("accuracy of a year"):
        sentences = runner.record(settings, chosen)
    for sentence in sentences:
        print_lines(sentence)


def _print_step(name: str, counts: dict[str, Any]) -> None:
    print_status(step_line(name, counts), step=name, counts=counts)
