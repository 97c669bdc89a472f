"""The form that acknowledges a problem."""

import pytest

from mq_capacity_page.pages.finding.view import (
    KEYWORDS,
    acknowledged_keys,
    acknowledgement_text,
    return_address,
)
from mq_capacity_page.web.context import PageContext
from mqcap.domain.problem import AcknowledgementKind
from mqcap.notifications.acknowledgements import parse_response
from mqcap.store.problems import replace_problems
from mqcap.store.tickets import save_ticket
from tests.factories import problem_day
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


FILL = "LOG-FILL-30MIN/PLEX1/CSQ1"
RUNWAY = "LOG-RUNWAY-12H/PLEX1/CSQ1"
BACKUP = "REC-FORMULA-A/PLEX1/CSQ1"
OTHER = "LOG-FILL-30MIN/PLEX1/CSQ2"
PATH = "PLEX1/CSQ1/active_log"
ALL = (FILL, RUNWAY, BACKUP, OTHER)


@pytest.fixture
def troubled(context: PageContext) -> PageContext:
    """Two problems of the active logs of CSQ1, one of its recovery, one of another manager."""
    problems = [problem_day(key, site_date=builder.DAY) for key in ALL]
    replace_problems(context.engine, builder.DAY, problems)
    return context


def keys(context: PageContext, **fields: str) -> list[str]:
    return acknowledged_keys(context, fields, builder.DAY)


def test_a_finding_counts_for_itself_unless_the_form_says_otherwise(troubled: PageContext) -> None:
    listed = "\n".join(ALL)
    assert keys(troubled, problem=FILL) == [FILL]
    assert keys(troubled, problem=FILL, scope="problem", listed=listed) == [FILL]
    assert keys(troubled, problem=FILL, scope="resource") == [FILL]


def test_of_a_resource_exactly_what_the_form_listed_counts(troubled: PageContext) -> None:
    assert keys(troubled, problem=FILL, scope="resource", listed=f"{FILL}\r\n{RUNWAY}") == [
        FILL,
        RUNWAY,
    ]
    assert keys(troubled, problem=FILL, scope="resource", listed=FILL) == [FILL]


def test_no_form_reaches_a_problem_of_another_resource(troubled: PageContext) -> None:
    listed = "\n".join(ALL)
    assert keys(troubled, problem=FILL, scope="resource", listed=listed) == [FILL, RUNWAY]


def test_a_ticket_counts_for_its_problems_and_the_others_listed(troubled: PageContext) -> None:
    save_ticket(troubled.engine, builder.ticket(dedupe_key=PATH, members=(FILL,)), "embedded")
    assert keys(troubled, ticket=PATH) == [FILL]
    assert keys(troubled, ticket=PATH, listed=f"{FILL}\n{RUNWAY}") == [FILL, RUNWAY]


def test_a_finding_without_a_ticket_represents_itself(context: PageContext) -> None:
    key = "CF-BUSY-1/PLEX1/CF01"
    assert keys(context, ticket=key) == [key]
    assert acknowledged_keys(context, {"ticket": key}, None) == []


@pytest.mark.parametrize("key", ["", "NONE", "CF-BUSY-1/PLEX1/CF99"])
@pytest.mark.parametrize("field", ["ticket", "problem"])
def test_an_unknown_key_represents_nothing(context: PageContext, key: str, field: str) -> None:
    assert acknowledged_keys(context, {field: key}, builder.DAY) == []


@pytest.mark.parametrize(
    ("fields", "address"),
    [
        ({}, "./"),
        ({"back_rule": "R"}, "./"),
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
