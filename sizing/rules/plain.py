"""Rules of ``plain_rules.yaml``: one figure against a fixed limit or against its own past.

A row says all that such a rule is; its keys are the fields of `Threshold` and `Trend`, below
``console_states`` those of `Reported`, below ``losses`` those of `Survivor`. A rule that computes
its limit, changes an operand or reads a second figure is code of its own.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import yaml
from pydantic import BaseModel, Field, create_model

from mqcap.domain.console.states import where_reported
from mqcap.domain.finding import Severity
from mqcap.domain.metric import Statistic, SubjectKind
from mqcap.domain.numbers import counted, figure, quantity
from mqcap.domain.resource import HeatColumn, ResourceKind
from mqcap.domain.units import SECONDS_PER_HOUR, Amount, Count
from sizing import sources
from sizing.rulebook.assessment import Assessment, Falling, Inputs, Reaching
from sizing.rulebook.entry import Form, Function, Rule, RuleTraits, ValuesByName, only_with
from sizing.rulebook.input_sources import FromConsole, FromEstate, FromLoss, FromMetric, Over
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
OF_LOSSES: Final = (
    "That the limit must hold after a loss is ours; the same limit without a loss is another rule.",
    "The survivor that decides is named; `mqcap lose` has all of them.",
)


class _Row(BaseModel, frozen=True, extra="forbid"):
    """What all kinds of rows have."""

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
    wrong: str
    """Advice for a breach."""
    superseded_by: str = ""
    column: HeatColumn | None = None

    def rule(
        self,
        traits: RuleTraits,
        result: type[Assessment],
        function: Function,
        base: type[Inputs] = Inputs,
        **fields: Any,
    ) -> Rule:
        """Return the rule whose inputs have these fields."""
        [(document, section)] = self.cite.items()
        inputs = create_model(f"{self.id}_inputs", __base__=base, **fields)
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


class _Measured(_Row):
    """What the rows about a metric have."""

    metric: str
    statistic: Statistic = Statistic.peak
    record: str
    unit: str
    most: int | None = None
    """Largest possible value."""
    positive: bool = False
    """0 is no possible value."""
    arithmetic: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()

    def field(self, *marks: object) -> Any:
        """Return the declaration of an input that is not negative, with its sources."""
        more_than, least = (0, None) if self.positive else (None, 0)
        return Annotated[(float, Field(gt=more_than, ge=least, le=self.most), *marks)], ...


class Most(BaseModel, frozen=True, extra="forbid"):
    """A second figure, which is the limit."""

    input: str
    metric: str
    record: str
    stated_only: bool = False
    """Where it is not known, nothing is asked."""


class Threshold(_Measured):
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


class Trend(_Measured):
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
                line.format(
                    recent=figure(inputs.recent),
                    recent_h=figure(inputs.recent * SECONDS_PER_HOUR),
                    usual_h=figure(inputs.usual * SECONDS_PER_HOUR),
                )
                for line in self.arithmetic
            ),
            least_step=self.least_step,
        )
        own = tuple(line.replace("TREND_RATIO", str(TREND_RATIO)) for line in self.caveats)
        caveats = own or (NO_LEVEL,)
        if self.estate and inputs.configured != inputs.recent:
            caveats += self.caveats_measured
        return found.model_copy(update={"caveats": caveats})


class Reported(_Row):
    """What consoles and error logs reported of a kind of resource.

    Which messages count, and how grave they are, is in the catalogues of their readers.
    """

    limit_is: str = "One state that is reported on the day is a breach (ours): it happened."
    when_over: str = ""
    """Advice where messages have ended all states of the day; empty: the same as before."""

    def as_rule(self) -> Rule:
        """Return the rule of this row."""
        traits = RuleTraits(
            resource=self.resource,
            undated=EVENT,
            graded=False,
            is_event=True,
            applies=only_with("states"),
            superseded_by=self.superseded_by,
        )
        states = Annotated[Count, FromConsole()], ...
        return self.rule(traits, Assessment, self.assess, states=states)

    def assess(self, inputs: Any) -> Assessment:
        """Return the states of the day, of which each is a breach."""
        where = where_reported(self.id)
        return Assessment(
            observed=inputs.states,
            limit=0,
            unit="states",
            summary=f"{counted(inputs.states, 'state')} reported {where}.",
            arithmetic="limit: none on the day; each one that is reported is a breach",
            advice=f"Nothing to change: nothing of it was reported {where} that day.",
        ).past_limit(self.wrong)


class SurvivorFigures(Inputs):
    """The figure of the survivor that decides, and its limit."""

    with_load: Annotated[Amount, FromLoss("the figure with the load of what is lost")]
    limit: Annotated[Amount, FromLoss("the limit of the survivor")]
    survivor: Annotated[str | None, FromLoss("the survivor that decides")] = None


class Survivor(_Row):
    """A limit of the survivors when a coupling facility or a member of a group is lost (N-1).

    The figure is computed for the survivor that decides, with the load of what is lost; the limit
    is that of the survivor's own rule. That it must hold after a loss is ours.
    """

    resource: ResourceKind = ResourceKind.loss
    unit: str
    words: str
    """What the figure is."""
    breach: str = "above"
    figures: tuple[str, str] | None = None
    """What the figure and its limit are in words; else it is the one of the other."""
    severity: Severity = Severity.watch

    def as_rule(self) -> Rule:
        """Return the rule of this row."""
        traits = RuleTraits(
            resource=self.resource,
            of=self.kind,
            undated="the day on which a survivor fails is part of the loss (mqcap lose)",
            applies=only_with("with_load"),
            breach_severity=self.severity,
            graded=False,
        )
        return self.rule(traits, RESULTS[self.breach], self.assess, SurvivorFigures)

    def assess(self, inputs: SurvivorFigures) -> Assessment:
        """Compare the figure of the survivor with its limit."""
        where = f"{inputs.survivor}: " if inputs.survivor else ""
        first, second = (quantity(number, self.unit) for number in (inputs.with_load, inputs.limit))
        figures = f"{first} of {second}"
        if self.figures is not None:
            figures = f"{first} {self.figures[0]}, {second} {self.figures[1]}"
        return RESULTS[self.breach](
            observed=inputs.with_load,
            limit=inputs.limit,
            unit=self.unit,
            summary=f"when it is lost, {where}{self.words} {figures}.",
            arithmetic=f"with the load of what is lost: {figures}",
            advice=self.wrong,
            caveats=OF_LOSSES,
        )


_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_OF_TOPIC: Final = {"console_states": Reported, "losses": Survivor}


def _rows() -> Iterator[Threshold | Trend | Reported | Survivor]:
    document = yaml.load(FILE.read_text("utf-8"), Loader=_LOADER)  # noqa: S506 - one of the two safe
    for topic, rows in document.items():
        for row in rows:
            kind = _OF_TOPIC.get(topic) or (Threshold if "limit" in row else Trend)
            yield kind(topic=topic, **row)


ROWS: Final = tuple(_rows())
ADVICE_WHEN_OVER: Final = {
    row.id: row.when_over for row in ROWS if isinstance(row, Reported) and row.when_over
}
"""By rule: what to do where messages have ended all states of the day."""
for _row in ROWS:
    register(_row.as_rule())
