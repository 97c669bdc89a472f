"""Responses of people to tickets."""

from __future__ import annotations

from datetime import date

import pytest

from mqcap.domain.problem import AcknowledgementKind
from mqcap.notifications.acknowledgements import HOW_TO_ACKNOWLEDGE, parse_response

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize(
    ("text", "kind", "until"),
    [
        ("accepted risk until 2026-12-31", AcknowledgementKind.accepted_until, date(2026, 12, 31)),
        (
            "Hello,\n Risk accepted until 2027-01-31.",
            AcknowledgementKind.accepted_until,
            date(2027, 1, 31),
        ),
        ("Known project CAP-2027", AcknowledgementKind.known_project, None),
        ("FALSE ALARM: designed full", AcknowledgementKind.false_alarm, None),
        ("acknowledged", AcknowledgementKind.acknowledged, None),
        ("accepted risk until 2026-02-31", None, None),
        ("we have not acknowledged this", None, None),
        (HOW_TO_ACKNOWLEDGE, None, None),
        ("", None, None),
    ],
    ids=["accepted", "second line", "project", "false", "known", "no date", "not", "ours", "none"],
)
def test_an_answer_is_what_a_line_begins_with(
    text: str, kind: AcknowledgementKind | None, until: date | None
) -> None:
    found = parse_response(text, "anna")
    assert (found.kind if found else None) is kind
    assert (found.until_date if found else None) == until
