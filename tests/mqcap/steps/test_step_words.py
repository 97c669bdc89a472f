"""The line that says what a step did."""

from __future__ import annotations

import pytest

from mqcap.steps.step_words import step_line


@pytest.mark.parametrize(
    ("step", "counts", "line"),
    [
        ("land", {"landed": 0, "known": 1, "waiting": []}, "1 file that is in the lake already"),
        ("observe", {"files": 9, "site_dates": 3, "observations": 14}, "14 daily figures"),
        ("decode_and_aggregate", {"problems": 1}, "1 file that cannot be used"),
        ("alert", {"problems": 1, "mail": "nothing_new"}, "1 problem, mail nothing new"),
        ("alert", {"refused": "gone@x.example: 550"}, "refused gone@x.example: 550"),
        ("observe", {}, "nothing new"),
    ],
)  # fmt: skip
def test_a_step_says_what_it_did_in_numbers_with_units(
    step: str, counts: dict[str, object], line: str
) -> None:
    assert step_line(step, counts) == f"{step}: {line}"
