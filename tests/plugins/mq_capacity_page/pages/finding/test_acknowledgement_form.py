"""The form that acknowledges a problem."""

from __future__ import annotations

import pytest

from mq_capacity_page.pages.finding.acknowledgement_form import (
    KEYWORDS,
    acknowledged_keys,
    acknowledgement_text,
    return_address,
)
from mq_capacity_page.web.context import PageContext
from mqcap.domain.problem import AcknowledgementKind
from mqcap.notifications.acknowledgements import parse_response
from mqcap.store.tickets import save_ticket
from tests.plugins import builder


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"words": "false alarm"}, "false alarm"),
        ({"kind": "acknowledged", "reason": " on   it "}, "acknowledged on it"),
        (
            {"kind": "accepted_until", "until": "2026-12-31", "reason": "small"},
            "accepted risk until 2026-12-31 small",
        ),
        ({"kind": "known_project", "until": "2026-12-31"}, "known project"),
        ({"kind": "nonsense", "words": "false alarm"}, ""),
        ({}, ""),
    ],
    ids=["typed", "reason", "until", "until-of-another-kind", "unknown", "empty"],
)
def test_fields_become_the_text_of_a_tracker_comment(fields: dict[str, str], text: str) -> None:
    assert acknowledgement_text(fields) == text


@pytest.mark.parametrize("kind", list(AcknowledgementKind))
def test_every_kind_is_understood_as_itself(kind: AcknowledgementKind) -> None:
    text = acknowledgement_text({"kind": kind.value, "until": "2026-12-31", "reason": "because"})
    assert text.startswith(KEYWORDS[kind])
    response = parse_response(text, "anna")
    assert response is not None
    assert response.kind is kind


def test_a_ticket_represents_all_its_problems(context: PageContext) -> None:
    grouped = builder.ticket(dedupe_key="GROUP", members=("B/PLEX1", "A/PLEX1"))
    save_ticket(context.engine, grouped, "embedded")
    assert acknowledged_keys(context, "GROUP", builder.DAY) == ["A/PLEX1", "B/PLEX1"]
    alone = builder.ticket().dedupe_key
    assert acknowledged_keys(context, alone, builder.DAY) == [alone]


def test_a_finding_without_a_ticket_represents_itself(context: PageContext) -> None:
    key = "CF-BUSY-1/PLEX1/CF01"
    assert acknowledged_keys(context, key, builder.DAY) == [key]
    assert acknowledged_keys(context, key, None) == []


@pytest.mark.parametrize("key", ["", "NONE", "CF-BUSY-1/PLEX1/CF99"])
def test_an_unknown_key_represents_nothing(context: PageContext, key: str) -> None:
    assert acknowledged_keys(context, key, builder.DAY) == []


@pytest.mark.parametrize(
    ("fields", "address"),
    [
        ({}, "tickets"),
        ({"back_rule": "R"}, "tickets"),
        ({"back_rule": "R", "back_subject": "P/Q"}, "finding?rule=R&subject=P%2FQ"),
        (
            {"back_rule": "R", "back_subject": "P", "back_day": "2026-01-31"},
            "finding?rule=R&subject=P&day=2026-01-31",
        ),
        ({"back_series": "m/P", "back_rule": "R", "back_subject": "P"}, "series?series=m%2FP"),
        (
            {"back_rule": "R", "back_subject": "//evil.example/x"},
            "finding?rule=R&subject=%2F%2Fevil.example%2Fx",
        ),
    ],
    ids=["none", "half", "finding", "day", "series", "hostile"],
)
def test_the_reader_returns_to_the_page_of_the_form(fields: dict[str, str], address: str) -> None:
    assert return_address(fields) == address
