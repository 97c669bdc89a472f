"""``mqcap audit-record``: what a day's run processed, found and sent, in one file."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from mqcap.cli.common import print_text
from mqcap.cli.site_store import configured_store
from mqcap.notifications import audit_record as audit
from mqcap.progress.shown import work
from mqcap.store.findings import read_finding_summaries
from mqcap.store.observations import require_observed

app = typer.Typer()


@app.command("audit-record")
def audit_record(
    day: Annotated[datetime, typer.Argument(formats=["%Y-%m-%d"], help="The day.")],
    out: Annotated[Path | None, typer.Option(help="The file; default: standard output.")] = None,
) -> None:
    """Write the audit record of a day as JSON."""
    _, engine = configured_store()
    if not read_finding_summaries(engine, day.date()):
        require_observed(engine, day.date())
    with work("collect the audit record"):
        text = audit.audit_record_text(audit.audit_record(engine, day.date()))
    if out is None:
        print_text(text)
        return
    out.write_text(f"{text}\n", encoding="utf-8")
    print_text(f"Audit record of {day.date()}: {out}")
