"""The site's correction of probabilities in sentences."""

from __future__ import annotations

import math

from mqcap.domain.numbers import counted, probability
from mqcap.domain.site_correction import SiteCorrection


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
    """Return the shift of probabilities with what becomes of one of 50 %."""
    if not correction.shift:
        return "probabilities stay as they are"
    word = "raised" if correction.shift > 0 else "lowered"
    even = probability(1 / (1 + math.exp(-correction.shift)))
    return f"probabilities are {word}, log odds {correction.shift:+.2f}: 50 % becomes {even}"
