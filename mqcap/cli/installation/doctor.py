"""``mqcap doctor``: whether a site can run."""

import typer

from mqcap.cli.common import print_lines
from mqcap.cli.shared.exit_codes import ExitCode
from mqcap.cli.shared.local_run import site_settings
from mqcap.installation.check import is_fine
from mqcap.installation.doctor import examine

app = typer.Typer()


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
