"""Entries of the rulebook: calculators, and rules with their limit and series.

An entry has one or more *forms*: an inputs model and a function. The
first form of a rule is the one that the daily run fills by itself.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import InitVar, dataclass, field
from functools import cache, cached_property
from itertools import chain
from typing import Any, ClassVar, Final, TypeVar

from pydantic import BaseModel, ValidationError

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Citation, Severity
from mqcap.domain.metric import Direction, SubjectKind
from mqcap.domain.resource import HeatColumn, Resource, ResourceKind, resource_of
from sizing.rulebook.assessment import Assessment
from sizing.rulebook.input_sources import FromMetric, ScalesWith, ValueSource

Figures = Mapping[str, Any]
"""Named results of a calculator; the names carry the units."""
Function = Callable[..., BaseModel | Figures]
Source = TypeVar("Source")
ValuesByName = Mapping[str, object]
"""Values of inputs by name, as far as they were found."""


@dataclass(frozen=True)
class Form:
    """Inputs and the function that turns them into figures."""

    inputs: type[BaseModel]
    function: Function
    takes_model: bool

    @property
    def names(self) -> dict[str, bool]:
        """Names of the inputs as callers write them, and whether each is required."""
        fields = self.inputs.model_fields.items()
        return {field.alias or name: field.is_required() for name, field in fields}

    def fits(self, names: set[str]) -> bool:
        """Return whether this form takes exactly these names."""
        required = {name for name, needed in self.names.items() if needed}
        return required <= names <= set(self.names)

    def run(self, inputs: BaseModel) -> BaseModel | Figures:
        """Return the result for validated inputs."""
        if self.takes_model:
            return self.function(inputs)
        return self.function(**{name: getattr(inputs, name) for name in type(inputs).model_fields})

    def answer(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Validate, run, and return plain named figures."""
        result = self.run(self.inputs.model_validate(values))
        return result.model_dump() if isinstance(result, BaseModel) else dict(result)


