"""Which site figures are used, under which metric and unit, from the settings of the site."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mqcap.domain.distributed.site_figure import UNITS
from mqcap.domain.estate import Estate
from mqcap.domain.metric import Direction
from mqcap.lake.manifest import SiteFigureFact
from spark_apps.catalogue import SITE_FIGURES, catalogue

SITE_SAMPLE = "site_sample"


@dataclass(frozen=True)
class SiteFigurePlacement:
    """What the settings say about site figures."""

    roots: frozenset[str] = frozenset()
    """Sysplexes and sites: a subject of any other has no site days."""
    metrics: Mapping[str, str] = field(default_factory=dict)
    """Metric by figure."""
    units: Mapping[str, str] = field(default_factory=dict)
    """Unit by figure; samples that state another are left out."""
    steps: Mapping[str, float] = field(default_factory=dict)
    """Declared seconds between two values, by figure."""
    falling: frozenset[str] = frozenset()
    """Figures of which low is bad: their lowest hours are series too."""

    def facts_of(self, facts: Iterable[SiteFigureFact]) -> list[tuple[str | float, ...]]:
        """Return all that the metrics of these figures depend on beside files."""
        return sorted(
            (
                fact.figure,
                fact.root if fact.root in self.roots else "",
                self.metrics.get(fact.figure, ""),
                self.units.get(fact.figure, ""),
                self.steps.get(fact.figure, 0.0),
                fact.figure in self.falling,
            )
            for fact in set(facts)
        )


def site_figure_placement(estate: Estate) -> SiteFigurePlacement:
    """Return the site figures of the settings and those that rules know."""
    declared, known = estate.site_figures, catalogue()[SITE_FIGURES]
    return SiteFigurePlacement(
        roots=frozenset(part.root for part in estate.parts),
        metrics={
            **dict(zip(UNITS, UNITS, strict=True)),
            **{figure.figure: figure.metric for figure in declared},
        },
        units={**UNITS, **{figure.figure: figure.unit for figure in declared}},
        steps={figure.figure: figure.step_seconds for figure in declared if figure.step_seconds},
        falling=frozenset(
            [
                *(metric.name for metric in known if metric.direction is Direction.downward),
                *(figure.figure for figure in declared if figure.direction is Direction.downward),
            ]
        ),
    )
