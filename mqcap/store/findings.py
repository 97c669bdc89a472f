"""Findings of the rules by site day, and the days that have some."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Final

from sqlalchemy import Engine, func, select

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.names.short_names import names_meant, names_within, near_names
from mqcap.store.database import writing
from mqcap.store.day_documents import FINDINGS
from mqcap.store.fetch import distinct_dates, fetch_all, fetch_value, fetch_values, is_within
from mqcap.store.models import FindingSummary
from mqcap.store.problems import invalidate_problems
from mqcap.store.tables import CrossingRow, FindingRow, ObservationRow, ProblemDateRow
from mqcap.store.upsert import key_batches

_NAMES_MAX: Final = 8
_ORDER: Final = (FindingRow.rule_id, FindingRow.subject)


def replace_findings(engine: Engine, site_date: date, findings: Iterable[Finding]) -> int:
    """Make these the only findings of a day, whose problems become invalid. Returns how many."""
    with writing(engine, FindingRow, ProblemDateRow) as connection:
        invalidate_problems(connection, site_date)
        return FINDINGS.put(connection, site_date, site_date, FINDINGS.rows(findings))


def read_findings(engine: Engine, site_date: date) -> list[Finding]:
    """Return all findings of a day, by rule and subject."""
    return FINDINGS.read(engine, FindingRow.site_date == site_date, order=_ORDER)


def findings_about(engine: Engine, site_date: date, subjects: Iterable[str]) -> list[Finding]:
    """Return the findings of a day on these subjects alone, without their parts, in any order."""
    of_day = FindingRow.site_date == site_date
    return [
        finding
        for batch in key_batches(subjects)
        for finding in FINDINGS.read(engine, of_day, FindingRow.subject.in_(batch))
    ]


def urgent_findings(engine: Engine, site_date: date) -> list[Finding]:
    """Return the findings of a day at Act or Watch, in any order."""
    urgent = FindingRow.severity.in_((Severity.act.value, Severity.watch.value))
    return FINDINGS.read(engine, FindingRow.site_date == site_date, urgent)


def findings_below(engine: Engine, site_date: date, subject: str) -> list[Finding]:
    """Return the findings of a day on a subject and on its parts, by rule and subject."""
    of_day = FindingRow.site_date == site_date
    return FINDINGS.read(engine, of_day, is_within(FindingRow.subject, subject), order=_ORDER)


def read_finding_summaries(
    engine: Engine, site_date: date
) -> dict[tuple[str, str], FindingSummary]:
    """Return a summary of each finding of a day by rule and subject; empty without findings."""
    finding, crossing = FindingRow, CrossingRow
    facts = (finding.severity, finding.headroom_ratio, crossing.expected_date, finding.unit)
    same = (crossing.rule_id == finding.rule_id) & (crossing.subject == finding.subject)
    same &= crossing.cutoff_date == finding.site_date
    joined = select(finding.rule_id, finding.subject, *facts).outerjoin(crossing, same)
    statement = joined.where(finding.site_date == site_date)
    graded: dict[str, Severity] = {str(severity): severity for severity in Severity}
    return {
        (rule_id, subject): FindingSummary(graded[severity], headroom, expected, unit or "")
        for rule_id, subject, severity, headroom, expected, unit in fetch_all(engine, statement)
    }


def count_findings(engine: Engine, site_date: date) -> int:
    """Return the number of findings of a day."""
    statement = select(func.count()).where(FindingRow.site_date == site_date)
    return fetch_value(engine, statement) or 0


def latest_site_date(engine: Engine) -> date | None:
    """Return the last day with findings, else with observations; ``None`` in an empty store."""
    latest, observed = (func.max(table.site_date) for table in (FindingRow, ObservationRow))
    return fetch_value(engine, select(latest)) or fetch_value(engine, select(observed))


def finding_dates(
    engine: Engine, first: date | None = None, last: date | None = None
) -> list[date]:
    """Return the days that have findings, from ``first`` to ``last`` (both included), in order."""
    return fetch_values(engine, distinct_dates(FindingRow.site_date, first, last))


def previous_findings_date(engine: Engine, site_date: date) -> date | None:
    """Return the last day before ``site_date`` that has findings."""
    return FINDINGS.last_day_before(engine, site_date)


def next_findings_date(engine: Engine, site_date: date) -> date | None:
    """Return the first day after ``site_date`` that has findings."""
    column = FindingRow.site_date
    return fetch_value(engine, select(func.min(column)).where(column > site_date))


def day_or_latest(engine: Engine, day: datetime | date | None) -> date:
    """Return the day that was asked for, else the latest one; ConfigurationError without any."""
    if day is not None:
        return day.date() if isinstance(day, datetime) else day
    latest = latest_site_date(engine)
    if latest is None:
        raise ConfigurationError(
            "no day to work on: the store holds no observations",
            remedy="Load something first: mqcap load FILE, or put files into the inbox.",
        )
    return latest


def require_findings(engine: Engine, day: date) -> list[Finding]:
    """Return all findings of a day, as ``read_findings``; ConfigurationError without any."""
    findings = read_findings(engine, day)
    if not findings:
        days = finding_dates(engine)
        last = f" to {days[-1]}" if len(days) > 1 else ""
        raise ConfigurationError(
            f"no rule was evaluated on {day}",
            found=f"findings of {days[0]}{last}" if days else "a store without findings",
            expected="a day with findings",
            remedy=f"Run the day first: mqcap run --day {day}, or choose another day.",
        )
    return findings


def finding_meant(engine: Engine, day: date, rule_id: str, subject: str) -> Finding:
    """Return the finding of a day that ``require_finding`` finds among all; raises as it does."""
    for finding in findings_about(engine, day, [subject]):
        if finding.rule_id == rule_id:
            return finding
    return require_finding(require_findings(engine, day), rule_id, subject)


def require_finding(findings: Sequence[Finding], rule_id: str, subject: str) -> Finding:
    """Return the finding of one rule and subject, both in any case.

    ``subject`` may end a path (``CSQ1``) or own what the rule looks at (``PLEX1/CSQ1/CHINIT``),
    where the rule has one such. Raises ConfigurationError that names what there is instead.
    """
    [rule, *_] = names_meant(rule_id, (finding.rule_id for finding in findings)) or [""]
    of_rule: dict[str, Finding] = {
        finding.subject: finding for finding in findings if finding.rule_id == rule
    }
    subjects = names_meant(subject, of_rule) or names_within(subject, of_rule)
    if len(subjects) == 1:
        return of_rule[subjects[0]]
    if of_rule:
        near = subjects or [*near_names(subject, of_rule), *of_rule]
        expected = f"a subject of this rule: {_some(near)}"
    else:
        expected = _rules(findings, rule_id, subject)
    raise ConfigurationError("no such finding", found=f"{rule_id} {subject}", expected=expected)


def _rules(findings: Sequence[Finding], rule_id: str, subject: str) -> str:
    every = sorted({finding.rule_id for finding in findings})
    if near := near_names(rule_id, every):
        return f"a rule with findings: {_some(near)}"
    subjects = set(names_meant(subject, (finding.subject for finding in findings)))
    if rules := [finding.rule_id for finding in findings if finding.subject in subjects]:
        return f"a rule of this subject: {_some(rules)}"
    return f"a rule with findings: {_some(every)}"


def _some(names: Iterable[str]) -> str:
    names = list(dict.fromkeys(names))
    more = len(names) - _NAMES_MAX
    return " ".join(names[:_NAMES_MAX]) + (f" and {more} more" if more > 0 else "")
