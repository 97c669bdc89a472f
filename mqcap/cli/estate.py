"""``mqcap estate``: the description of queue managers and coupling facilities."""

from pathlib import Path
from typing import Annotated

import typer

from mqcap.cli.common import print_text
from mqcap.cli.site_store import configured_store
from mqcap.estate.discover import Pasted
from mqcap.estate.discover import discover as discovered
from mqcap.progress.shown import work

app = typer.Typer(no_args_is_help=True, help="Describe the estate.")


@app.command()
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
    settings, engine = configured_store(may_be_new=True)
    with work("look through data and output"):
        found = discovered(settings, engine, Pasted(tuple(pasted or ()), qmgr, sysplex, site))
    print_text(found)
