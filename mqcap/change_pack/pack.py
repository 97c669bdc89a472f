"""A change pack: control statements for chosen findings, as text to be reviewed.

Nothing here is ever executed. What only the site knows (data set names, volumes, job cards)
is written as ``++NAME++``, so that a statement fails until somebody has replaced it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import Final

from mqcap.change_pack.logs import log_needs, log_plan, log_statements
from mqcap.change_pack.operands import unverified
from mqcap.change_pack.playbooks import playbook
from mqcap.change_pack.statements import needs_of, statements
from mqcap.change_pack.targets import RequestedChange, Target
from mqcap.domain.crossing import Crossing
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Change, Finding, Severity
from mqcap.presentation.crossing_text import crossing_text
from mqcap.store.crossings import read_crossings
from mqcap.store.database import Store
from mqcap.store.findings import require_finding, require_findings

WIDTH: Final = 71
"""Last column of a statement; 72 to 80 belong to continuation and sequence numbers."""
CHOSEN: Final = frozenset({Severity.act, Severity.watch})
PREFIX: Final = "//* "

_HEADER: Final = (
    "CHANGE PACK FOR REVIEW. It was never executed and never syntax-checked on z/OS.",
    "Replace everything between ++ and ++: data set names, volumes, job cards, policy names.",
    "Take the parts that you approve; nothing here is one job.",
    "DASD and storage that a change needs are its side effects: see that they exist first.",
)


def change_pack(engine: Store, day: date, chosen: Sequence[tuple[str, str]] = ()) -> str:
    """Return statements for the chosen (rule, subject) pairs, else for findings to act on or watch.

    Changes of one target that several findings recommend are written once, large enough for all.

    Raises:
        ConfigurationError: the day was not evaluated, or a chosen finding does not exist.
    """
    findings = require_findings(engine, day)
    if chosen:
        findings = [require_finding(findings, *pair) for pair in dict.fromkeys(chosen)]
    else:
        findings = [finding for finding in findings if finding.severity in CHOSEN]
    requested = [change for finding in findings for change in _requested(finding)]
    requested.sort(key=_order)
    lines = [*_comment(_HEADER), *_comment([f"Day: {day}; findings: {len(findings)}."])]
    crossings = read_crossings(engine, day)
    dates = {(crossing.rule_id, crossing.subject): crossing for crossing in crossings}
    groups = [
        (target, list(group)) for target, group in groupby(requested, lambda change: change.target)
    ]
    lines += _contents([target for target, _ in groups])
    for number, (target, changes) in enumerate(groups, 1):
        lines += _reasons(number, target, changes, dates)
        lines += _before(target, changes)
        lines += _statements(target, changes)
        lines += _after(target)
    lines += _without_change(findings)
    return "\n".join(lines)


def pairs(arguments: Sequence[str]) -> list[tuple[str, str]]:
    """Return ``RULE SUBJECT RULE SUBJECT ...`` as pairs.

    Raises:
        ConfigurationError: a rule comes without its subject.
    """
    if len(arguments) % 2:
        raise ConfigurationError(
            "a rule comes without its subject",
            found=" ".join(arguments),
            expected="pairs such as LOG-FILL-30MIN PLEX1/CSQ1",
        )
    return list(zip(arguments[::2], arguments[1::2], strict=True))


def _requested(finding: Finding) -> Iterator[RequestedChange]:
    for change in finding.changes:
        yield RequestedChange(Target.of(finding.subject, change.amount), finding, change)


def _order(requested: RequestedChange) -> tuple[object, ...]:
    """Return the sort key: what needs no stop first, then by name, one target together."""
    rank = playbook(requested.target.topic).rank
    return (rank, requested.target, requested.finding.rule_id, requested.finding.subject)


def _contents(targets: Sequence[Target]) -> Iterator[str]:
    """Yield the order of the changes and when each can be made."""
    if targets:
        yield PREFIX.rstrip()
        yield from _comment(["Order:"])
    for number, target in enumerate(targets, 1):
        yield from _comment([f"{number}. {target.heading}: {playbook(target.topic).when}"])


def _before(target: Target, changes: Sequence[RequestedChange]) -> Iterator[str]:
    """Yield what to check first, the steps, and what the change takes."""
    plan = playbook(target.topic)
    yield from _listed("check first", plan.checks)
    yield from _listed("operands to be checked, found in no document", [*unverified(target.topic)])
    yield from _listed("steps", plan.steps)
    needs = log_needs(log_plan(target.owner, changes)) if target.topic == "logs" else ()
    yield from _listed("it takes", (*needs, *needs_of(target, changes)))


def _after(target: Target) -> Iterator[str]:
    yield from _listed("back out", playbook(target.topic).back_out)


def _listed(heading: str, sentences: Sequence[str]) -> Iterator[str]:
    if sentences:
        yield from _comment([f"{heading}:"])
        yield from _comment(f"{number}. {line}" for number, line in enumerate(sentences, 1))


def _statements(target: Target, changes: Sequence[RequestedChange]) -> Iterator[str]:
    if target.topic == "logs":
        return log_statements(log_plan(target.owner, changes))
    return statements(target, changes)


def _reasons(
    number: int,
    target: Target,
    changes: Iterable[RequestedChange],
    dates: Mapping[tuple[str, str], Crossing],
) -> Iterator[str]:
    yield ""
    yield from _comment([f"{'=' * 8} {number}. {target.heading} {'=' * 8}"])
    for finding in {id(change.finding): change.finding for change in changes}.values():
        yield from _comment(
            [
                f"{finding.rule_id} ({finding.severity}): {finding.summary}",
                f"source: {finding.citation}",
                *finding.arithmetic,
                *_dates(finding, dates.get((finding.rule_id, finding.subject))),
                *(f"change: {_side(change)}" for change in finding.changes),
                *(f"note: {caveat}" for caveat in finding.caveats),
            ]
        )


def _side(change: Change) -> str:
    side = f" Side effects: {change.side_effects}" if change.side_effects else ""
    typed = f" [{change.typed}]" if change.typed else ""
    return f"{change.action}{typed}{side}"


def _dates(finding: Finding, crossing: Crossing | None) -> list[str]:
    if crossing is None:
        return []
    text = str(crossing_text(crossing, finding))
    if crossing.breached_since is not None:
        return [text]
    if crossing.earliest_date is None:
        return []
    return [f"to be done before {crossing.earliest_date}; {text}"]


def _without_change(findings: Iterable[Finding]) -> Iterator[str]:
    in_words = [finding for finding in findings if not finding.changes]
    if in_words:
        yield ""
        yield from _comment([f"{'=' * 8} Findings without a change that can be typed {'=' * 8}"])
    for finding in in_words:
        advice = f"{finding.rule_id} {finding.subject} ({finding.severity}): {finding.advice}"
        yield from _comment([advice])


def _comment(sentences: Iterable[str]) -> Iterator[str]:
    """Yield JCL comments within the columns; a long sentence continues indented."""
    for sentence in sentences:
        width = WIDTH - len(PREFIX)
        for line in textwrap.wrap(sentence, width, subsequent_indent="  "):
            yield f"{PREFIX}{line}"
