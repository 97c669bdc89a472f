"""Rules of the figures that a site declares: each follows from its id alone.

``SITE-MAX-DISK_BUSY_PCT`` compares the highest value of a day of ``disk_busy_pct`` with the limit
of the settings, ``SITE-MIN-DISK_FREE_PCT`` the lowest hour of a day.
"""

import re
from collections.abc import Iterable
from functools import cache, partial
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, create_model

from mqcap.domain.distributed.site_figure import LOWEST_SUFFIX, PREFIX, UNIT_SUFFIX, DeclaredFigure
from mqcap.domain.finding import Citation, Severity
from mqcap.domain.metric import Direction, Statistic
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from sizing.rulebook.assessment import Assessment, Falling
from sizing.rulebook.entry import Form, Rule, RuleTraits, only_with
from sizing.rulebook.input_sources import FromEstate, FromMetric

_ID: Final = re.compile(r"SITE-(MAX|MIN)-([A-Z][A-Z0-9_]{0,47})")
_SIDES: Final = {Direction.upward: "MAX", Direction.downward: "MIN"}
CITATION: Final = Citation(document="the settings", edition="ours", section="site_figures")


def site_rule_id(declared: DeclaredFigure) -> str:
    """Return the id of the rule of a declared figure."""
    return f"SITE-{_SIDES[declared.direction]}-{declared.figure.upper()}"


def site_rule_ids(declared: Iterable[DeclaredFigure]) -> tuple[str, ...]:
    """Return the ids of the rules of figures that have a limit."""
    return tuple(site_rule_id(figure) for figure in declared if figure.limit is not None)


def watched_site_series(declared: Iterable[DeclaredFigure]) -> frozenset[tuple[str, Statistic]]:
    """Return metrics and statistics whose forecast such a rule compares with its limit."""
    return frozenset(
        _watched(figure.metric, is_falling=figure.direction is Direction.downward)
        for figure in declared
        if figure.limit is not None
    )


@cache
def site_rule(identity: str) -> Rule | None:
    """Return the rule of this id; ``None`` for any other."""
    found = _ID.fullmatch(identity)
    if found is None:
        return None
    is_falling, name = found[1] == "MIN", found[2].lower()
    result = Falling if is_falling else Assessment
    side = "Not below" if is_falling else "Up to"
    metric, statistic = _watched(f"{PREFIX}{name}", is_falling=is_falling)
    watched = FromMetric(metric, statistic, record="a file of site figures")
    fields: dict[str, Any] = {
        "value": (Annotated[float, watched], ...),
        "limit": (Annotated[float, FromEstate(name, "site_figures of the settings")], ...),
        "unit": (Annotated[str, FromEstate(f"{name}{UNIT_SUFFIX}", "the same")], ...),
    }
    config = ConfigDict(frozen=True, extra="forbid")
    inputs: type[BaseModel] = create_model(f"{name}_inputs", __config__=config, **fields)
    return Rule(
        id=identity,
        title=f"Site figure {name}",
        citation=CITATION,
        forms=(Form(inputs=inputs, function=partial(_assessed, result), takes_model=False),),
        topic="site_figures",
        explanation=f"{side} the limit that the settings declare; exactly that is allowed.",
        traits=RuleTraits(
            resource=ResourceKind.site_figures,
            watches="value",
            applies=only_with("value"),
            breach_severity=Severity.act,
        ),
        result=result,
    )


def _watched(metric: str, *, is_falling: bool) -> tuple[str, Statistic]:
    return (f"{metric}{LOWEST_SUFFIX}", Statistic.mean) if is_falling else (metric, Statistic.peak)


def _assessed(result: type[Assessment], value: float, limit: float, unit: str) -> Assessment:
    return result(
        observed=value,
        limit=limit,
        unit=unit,
        arithmetic=f"limit = {figure(limit)} {unit} (ours, in the settings)",
        advice="Nothing to change: it keeps its limit.",
    ).past_limit("Look at what the site measures there, and at the limit that it has declared.")
