"""Series page: the block of one series, and the findings that hold a limit against it."""

from collections.abc import Iterable, Sequence
from datetime import date

from mq_capacity_page.pages.series.block import SeriesBlock, series_block
from mq_capacity_page.pages.series.panel import PanelQuery
from mq_capacity_page.queries import fleet_lines_on
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.metric import Statistic
from mqcap.presentation.fleet import FleetLine
from mqcap.queries.resources import resource_path
from mqcap.store.models import SeriesFacts
from mqcap.store.series import find_series, series_as_of, series_below


class SeriesView(ViewModel):
    """Series on a day."""

    block: SeriesBlock
    lines: Sequence[FleetLine]
    """Findings whose limit is compared with it, most urgent first."""
    resources: Sequence[str]
    """Paths of their resources."""
    siblings: Sequence[SeriesFacts]
    """All series of the subject that were known on the day."""


def series_view(
    context: PageContext,
    series_id: str,
    day: date | None,
    query: PanelQuery,
    statistic: Statistic | None = None,
) -> SeriesView | None:
    """Return one series as known on the day; ``None`` for an unknown series.

    Without a ``statistic`` that of the most urgent limit on it is shown.
    """
    facts = find_series(context.engine, series_id)
    if facts is None or day is None:
        return None
    every = fleet_lines_on(context, day, facts.subject)
    lines = [line for line in every if line.finding.series_id == series_id]
    shown = query._replace(statistic=statistic or default_statistic(lines, series_id))
    below = series_below(context.engine, facts.subject)
    own = [each for each in below if each.subject == facts.subject]
    return SeriesView(
        block=series_block(context, facts, day, shown),
        lines=lines,
        resources=list(dict.fromkeys(resource_path(line.finding.key) for line in lines)),
        siblings=series_as_of(context.engine, own, day),
    )


def default_statistic(lines: Iterable[FleetLine], series_id: str) -> Statistic:
    """Return the statistic of the most urgent limit on the series, else the peak."""
    for line in lines:
        if line.crossing and line.crossing.series_id == series_id:
            return line.crossing.statistic
    return Statistic.peak
