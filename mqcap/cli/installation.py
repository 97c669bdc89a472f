"""Whether a site can run, and the DAGs in an Airflow that exists."""

from pathlib import Path
from typing import Annotated

import typer

from mqcap.cli.common import ExitCode, print_lines, print_status, print_text
from mqcap.cli.shared.local_run import site_settings
from mqcap.installation.airflow_check import check_airflow, install_dags
from mqcap.installation.check import is_fine
from mqcap.installation.doctor import examine

app = typer.Typer()
airflow = typer.Typer(no_args_is_help=True, help="Put the product into an existing Airflow.")


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
    for file in written:
        print_text(f"{'written  ' if file.changed else 'unchanged'} {file.path}")
    changed = sum(file.changed for file in written)
    print_status(f"{changed} of {len(written)} files written; nothing else was changed")


@airflow.command()
def check() -> None:
    """Say what Airflow lacks of pools, connections, variables, page and DAGs, with commands.

    Exits with 1 when something must be done. Nothing is changed.
    """
    checks = check_airflow(site_settings(with_store=False))
    for line in (line for check in checks for line in check.lines):
        print_text(line)
    raise typer.Exit(ExitCode.done if is_fine(checks) else ExitCode.failed)
