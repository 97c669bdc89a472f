"""Command ``metrics``: the platform itself, for Prometheus."""

from pathlib import Path
from typing import Annotated

import typer

from mqcap.cli.common import print_text
from mqcap.cli.site_store import configured_store
from mqcap.domain.errors import ConfigurationError
from mqcap.files import write_text
from mqcap.progress.shown import work
from mqcap.reports.platform_metrics import exposition

app = typer.Typer()


@app.command()
def metrics(
    out: Annotated[
        Path | None,
        typer.Option(help="File that is replaced, in the folder of node_exporter's collector."),
    ] = None,
) -> None:
    """Print metrics of the platform for Prometheus."""
    _, engine = configured_store(may_be_new=True)
    with work("count runs and findings"):
        text = exposition(engine)
    if out is None:
        print_text(text.rstrip("\n"))
        return
    try:
        write_text(out, text)
    except OSError as error:
        raise ConfigurationError(
            "the metrics cannot be written",
            found=f"{out}: {error.strerror}",
            remedy="Name a file in a folder that this user may write to.",
        ) from error
