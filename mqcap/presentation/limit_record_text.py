"""Records of limits, and what they correct, in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mqcap.domain.console.ledger import TOLERANCE_DAYS, LimitRecord
from mqcap.domain.numbers import counted, percent, probability
from mqcap.domain.score import SiteCorrection
from mqcap.presentation.ledger_text import basis_label


def record_lines(records: Sequence[LimitRecord]) -> list[str]:
    """Return a sentence for each limit of which something was due, likely or came.

    The others are counted in one more; empty without any record.
    """
    lines = [_line(record) for record in records if not record.is_quiet]
    quiet = {record.rule_id for record in records if record.is_quiet}
    quiet -= {record.rule_id for record in records if not record.is_quiet}
    if quiet:
        lines.append(
            f"{counted(len(quiet), 'other rule')}: no date was due, nothing was likelier than 1 % "
            "on average, nothing came."
        )
    return lines


def dates_text(record: LimitRecord) -> str:
    """Return how its dates have done."""
    if not record.due_count:
        return "no date was due"
    came = f"{counted(record.due_count, 'date')} due, {record.came_count} came"
    if record.error_days is None:
        return f"{came} within {TOLERANCE_DAYS} days after it"
    off = counted(round(record.error_days), "day")
    return f"{came}, {off} off" if record.came_count == 1 else f"{came}, half within {off}"


def probabilities_text(record: LimitRecord) -> str:
    """Return how its probabilities have done."""
    if not record.probability_count:
        return "no stated probability is over"
    came = percent(round(record.came_ratio or 0.0, 2))
    return (
        f"{counted(record.probability_count, 'probability', 'probabilities')} of "
        f"{probability(record.stated_ratio)} on average, {came} came true"
    )


def _line(record: LimitRecord) -> str:
    name = basis_label(record.basis)
    return f"{name}{record.rule_id}: {dates_text(record)}; {probabilities_text(record)}."


def correction_line(correction: SiteCorrection, limits_min: int) -> str:
    """Return the shift and how many outcomes it rests on, or that there are too few."""
    limits = counted(correction.limit_count, "limit")
    if correction.limit_count < limits_min:
        return (
            f"Own outcomes: {limits} with a probability whose days are over; {limits_min} are "
            "needed to correct probabilities by them."
        )
    return (
        f"Own outcomes: {counted(correction.case_count, 'probability', 'probabilities')} of "
        f"{limits} whose days are over; {shift_text(correction)}."
    )


def shift_text(correction: SiteCorrection) -> str:
    """Return level and slope of probabilities with what becomes of 10, 50 and 90 %."""
    if not correction.is_any:
        return "probabilities stay as they are"
    became = (
        probability(1 / (1 + math.exp(-(correction.shift + correction.slope * odds))))
        for odds in (-math.log(9), 0.0, math.log(9))
    )
    return (
        f"log odds times {correction.slope:.2f} {correction.shift:+.2f}: "
        f"10, 50 and 90 % become {', '.join(became)}"
    )
