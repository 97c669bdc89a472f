"""Coverage of the time-series rules: dated, measured or typed, and where today's data is."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from mqcap.domain.finding import Finding, Severity
from mqcap.domain.input_source import EstateSource
from mqcap.domain.numbers import counted
from mqcap.presentation.listing import Listing
from sizing.rulebook.entry import Rule, sources_of, value_sources_of
from sizing.rulebook.input_sources import (
    FromConsole,
    FromEstate,
    FromHours,
    FromMetric,
    ValueSource,
)
from sizing.rulebook.registry import all_rules
from sizing.table import rows

TABLE: Final = "time_series"
"""The rules of the documents that compare a series with a limit."""
MEASURED_BY: Final = (FromMetric, FromHours, FromConsole)


class Basis(StrEnum):
    """Where the figure of a rule comes from, and whether it has a date."""

    dated = "dated"
    """A limit compared with a daily forecast."""
    measured = "measured"
    """Measured daily from records, no date: an event, or compared with its own past."""
    typed = "typed"
    """Configured in the estate; no record carries it."""


class CoveredRule(NamedTuple):
    """A time-series rule, what it reads, and its findings of a day."""

    rule: str
    subject_kind: str
    basis: str
    metrics: tuple[str, ...]
    """Metrics that it reads; empty for a typed rule."""
    records: tuple[str, ...]
    """Records and messages that carry them, as far as the rule names them."""
    typed_keys: tuple[str, ...]
    """Keys of the estate that no metric can replace."""
    why_undated: str
    """Reason why it has no date; empty for a dated rule."""
    subjects_with_data: int = 0
    """Subjects judged on the day, whatever the result."""
    subjects_unknown: int = 0
    """Subjects for which an input was missing on the day."""
    subjects_typed: int = 0
    """Subjects judged on the day with a typed figure in place of one that an input carries."""
    live_with: str = ""
    """The input that makes the figure live; empty where none is needed, or no input carries it."""


def time_series_rules() -> tuple[Rule, ...]:
    """Return the rules of ``time_series.csv`` in its order, that of the documents."""
    return tuple(all_rules()[row["rule"]] for row in rows(TABLE))


def basis_of(rule: Rule) -> Basis:
    """Return where the figure of a rule comes from."""
    if rule.forecast_series is not None:
        return Basis.dated
    return Basis.measured if any(sources_of(rule.inputs, of) for of in MEASURED_BY) else Basis.typed


def rules_of_typed_figures(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield the rule of each finding that took a figure of the settings because none is measured.

    A figure of the settings that comes before a measured one is meant so, and does not count.
    """
    for finding in findings:
        rule = all_rules().get(finding.rule_id)
        sources = value_sources_of(rule.inputs) if rule is not None else {}
        typed = (value.name for value in finding.inputs if isinstance(value.origin, EstateSource))
        if any(
            isinstance(mark, MEASURED_BY) for name in typed for mark in sources.get(name, ())[:1]
        ):
            yield finding.rule_id


def coverage(
    severities: Iterable[tuple[str, Severity]] = (), typed: Iterable[str] = ()
) -> list[CoveredRule]:
    """Return the time-series rules with the numbers of their findings.

    ``severities`` are rule and severity of each finding of a day; without any, nothing was seen.
    ``typed`` are the rules of ``rules_of_typed_figures``.
    """
    typed_counts = Counter(typed)
    known: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    for rule_id, severity in severities:
        (unknown if severity is Severity.unknown else known)[rule_id] += 1
    return [
        _covered(rule)._replace(
            subjects_with_data=known[rule.id],
            subjects_unknown=unknown[rule.id],
            subjects_typed=typed_counts[rule.id],
        )
        for rule in time_series_rules()
    ]


def coverage_table(covered: Sequence[CoveredRule]) -> Listing:
    """Return the rules as a table, with the sums below it."""
    return Listing(
        title=counted(len(covered), "time-series rule"),
        headings=("basis", "rule", "subject", "with data", "typed", "unknown", "reads", "keys"),
        rows=tuple(
            (
                rule.basis,
                rule.rule,
                rule.subject_kind.replace("_", " "),
                str(rule.subjects_with_data or "-"),
                str(rule.subjects_typed or "-"),
                str(rule.subjects_unknown or "-"),
                ", ".join(rule.records or rule.metrics) or "-",
                ", ".join(rule.typed_keys) or "-",
            )
            for rule in covered
        ),
        caption="\n".join((*sums(covered), *resting_on_typed(covered))),
        styles={},
        name_count=1,
    )


def sums(covered: Sequence[CoveredRule]) -> Iterator[str]:
    """Yield how many rules are of each basis, and how many had data on the day."""
    by_basis = Counter(rule.basis for rule in covered)
    yield ", ".join(f"{by_basis[basis]} {basis}" for basis in Basis)
    with_data = sum(rule.subjects_with_data > 0 for rule in covered)
    asked = sum(rule.subjects_unknown > 0 and not rule.subjects_with_data for rule in covered)
    yield f"{with_data} with data on the day, {asked} with a missing input only"


def _replacing(inputs: Iterable[tuple[ValueSource, ...]]) -> Iterator[str]:
    """Yield the records of metrics in whose place a figure can be typed."""
    for marks in inputs:
        if any(isinstance(mark, FromEstate) for mark in marks):
            measured = (mark for mark in marks if isinstance(mark, FromMetric | FromHours))
            yield from (mark.record or mark.metric for mark in measured)
            if any(isinstance(mark, FromConsole) for mark in marks):
                yield "messages of the console"


def resting_on_typed(covered: Sequence[CoveredRule]) -> Iterator[str]:
    """Yield a line for each rule that rests on typed figures: the reason, and what would help."""
    for rule in covered:
        if rule.basis == Basis.typed:
            yield f"{rule.rule} rests on typed figures: {rule.why_undated}."
        elif rule.subjects_typed:
            subjects = counted(rule.subjects_typed, "subject")
            yield (
                f"{rule.rule} took typed figures for {subjects}: nothing was measured in the "
                f"window; live with {rule.live_with}."
            )


def _covered(rule: Rule) -> CoveredRule:
    sources = value_sources_of(rule.inputs)
    measured = [m for marks in sources.values() for m in marks if isinstance(m, MEASURED_BY)]
    named = [mark for mark in measured if not isinstance(mark, FromConsole)]
    return CoveredRule(
        rule=rule.id,
        subject_kind=str(rule.traits.subject_kind),
        basis=str(basis_of(rule)),
        metrics=tuple(dict.fromkeys(mark.metric for mark in named)),
        records=tuple(dict.fromkeys(mark.record for mark in named if mark.record)),
        typed_keys=tuple(
            marks[0].key
            for marks in sources.values()
            if len(marks) == 1 and isinstance(marks[0], FromEstate)
        ),
        why_undated=rule.why_undated,
        live_with=" and ".join(dict.fromkeys(_replacing(sources.values()))),
    )
