"""The rulebook: every rule and calculator under its catalogue id.

Modules under ``sizing/rules`` and ``sizing/calculators`` register themselves with these
decorators when they are imported, and ``sizing/rules/plain.py`` the rows of its table; two entries
with one id are an error at import.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any, Concatenate, Final, ParamSpec, get_type_hints

from pydantic import BaseModel, ConfigDict, create_model

from mqcap.domain import discovery
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Citation
from mqcap.domain.metric import Statistic
from sizing.rulebook.assessment import Assessment
from sizing.rulebook.entry import Entry, Form, Function, Rule, RuleTraits, sources_of
from sizing.rulebook.input_sources import FromHours, FromMetric
from sizing.rulebook.site_rules import site_rule

Traits = ParamSpec("Traits")
"""The parameters of ``RuleTraits``."""
Decorator = Callable[[Function], Function]

_entries: Final[dict[str, Entry]] = {}
_forms: Final[dict[str, tuple[Form, ...]]] = {}
"""Further forms of entries whose module has not been loaded yet."""


def _rule_with(
    traits_of: Callable[Traits, RuleTraits],
) -> Callable[Concatenate[str, str, Citation, Traits], Decorator]:
    def rule(
        identity: str,
        title: str,
        citation: Citation,
        /,
        *args: Traits.args,
        **traits: Traits.kwargs,
    ) -> Decorator:
        """Register the decorated function as the assessment of a rule with these traits."""

        def registered(function: Function) -> Function:
            result = get_type_hints(function)["return"]
            if not (isinstance(result, type) and issubclass(result, Assessment)):
                found = repr(result)
                raise ConfigurationError(f"{identity} must return an Assessment", found=found)
            entry = _entry(identity, title, citation, function)
            register(Rule(**entry, traits=traits_of(*args, **traits), result=result))
            return function

        return registered

    return rule


rule: Final = _rule_with(RuleTraits)


def calculator(identity: str, title: str, citation: Citation) -> Decorator:
    """Register the decorated function as a calculator."""

    def registered(function: Function) -> Function:
        register(Entry(**_entry(identity, title, citation, function)))
        return function

    return registered


def _entry(identity: str, title: str, citation: Citation, function: Function) -> dict[str, Any]:
    return {
        "id": identity,
        "title": title,
        "citation": citation,
        "forms": (_form(function),),
        "topic": function.__module__.rpartition(".")[2],
        "explanation": inspect.getdoc(function) or "",
    }


def register(entry: Entry) -> None:
    """Add an entry; raises ConfigurationError where its id is taken."""
    if entry.id in _entries:
        raise ConfigurationError("two rules share one id", found=f"{entry.id} in {entry.topic}")
    _entries[entry.id] = replace(entry, forms=(*entry.forms, *_forms.pop(entry.id, ())))


def form_of(identity: str) -> Decorator:
    """Register the decorated function as a further form of an id of this or another module."""

    def registered(function: Function) -> Function:
        entry = _entries.get(identity)
        if entry is None:
            _forms[identity] = (*_forms.get(identity, ()), _form(function))
        else:
            _entries[identity] = replace(entry, forms=(*entry.forms, _form(function)))
        return function

    return registered


@cache
def entries() -> Mapping[str, Entry]:
    """Return everything registered, by id."""
    _load()
    return MappingProxyType(dict(sorted(_entries.items())))


class RuleBook(Mapping[str, Rule]):
    """Rules by id; those of figures that a site declares are found too, but are not listed."""

    def __init__(self, rules: Mapping[str, Rule]) -> None:
        """Hold the rules of documents."""
        self._rules = rules

    def __getitem__(self, identity: str) -> Rule:
        """Return a rule; raises KeyError where no rule has this id."""
        found = self._rules.get(identity) or site_rule(identity)
        if found is None:
            raise KeyError(identity)
        return found

    def __iter__(self) -> Iterator[str]:
        """Yield the ids of the rules of documents, in order."""
        return iter(self._rules)

    def __len__(self) -> int:
        """Return the number of rules of documents."""
        return len(self._rules)


@cache
def all_rules() -> Mapping[str, Rule]:
    """Return the rules by id."""
    rules = {name: entry for name, entry in entries().items() if isinstance(entry, Rule)}
    return RuleBook(rules)


def longest_look_back() -> int:
    """Return the days of the longest window that a rule declares; 0 when none declares one."""
    marks = (
        mark for entry in all_rules().values() for mark in sources_of(entry.inputs, FromMetric)
    )
    return max((mark.days or 0 for mark in marks), default=0)


def watched() -> frozenset[tuple[str, Statistic]]:
    """Return the metrics and statistics whose forecast some rule compares with its limit."""
    series = (entry.forecast_series for entry in all_rules().values())
    return frozenset((mark.metric, mark.statistic) for mark in series if mark is not None)


def metrics_by_hour() -> frozenset[str]:
    """Return the metrics of which some rule reads the busiest hours."""
    marks = (mark for entry in all_rules().values() for mark in sources_of(entry.inputs, FromHours))
    return frozenset(mark.metric for mark in marks)


def get(identity: str) -> Entry:
    """Return the rule or calculator of that id.

    Raises:
        ConfigurationError: there is none.
    """
    registered = entries()
    if identity not in registered:
        raise ConfigurationError(
            "no such rule", found=identity, expected="an id of the catalogue, such as CF-BUSY-N"
        )
    return registered[identity]


@cache
def _load() -> None:
    from sizing import calculators, rules  # noqa: PLC0415 - they import this module

    discovery.load_all(rules)
    discovery.load_all(calculators)
    if _forms:
        raise ConfigurationError("a form names an id that is not registered", found=min(_forms))


def _form(function: Function) -> Form:
    """Return a form: its inputs are the one model that the function takes, or its parameters."""
    hints = get_type_hints(function, include_extras=True)
    parameters = inspect.signature(function).parameters
    first = hints[next(iter(parameters))]
    if isinstance(first, type) and issubclass(first, BaseModel):
        return Form(inputs=first, function=function, takes_model=True)
    fields: dict[str, Any] = {
        name: (hints[name], ... if parameter.default is parameter.empty else parameter.default)
        for name, parameter in parameters.items()
    }
    model = create_model(
        f"{function.__name__}_inputs", __config__=ConfigDict(frozen=True, extra="forbid"), **fields
    )
    return Form(inputs=model, function=function, takes_model=False)
