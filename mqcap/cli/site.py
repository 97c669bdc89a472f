"""First settings, those in effect, the estate, scripts of inputs, and whether all can run."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from pydantic import TypeAdapter, ValidationError

from mqcap.cli.common import ExitCode, out, print_lines, print_status, print_text
from mqcap.cli.shared.local_run import site_settings
from mqcap.cli.site_store import configured_store
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate.configured import ZoneName
from mqcap.estate.discover import Pasted
from mqcap.estate.discover import discover as discovered
from mqcap.ingest.capture_kits import KitKind, kit_text
from mqcap.installation.airflow_check import check_airflow, install_dags
from mqcap.installation.check import is_fine
from mqcap.installation.doctor import examine
from mqcap.installation.first_settings import (
    FILE_NAME,
    SiteAnswers,
    next_steps,
    require_new,
    write_first_settings,
)
from mqcap.progress.shown import work

app = typer.Typer()
settings = typer.Typer(no_args_is_help=True, help="Check the settings.")
estate = typer.Typer(no_args_is_help=True, help="Describe the estate.")
airflow = typer.Typer(no_args_is_help=True, help="Put the product into an existing Airflow.")


@app.command()
def init(  # noqa: PLR0913, PLR0917 - one parameter per option
    site: Annotated[str, typer.Option(help="Name of the site.")] = "",
    zone: Annotated[str, typer.Option(help="Time zone, such as Europe/Copenhagen.")] = "",
    sysplex: Annotated[
        list[str] | None, typer.Option(help="Name of a sysplex; may be repeated.")
    ] = None,
    place: Annotated[
        list[str] | None,
        typer.Option(help="Name of a site of queue managers elsewhere (Linux); may be repeated."),
    ] = None,
    inbox: Annotated[Path | None, typer.Option(help="Folder in which files arrive.")] = None,
    mail: Annotated[
        list[str] | None, typer.Option(help="Address that is notified; may be repeated.")
    ] = None,
    out: Annotated[Path, typer.Option(help="The settings file.")] = Path(FILE_NAME),
) -> None:
    """Write a commented settings file.

    Exits with 1 when the file exists already. Data go below the folder of the file.
    """
    asks = sys.stdin.isatty()
    file = out.resolve()
    require_new(file)
    is_open = asks and not (sysplex or place)
    answers = SiteAnswers(
        name=site or _asked(asks, "--site", "Name of the site", str),
        timezone=zone or _asked(asks, "--zone", "Time zone, such as Europe/Copenhagen", _zone),
        sysplexes=_names(sysplex, is_open, "Sysplexes (separated by blanks; none: leave empty)"),
        places=_names(place, is_open, "Sites with queue managers elsewhere, such as on Linux"),
        inbox=inbox.resolve() if inbox else _folder(asks, file.parent / "inbox"),
        mail_to=_names(mail, asks, "Addresses that are notified (separated by blanks)"),
    )
    write_first_settings(answers, file)
    print_status(f"{file} written. Next:")
    for line in next_steps(answers, file):
        print_text(line)


def _asked(asks: bool, option: str, question: str, read: Callable[[str], str]) -> str:
    if not asks:
        raise ConfigurationError(
            f"{option} is not given", remedy="Give it, or run the command on a terminal."
        )
    return str(typer.prompt(question, value_proc=read))


def _zone(answer: str) -> str:
    """Return the name of a time zone; a name that is none is asked for again."""
    try:
        return str(TypeAdapter(ZoneName).validate_python(answer))
    except ValidationError as error:
        raise typer.BadParameter(error.errors()[0]["msg"]) from error


def _names(given: list[str] | None, asks: bool, question: str) -> tuple[str, ...]:
    if given or not asks:
        return tuple(given or ())
    return tuple(str(typer.prompt(question, default="", show_default=False)).split())


def _folder(asks: bool, proposed: Path) -> Path:
    if not asks:
        return proposed
    return Path(typer.prompt("Folder in which files arrive", default=str(proposed))).resolve()


@settings.command()
def check() -> None:
    """Validate the settings and print them merged, with secrets masked."""
    out.print_json(site_settings(with_store=False).model_dump_json())


@app.command()
def capture(
    kind: Annotated[KitKind, typer.Option(help="The platform that the script is for.")],
) -> None:
    """Print the script or job that makes the files of a platform."""
    print_text(kit_text(kind))


@estate.command()
def discover(
    pasted: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[OUTPUT]...",
            help="Output of DISPLAY commands and CSQJU004; inputs of queue managers that are not "
            "on z/OS; CSV lists of names (site,qmgr,host,class).",
        ),
    ] = None,
    qmgr: Annotated[
        str | None, typer.Option(help="Queue manager of outputs that name none.")
    ] = None,
    sysplex: Annotated[
        str | None, typer.Option(help="Sysplex of queue managers whose sysplex is unknown.")
    ] = None,
    site: Annotated[
        str | None,
        typer.Option(help="Site of queue managers that are not on z/OS and in no list of names."),
    ] = None,
) -> None:
    """Print an estate section derived from data and command output, to be completed."""
    configured, engine = configured_store(may_be_new=True)
    with work("look through data and output"):
        found = discovered(configured, engine, Pasted(tuple(pasted or ()), qmgr, sysplex, site))
    print_text(found)


@app.command()
def doctor() -> None:
    """Check settings, files, services; say what to do.

    Exits with 1 when something must be done. Nothing is changed, and nothing is sent.
    """
    checks = []
    for check in examine(site_settings()):
        checks.append(check)
        for line in check.lines:
            print_lines(line)
    raise typer.Exit(ExitCode.done if is_fine(checks) else ExitCode.failed)


@airflow.command("install-dags")
def install(
    folder: Annotated[Path, typer.Argument(help="DAG folder of Airflow.", show_default=False)],
) -> None:
    """Write one small file per DAG, which imports the installed DAG, into a DAG folder."""
    written = install_dags(folder)
    for path, is_changed in written.items():
        print_text(f"{'written  ' if is_changed else 'unchanged'} {path}")
    changed = sum(written.values())
    print_status(f"{changed} of {len(written)} files written; nothing else was changed")


@airflow.command("check")
def check_of_airflow() -> None:
    """Say what Airflow lacks of pools, connections, variables, page and DAGs, with commands.

    Exits with 1 when something must be done. Nothing is changed.
    """
    checks = check_airflow(site_settings(with_store=False))
    for line in (line for check in checks for line in check.lines):
        print_text(line)
    raise typer.Exit(ExitCode.done if is_fine(checks) else ExitCode.failed)
