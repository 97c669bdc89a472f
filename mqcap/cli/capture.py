"""Command ``capture``: the script that a site runs to make the files of an input."""

from typing import Annotated

import typer

from mqcap.cli.common import print_text
from mqcap.ingest.capture_kits import KitKind, kit_text

app = typer.Typer()


@app.command()
def capture(
    kind: Annotated[KitKind, typer.Option(help="The platform that the script is for.")],
) -> None:
    """Print the script or job that makes the files of a platform."""
    print_text(kit_text(kind))
