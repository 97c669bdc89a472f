"""``mqcap local``: the platform with its sample estate on this machine."""

from typing import Annotated

import typer

from devtools.local.class_archive import make_class_archive
from devtools.local.folders import require_checkout
from mqcap.cli.common import print_status

app = typer.Typer(no_args_is_help=True, help="Run the complete platform on this machine.")


@app.command("run")
def run(
    serve: Annotated[bool, typer.Option(help="Keep Airflow and the capacity page running.")] = True,
    days: Annotated[int, typer.Option(min=30, help="Days of history.")] = 400,
) -> None:
    """Simulate an estate, load its history, run the daily DAG in Airflow, then serve the page."""
    require_checkout()  # before an extra is asked for that would not help
    from devtools.local.run import run as run_local  # noqa: PLC0415 - starts servers

    raise typer.Exit(run_local(serve=serve, days=days))


@app.command("class-archive")
def class_archive() -> None:
    """Speed up the start of Spark with an archive of its JVM classes (once per installation)."""
    print_status(f"{make_class_archive()} written")
