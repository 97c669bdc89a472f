"""The site's correction in sentences."""

from __future__ import annotations

import pytest

from mqcap.domain.site_correction import SiteCorrection
from mqcap.presentation.site_correction_text import correction_line, shift_text
from tests.factories import DAY


def correction(shift: float, limits: int = 50) -> SiteCorrection:
    return SiteCorrection(cutoff_date=DAY, shift=shift, limit_count=limits, case_count=3 * limits)


@pytest.mark.parametrize(("limits", "is_enough"), [(49, False), (50, True), (51, True)])
def test_too_few_limits_are_stated_as_such(limits: int, is_enough: bool) -> None:
    line = correction_line(correction(0.0, limits), 50)
    assert ("50 are needed" in line) is not is_enough
    assert ("probabilities stay as they are" in line) is is_enough
    assert f"{limits} limits" in line


def test_shift_and_cases_are_in_one_line() -> None:
    assert correction_line(correction(0.2), 50) == (
        "Own outcomes: 150 probabilities of 50 limits whose days are over; probabilities are "
        "raised, log odds +0.20: 50 % becomes 55 %."
    )


@pytest.mark.parametrize(("shift", "words"), [(-0.5, "lowered"), (0.5, "raised")])
def test_the_direction_is_a_word(shift: float, words: str) -> None:
    assert words in shift_text(correction(shift))
