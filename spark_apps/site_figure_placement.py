"""Which site figures are used, under which metric and unit, from the settings of the site."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from mqcap.domain.distributed.site_figure import KNOWN, LOWEST_SUFFIX, UNITS, DeclaredFigure
from mqcap.domain.estate import Estate
from mqcap.domain.metric import Direction, Metric, SubjectKind
from mqcap.lake.manifest import SiteFigureFact

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
    declared = estate.site_figures
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
                *(metric.name for metric in KNOWN if metric.direction is Direction.downward),
                *(figure.figure for figure in declared if figure.direction is Direction.downward),
            ]
        ),
    )


def lowest_hours(metrics: Iterable[Metric]) -> Iterator[Metric]:
    """Yield the metric of the lowest hour of a day for each metric of which low is bad."""
    for metric in metrics:
        if metric.direction is Direction.downward:
            yield metric.model_copy(
                update={
                    "name": f"{metric.name}{LOWEST_SUFFIX}",
                    "label": f"{metric.label}, lowest hour",
                    "description": f"{metric.description} The lowest hourly mean of the day.",
                    "lowest_of": metric.name,
                }
            )


def known_metrics() -> tuple[Metric, ...]:
    """Return the metrics of the figures that rules know."""
    measured = tuple(Metric(**metric.model_dump(), reads=(SITE_SAMPLE,)) for metric in KNOWN)
    return (*measured, *lowest_hours(measured))


def declared_metrics(declared: Iterable[DeclaredFigure]) -> tuple[Metric, ...]:
    """Return the metrics of the figures that the settings declare."""
    measured = tuple(
        Metric(
            name=figure.metric,
            label=figure.label,
            unit=figure.unit,
            subject_kind=SubjectKind.site_object,
            description=f"Site figure {figure.figure}, declared in the settings.",
            reads=(SITE_SAMPLE,),
            forecast=figure.limit is not None,
            direction=figure.direction,
        )
        for figure in declared
    )
    return (*measured, *lowest_hours(measured))
