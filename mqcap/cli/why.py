"""The command ``why``: the parts of the growth of a figure."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from mqcap.cli.common import DayOption, ResultFormat, print_json, print_text
from mqcap.domain.attribution import PartKind
from mqcap.settings import load_settings

app = typer.Typer()


@app.command()
def why(
    metric: Annotated[str, typer.Argument(help="A metric such as log_growth_mib_per_s.")],
    subject: Annotated[str, typer.Argument(help="Its subject, such as PLEX1/CSQ1.")],
    since: Annotated[
        datetime | None,
        typer.Option(
            "--since", formats=["%Y-%m-%d"], help="First day; default: 30 days before the last."
        ),
    ] = None,
    day: DayOption = None,
    by: Annotated[
        PartKind | None,
        typer.Option(
            "--by", help="Kind of the parts; default: the kind that explains most of the figure."
        ),
    ] = None,
    output_format: Annotated[
        ResultFormat,
        typer.Option("--format", help="json: the parts, their values then and now, their share."),
    ] = ResultFormat.text,
) -> None:
    """Show why a figure grew: its parts by queue, application, channel or structure.

    Exits with 1 where no records hold parts of it at both ends of the span.
    """
    from mqcap.presentation.attribution_text import attribution_lines  # noqa: PLC0415 - slow
    from mqcap.presentation.labels import use_metric_labels  # noqa: PLC0415 - as above
    from mqcap.presentation.why import as_document, growth_of_series  # noqa: PLC0415 - as above

    settings = load_settings()
    lake = Path(settings.lake)
    growth = growth_of_series(
        lake,
        metric,
        subject,
        since=since.date() if since else None,
        last=day.date() if day else None,
        window_days=settings.attribution.window_days,
        breakdown=by,
    )
    if output_format is ResultFormat.json:
        print_json(as_document(growth))
        return
    use_metric_labels(lake)
    answer = growth.attribution
    asked = since.date() if since else None
    print_text("\n".join(attribution_lines(answer, growth.metric, subject, growth.unit, asked)))
