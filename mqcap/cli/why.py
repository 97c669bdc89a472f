"""The command ``why``: the parts of the growth of a figure."""

from datetime import date, datetime
from typing import Annotated

import typer

from mqcap.cli.common import DayOption, ResultFormat, print_json, print_lines
from mqcap.cli.shared.local_run import site_settings
from mqcap.cli.site_store import configured_store
from mqcap.domain.attribution import PartKind
from mqcap.lake.location import open_lake
from mqcap.presentation.attribution_text import Asked, attribution_lines
from mqcap.presentation.labels import use_metric_labels
from mqcap.progress.shown import work
from mqcap.queries.why import as_document, growth_of_series
from mqcap.store.findings import latest_site_date
from mqcap.unit_costs.channel_cost import STORAGE, ChannelCost, cost_of_channels

app = typer.Typer()


@app.command()
def why(
    metric: Annotated[str, typer.Argument(help="A metric such as log_growth_mib_per_s.")],
    subject: Annotated[str, typer.Argument(help="Its subject, such as PLEX1/CSQ1.")],
    since: Annotated[
        datetime | None,
        typer.Option(
            "--since", formats=["%Y-%m-%d"], help="First day; default: 1st of the month before."
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
    """Show why a figure grew, by queue, application or channel.

    Exits with 1 where no records hold parts of it at both ends of the span.
    """
    settings = site_settings()
    lake = open_lake(settings.lake)
    with work("find the parts of the growth"):
        growth = growth_of_series(
            lake,
            metric,
            subject,
            since=since.date() if since else None,
            last=day.date() if day else None,
            settings=settings.attribution,
            breakdown=by,
            cost_of=_cost_of,
        )
    if output_format is ResultFormat.json:
        print_json(as_document(growth))
        return
    use_metric_labels(lake)
    asked = Asked(metric, since.date() if since else None)
    series = (growth.metric, growth.subject, growth.unit)
    lines = attribution_lines(growth.attribution, *series, asked, growth.each)
    print_lines("\n".join(lines))


def _cost_of(metric: str, subject: str, day: date) -> ChannelCost | None:
    """Return the cost of a channel as ``unit-costs`` prints it up to that day.

    The store is only opened where parts are channels.
    """
    if metric not in STORAGE:
        return None
    settings, engine = configured_store()
    newest = latest_site_date(engine) or day
    return cost_of_channels(settings, engine)(metric, subject, min(day, newest))
