"""Recommendation of a finding as a text."""

from __future__ import annotations

from typing import Final

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.numbers import percent
from mqcap.presentation.crossing_text import crossing_text

CHANGES_MAX: Final = 2
"""Changes named in a text; all are listed with the finding."""


def recommendation(finding: Finding, crossing: Crossing | None) -> str:
    """Return what to do: the missing inputs, the first changes, or the advice."""
    if finding.missing:
        return f"Needs: {'; '.join(finding.missing)}"
    actions = [
        f"{change.action} {change.typed}".strip().rstrip(".") + "." for change in finding.changes
    ]
    return " ".join(actions[:CHANGES_MAX]) or advice(finding, crossing)


def advice(finding: Finding, crossing: Crossing | None) -> str:
    """Return the advice of the rule, which is about the measured day alone.

    What is graded ``act`` or ``watch`` before its limit is passed has no change yet, and the
    reason for its grade in place of "nothing to change".
    """
    if finding.changes or finding.breach is not False:
        return finding.advice
    if finding.severity not in {Severity.act, Severity.watch}:
        return finding.advice
    if crossing is not None and crossing.state is CrossingState.will_cross:
        return f"No change yet: {crossing_text(crossing, finding).headline}."
    return f"No change yet: {percent(finding.headroom_ratio)} headroom."
