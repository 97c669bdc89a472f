"""``mqcap settings``: the settings in effect."""

import typer

from mqcap.cli.common import out
from mqcap.cli.shared.local_run import site_settings

app = typer.Typer(no_args_is_help=True, help="Check the settings.")


@app.callback()
def _group() -> None:
    """Check the settings."""


@app.command()
def check() -> None:
    """Validate the settings and print them merged, with secrets masked."""
    out.print_json(site_settings(with_store=False).model_dump_json())
