"""Find stored findings for the commands that work on them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final

from mqcap.domain.crossing import Crossing
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Finding
from mqcap.store.database import Store
from mqcap.store.reads import crossings, findings, latest_site_date

_SHOWN_MAX: Final = 8


def newest_or(engine: Store, given: datetime | date | None) -> date:
    """The given day, else the newest one in the store.

    Raises:
        ConfigurationError: none was given and the store is empty.
    """
    if given is not None:
        return given.date() if isinstance(given, datetime) else given
    newest = latest_site_date(engine)
    if newest is None:
        raise ConfigurationError(
            "no day to work on: the store holds no observations",
            remedy="Load something first: mqcap load FILE, or put files into the inbox.",
        )
    return newest


def findings_of(engine: Store, day: date) -> list[Finding]:
    """All findings of a day that was judged.

    Raises:
        ConfigurationError: the day has none.
    """
    found = findings(engine, day)
    if not found:
        raise ConfigurationError(
            f"nothing was judged on {day}",
            remedy=f"Run the day first: mqcap run --day {day}, or choose another day.",
        )
    return found


def one_finding(known: Sequence[Finding], rule_id: str, subject: str) -> Finding:
    """The finding of one rule and subject.

    Raises:
        ConfigurationError: there is none; names what the rule or the subject has instead.
    """
    for finding in known:
        if (finding.rule_id, finding.subject) == (rule_id, subject):
            return finding
    raise ConfigurationError(
        "no such finding",
        found=f"{rule_id} {subject}",
        expected=_alternatives(known, rule_id, subject),
    )


def crossing_for(engine: Store, finding: Finding) -> Crossing | None:
    """The stored crossing of a finding; ``None`` for rules without a date."""
    for crossing in crossings(engine, finding.site_date):
        if (crossing.rule_id, crossing.subject) == (finding.rule_id, finding.subject):
            return crossing
    return None


def _alternatives(known: Sequence[Finding], rule_id: str, subject: str) -> str:
    subjects = [finding.subject for finding in known if finding.rule_id == rule_id]
    rules = [finding.rule_id for finding in known if finding.subject == subject]
    if subjects:
        return f"a subject of this rule: {_some(subjects)}"
    if rules:
        return f"a rule of this subject: {_some(rules)}"
    return f"a rule with findings: {_some(sorted({finding.rule_id for finding in known}))}"


def _some(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN_MAX
    return " ".join(names[:_SHOWN_MAX]) + (f" and {more} more" if more > 0 else "")