@dataclass(frozen=True)
class Entry:
    """Inputs to figures, without a limit; a rule has one besides, and is evaluated daily."""

    id: str
    title: str
    citation: Citation
    forms: tuple[Form, ...]
    topic: str
    """Name of the module that holds it, such as ``log_fill``."""
    explanation: str
    """The docstring of the first form's function: how the limit is read."""
    kind: ClassVar[str] = "calculator"

    def answer(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the figures for named values, by the first form that takes them.

        IBM's own field names may be in upper case, as MP16 prints them.

        Raises:
            ConfigurationError: no form takes these inputs, or a value is out of range.
        """
        by_name = {name.lower(): value for name, value in values.items()}
        problem = ""
        for form in self.forms:
            if not form.fits(set(by_name)):
                continue
            try:
                return form.answer(by_name)
            except ValidationError as error:
                problem = "; ".join(
                    f"{'.'.join(str(part) for part in item['loc'])}: {item['msg']}"
                    for item in error.errors()
                )
        asked = [" ".join(form.names) for form in self.forms]
        raise ConfigurationError(
            problem or f"{self.id} cannot be answered from these inputs",
            found=" ".join(sorted(by_name)) or "nothing",
            expected=" or ".join(asked),
        )


NOT_MEASURED: Final = (
    "the site configures the figure; no record carries it daily, so none is forecast"
)
SUBJECT: Final = "subject"
"""Under this name ``applies`` finds the path of the subject among the values."""


def always(values: ValuesByName) -> bool:  # noqa: ARG001 - the shape of every ``applies``
    """Return true: every subject has such a resource."""
    return True


def only_with(*names: str) -> Callable[[ValuesByName], bool]:
    """Return a condition: one of these inputs is known, so the site has such a resource.

    A site is not asked about resources that it does not have, so their presence is data.
    """

    def applies(values: ValuesByName) -> bool:
        return any(values.get(name) not in {None, "no"} for name in names)

    return applies


@dataclass(frozen=True)
class RuleTraits:
    """Traits of a rule that a calculator does not have.

    ``of`` is the kind of its subjects, where that is not the one that has such a resource.
    """

    subject_kind: SubjectKind = field(init=False)
    resource: ResourceKind
    """What has to be changed when the rule is in breach; rules of one resource share a plan."""
    of: InitVar[SubjectKind | None] = None
    watches: str | None = None
    """The input whose series is compared with the limit ahead; ``None``: none is."""
    also_of: tuple[SubjectKind, ...] = ()
    """Further kinds of subjects that it is evaluated for, where their metrics are measured."""
    undated: str = ""
    """Reason why no date is forecast although a metric is measured; its series is not forecast."""
    applies: Callable[[ValuesByName], bool] = always
    """Condition on the values that were found for the rule to be evaluated at all."""
    breach_severity: Severity = Severity.act
    """Urgency of a breach: ``watch`` for recommendations and early warnings."""
    graded: bool = True
    """Small headroom counts; ``False`` for settings that are either right or not."""
    limit_is_own_past: bool = False
    """True where the limit is computed from the same series: no headroom is stated, since nothing
    runs out."""
    is_event: bool = False
    """True where a breach is something that happened: a plan cannot undo it, so it is no rule that
    a plan keeps, but it is reported first."""
    fault: str = ""
    """The title of a breach, where the rule's title names the aim; empty: its title fits both."""
    amounts: tuple[str, ...] = ()
    """Kinds of amounts that its recommended changes can end in; empty: it advises in words."""
    first_step: str = ""
    """Reason why the advised figure can only be tried and measured; empty: it is sufficient."""
    superseded_by: str = ""
    """The rule that reports the same cause first: this one is suppressed while that one reports at
    least the same severity."""
    observed_name: str = ""
    """What the observed figure is, where "observed" would mislead: ``allowed``."""
    limit_name: str = ""
    """What the limit is, in the same way: ``scheduled``; both or none."""
    longest: float = math.inf
    """The longest time, in the unit of the observed figure, that differs from one without end: a
    result as long as that, or twice its limit where that is longer, is "or more"."""
    column: HeatColumn | None = None
    """Column of the heat table, where it is not that of the resource: a CF processor that is busy
    because of what applications do."""

    def __post_init__(self, of: SubjectKind | None) -> None:
        """Take the kind of subject from the resource, unless it is given."""
        object.__setattr__(self, "subject_kind", of or self.resource.subject_kind)


@dataclass(frozen=True)
class Rule(Entry):
    """A limit that is compared daily and, when it watches a series, with its forecast."""

    traits: RuleTraits
    result: type[Assessment]
    kind = "rule"

    @property
    def inputs(self) -> type[BaseModel]:
        """Inputs of the daily evaluation."""
        return self.forms[0].inputs

    @cached_property
    def series(self) -> FromMetric | None:
        """Metric and statistic whose forecast is compared with the limit."""
        if self.traits.watches is None:
            return None
        marks = value_sources_of(self.inputs)[self.traits.watches]
        return next(mark for mark in marks if isinstance(mark, FromMetric))

    @property
    def forecast_series(self) -> FromMetric | None:
        """The series, when a forecast of it is used for this rule."""
        return None if self.traits.undated else self.series

    @property
    def why_undated(self) -> str:
        """Reason why no date of crossing is forecast; empty when one is."""
        if self.forecast_series is not None:
            return ""
        return self.traits.undated or NOT_MEASURED

    @property
    def direction(self) -> Direction:
        """The side of the limit on which values are in breach."""
        return self.result.direction

    @property
    def series_direction(self) -> Direction:
        """The side of its limit on which the watched series is in breach."""
        return self.result.series_direction or self.direction

    @property
    def strict(self) -> bool:
        """True where a value exactly at the limit is allowed."""
        return self.result.strict

    def resource_of(self, subject: str) -> Resource:
        """Return the resource that has to be changed when this rule of a subject is in breach."""
        return resource_of(self.traits.resource, subject)

    @property
    def column(self) -> HeatColumn:
        """The column of the heat table with this rule's findings."""
        return self.traits.column or self.traits.resource.column

    def applies_to(self, values: ValuesByName, subject: str = "") -> bool:
        """Return whether this rule is evaluated for this subject."""
        return self.traits.applies({**values, SUBJECT: subject})

    def assess(self, inputs: BaseModel) -> Assessment:
        """Return observed against limit for validated inputs."""
        assessment = self.forms[0].run(inputs)
        assert isinstance(assessment, Assessment)  # noqa: S101 - checked when registered
        return assessment


@cache
def value_sources_of(inputs: type[BaseModel]) -> Mapping[str, tuple[ValueSource, ...]]:
    """Return the sources of each input, in order of precedence."""
    return {
        name: tuple(mark for mark in field.metadata if isinstance(mark, ValueSource))
        for name, field in inputs.model_fields.items()
    }


@cache
def scaled_with(inputs: type[BaseModel], name: str) -> frozenset[str]:
    """Return the inputs that declare that they grow in proportion with the named one."""
    return frozenset(
        other for other, field in inputs.model_fields.items() if ScalesWith(name) in field.metadata
    )


def sources_of(inputs: type[BaseModel], kind: type[Source]) -> tuple[Source, ...]:
    """Return the sources of one kind, of all inputs."""
    marks = chain.from_iterable(value_sources_of(inputs).values())
    return tuple(mark for mark in marks if isinstance(mark, kind))
