"""The parts of a series: a table of its growth, and the days of the chart."""

from datetime import date, timedelta
from functools import partial
from typing import Final

from mq_capacity_page.charts import Bars, Chart, position
from mq_capacity_page.web.context import PageContext
from mqcap.domain.attribution import stack
from mqcap.lake.location import open_lake
from mqcap.lake.parts import part_days
from mqcap.presentation import display_units
from mqcap.presentation.attribution_text import GrowthText, growth_text, part_label
from mqcap.presentation.labels import metric_label
from mqcap.queries.why import SeriesGrowth, begin_of_month_before, growth_if_known
from mqcap.store.models import SeriesFacts
from mqcap.unit_costs.channel_cost import cost_of_channels, costed_part_days

NAMED_MAX: Final = 4
"""Parts with a colour of their own: with the rest and the mean they fit the legend (ours)."""
CHART_DAYS: Final = 60
"""Days of the chart, so that the month before is in it (ours)."""


def parts_view(context: PageContext, facts: SeriesFacts, day: date) -> GrowthText | None:
    """Return the growth since the begin of the month before; ``None`` without parts."""
    found = _growth(context, facts, day)
    return None if found is None else growth_text(found.attribution, found.unit)


def parts_chart(context: PageContext, facts: SeriesFacts, day: date) -> Chart | None:
    """Return the last days with their parts, by the kind of the table; ``None`` without parts."""
    found = _growth(context, facts, day)
    if found is None:
        return None
    first = day - timedelta(days=CHART_DAYS - 1)
    cost = cost_of_channels(context.settings, context.engine)(found.metric, facts.subject, day)
    parts = partial(part_days, open_lake(context.settings.lake))
    rows = costed_part_days(parts, found.metric, facts.subject, first, day, cost)
    layers = stack(rows, found.attribution.breakdown, NAMED_MAX)
    factor, unit = display_units.scale(found.unit)
    days = [position(each) for each in layers.days]
    return Chart(
        title=f"{facts.subject}: {metric_label(found.metric)} by {found.attribution.breakdown}",
        unit=unit,
        first=position(first),
        last=position(day) + 1,
        bars=tuple(
            Bars(
                name=part_label(layer.part, layer.kind),
                points=tuple(
                    (at, value * factor) for at, value in zip(days, layer.values, strict=True)
                ),
            )
            for layer in layers.layers[: NAMED_MAX + 2]
        ),
    )


def _growth(context: PageContext, facts: SeriesFacts, day: date) -> SeriesGrowth | None:
    return growth_if_known(
        open_lake(context.settings.lake),
        facts.metric,
        facts.subject,
        since=begin_of_month_before(day),
        last=day,
        settings=context.settings.attribution,
        cost_of=cost_of_channels(context.settings, context.engine),
    )
