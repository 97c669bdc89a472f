"""Rules of ``plain_rules.yaml``: one figure against a fixed limit or against its own past.

A row says all that such a rule is; its keys are the fields of `Threshold` and `Trend`. A rule that
computes its limit, changes an operand or reads a second figure is code of its own.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import yaml
from pydantic import BaseModel, Field, create_model

from mqcap.domain.finding import Severity
from mqcap.domain.metric import Statistic, SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.resource import HeatColumn, ResourceKind
from sizing import sources
from sizing.rulebook.assessment import Assessment, Falling, Inputs, Reaching
from sizing.rulebook.entry import Form, Function, Rule, RuleTraits, ValuesByName, only_with
from sizing.rulebook.input_sources import FromEstate, FromMetric, Over
from sizing.rulebook.registry import register
from sizing.trend import (
    EVENT,
    NO_LEVEL,
    TREND_RATIO,
    TREND_TRAITS,
    configured_or_measured,
    recent,
    trend,
    usual,
)

FILE: Final = Path(__file__).parents[1] / "plain_rules.yaml"
RESULTS: Final[dict[str, type[Assessment]]] = {
    "above": Assessment,
    "reached": Reaching,
    "below": Falling,
}
"""Results by what a breach is."""


class _Row(BaseModel, frozen=True, extra="forbid"):
    """What both kinds of rows have."""

    id: str
    title: str
    topic: str
    cite: dict[str, str]
    """Name of a document in ``sizing.sources``, and section."""
    limit_is: str
    """How the limit is read."""
    kind: SubjectKind | None = None
    """Kind of subjects, where it is not the one that has such a resource."""
    resource: ResourceKind
    metric: str
    statistic: Statistic = Statistic.peak
    record: str
    unit: str
    most: int | None = None
    """Largest possible value."""
    positive: bool = False
    """0 is no possible value."""
    arithmetic: tuple[str, ...] = ()
    wrong: str
    """Advice for a breach."""
    caveats: tuple[str, ...] = ()
    superseded_by: str = ""
    column: HeatColumn | None = None

    def field(self, *marks: object) -> Any:
        """Return the declaration of an input that is not negative, with its sources."""
        more_than, least = (0, None) if self.positive else (None, 0)
        return Annotated[(float, Field(gt=more_than, ge=least, le=self.most), *marks)], ...

    def rule(
        self, traits: RuleTraits, result: type[Assessment], function: Function, **fields: Any
    ) -> Rule:
        """Return the rule whose inputs have these fields."""
        [(document, section)] = self.cite.items()
        inputs = create_model(f"{self.id}_inputs", __base__=Inputs, **fields)
        return Rule(
            id=self.id,
            title=self.title,
            citation=getattr(sources, document)(section),
            forms=(Form(inputs=inputs, function=function, takes_model=True),),
            topic=self.topic,
            explanation=self.limit_is,
            traits=traits,
            result=result,
        )


class Most(BaseModel, frozen=True, extra="forbid"):
    """A second figure, which is the limit."""

    input: str
    metric: str
    record: str
    stated_only: bool = False
    """Where it is not known, nothing is asked."""


class Threshold(_Row):
    """A figure that must stay on its side of a fixed limit, or of another figure."""

    input: str
    estate: tuple[str, str] | None = None
    """Key of the estate that gives the figure where no record does, and where to find it."""
    over: Over = Over.worst
    breach: str = "above"
    """What of the limit is a breach: ``above``, ``reached`` or ``below``."""
    limit: float | Most
    """Lines of ``arithmetic`` have a second figure as ``LIMIT``."""
    of: str = ""
    ok: str
    """Advice for a value in order."""
    caveats_past: tuple[str, ...] = ()
    """Those of a value past the limit alone."""
    always: bool = False
    """Asked for where no figure is known, too: every subject has such a thing."""
    only_where: str = ""
    """Key of the estate that a subject must have for the rule to be about it."""
    undated: str = ""
    """Reason why no date is forecast; ``event`` for that of single events."""
    severity: Severity = Severity.act
    """Of a breach."""
    graded: bool = True
    """A value near the limit is Watch; otherwise it is in order up to the limit."""
    also_of: tuple[SubjectKind, ...] = ()
    """Further kinds of subjects that have such a resource."""

    def as_rule(self) -> Rule:
        """Return the rule of this row."""
        metric = FromMetric(self.metric, self.statistic, record=self.record, over=self.over)
        estate = (FromEstate(*self.estate),) if self.estate else ()
        traits = RuleTraits(
            resource=self.resource,
            of=self.kind,
            watches=self.input,
            undated=re.sub(r"\bEVENT$", EVENT, self.undated),
            breach_severity=self.severity,
            graded=self.graded,
            superseded_by=self.superseded_by,
            column=self.column,
            also_of=self.also_of,
            applies=self._applies,
        )
        fields = {self.input: self.field(metric, *estate)}
        if isinstance(self.limit, Most):
            source = FromMetric(self.limit.metric, record=self.limit.record)
            fields[self.limit.input] = Annotated[float, Field(gt=0), source], ...
        if self.only_where:
            fields[self.only_where] = Annotated[bool | None, FromEstate(self.only_where)], None
        return self.rule(traits, RESULTS[self.breach], self.assess, **fields)

    def _applies(self, values: ValuesByName) -> bool:
        if isinstance(self.limit, Most) and self.limit.stated_only:
            return all(values.get(name) is not None for name in (self.input, self.limit.input))
        return self.always or only_with(self.only_where or self.input)(values)

    def assess(self, inputs: BaseModel) -> Assessment:
        """Compare the figure with the limit."""
        most = self.limit
        limit = getattr(inputs, most.input) if isinstance(most, Most) else most
        assessment = RESULTS[self.breach](
            observed=getattr(inputs, self.input),
            limit=limit,
            unit=self.unit,
            of=self.of,
            arithmetic=tuple(line.replace("LIMIT", figure(limit)) for line in self.arithmetic),
            advice=self.ok,
            caveats=self.caveats,
        )
        if assessment.passes_limit and self.caveats_past:
            caveats = (*self.caveats, *self.caveats_past)
            assessment = assessment.model_copy(update={"caveats": caveats})
        return assessment.past_limit(self.wrong)


class Trend(_Row):
    """A figure without a level: the last week against what was usual before."""

    usual_record: str | None = None
    """The record of the days before, where it is named otherwise."""
    what: str
    least_step: float = 0
    estate: tuple[str, str] | None = None
    """Key of the estate that gives the figure where no record does, and where to find it."""
    usual_estate: tuple[str, str] | None = None
    """The same of what was usual; it is asked for where the site has configured the figure."""
    caveats_measured: tuple[str, ...] = ()
    """Those of a figure that is measured and not configured."""

    def as_rule(self) -> Rule:
        """Return the rule of this row."""
        before = self.record if self.usual_record is None else self.usual_record
        now, past = ([FromEstate(*key)] if key else [] for key in (self.estate, self.usual_estate))
        fields = {
            "recent": self.field(recent(self.metric, self.record, self.statistic), *now),
            "usual": self.field(usual(self.metric, before, self.statistic), *past),
        }
        own: dict[str, Any] = {"superseded_by": self.superseded_by, "column": self.column}
        if now:
            fields["configured"] = Annotated[(float | None, *now)], None
            own["applies"] = configured_or_measured
        traits = RuleTraits(self.resource, self.kind, **TREND_TRAITS | own)
        return self.rule(traits, Assessment, self.assess, **fields)

    def assess(self, inputs: Any) -> Assessment:
        """Compare the last week with the days before."""
        found = trend(
            inputs.recent,
            inputs.usual,
            self.unit,
            what=self.what,
            wrong=self.wrong,
            arithmetic=tuple(
                line.replace("RECENT", figure(inputs.recent)) for line in self.arithmetic
            ),
            least_step=self.least_step,
        )
        own = tuple(line.replace("TREND_RATIO", str(TREND_RATIO)) for line in self.caveats)
        caveats = own or (NO_LEVEL,)
        if self.estate and inputs.configured != inputs.recent:
            caveats += self.caveats_measured
        return found.model_copy(update={"caveats": caveats})


_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _rows() -> Iterator[Threshold | Trend]:
    document = yaml.load(FILE.read_text("utf-8"), Loader=_LOADER)  # noqa: S506 - one of the two safe
    for topic, rows in document.items():
        for row in rows:
            yield (Threshold if "limit" in row else Trend)(topic=topic, **row)


for _row in _rows():
    register(_row.as_rule())
