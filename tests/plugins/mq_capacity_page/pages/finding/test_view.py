"""A finding as a model: history, ticket, acknowledgements, notes."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mq_capacity_page.pages.finding.view import (
    MAX_STATE_SPANS,
    STATE_WORDS,
    acknowledged_keys,
    acknowledgement_text,
    finding_view,
    return_address,
    state_spans,
    ticket_of,
    ticket_update,
)
from mq_capacity_page.web.context import PageContext
from mqcap.domain.problem import AcknowledgementKind, ProblemState
from mqcap.domain.ticket import TicketState
from mqcap.store.annotations import save_annotation
from mqcap.store.models import Annotation
from mqcap.store.problems import replace_problems, save_acknowledgements
from mqcap.store.tickets import save_ticket
from tests import factories
from tests.factories import problem_day
from tests.plugins import builder

KEY = ("LOG-FILL-30MIN", "PLEX1/CSQ1")
NAME = "LOG-FILL-30MIN/PLEX1/CSQ1"


def view_of(context: PageContext) -> Any:
    return finding_view(context, KEY, builder.DAY, can_edit=False)


def test_the_newest_acknowledgement_holds_and_older_ones_are_listed_after_it(
    context: PageContext,
) -> None:
    kinds = [AcknowledgementKind.acknowledged, AcknowledgementKind.known_project]
    save_acknowledgements(
        context.engine,
        [
            factories.acknowledgement(
                NAME, kind=kind, noted_date=builder.DAY - timedelta(days=1 - number)
            )
            for number, kind in enumerate(kinds)
        ],
    )
    view = view_of(context)
    assert view.acknowledgement.kind is AcknowledgementKind.known_project
    assert [acknowledgement.kind for acknowledgement in view.acknowledgements] == kinds[::-1]


def test_an_expired_acknowledgement_is_history_only(context: PageContext) -> None:
    expired = factories.acknowledgement(
        NAME,
        kind=AcknowledgementKind.accepted_until,
        noted_date=builder.DAY - timedelta(days=20),
        until_date=builder.DAY - timedelta(days=1),
    )
    save_acknowledgements(context.engine, [expired])
    view = view_of(context)
    assert view.acknowledgement is None
    assert len(view.acknowledgements) == 1


def test_notes_are_those_of_the_rule_and_of_the_subject_itself(context: PageContext) -> None:
    for rule in ("", "LOG-FILL-30MIN", "OTHER"):
        note = Annotation(
            subject="PLEX1/CSQ1",
            rule_id=rule,
            first_date=builder.DAY,
            last_date=builder.DAY,
            note=f"about {rule or 'all'}",
            who="anna",
            noted_at_utc=datetime(2026, 1, 31, tzinfo=UTC),
        )
        save_annotation(context.engine, note)
    assert {note.note for note in view_of(context).notes} == {"about all", "about LOG-FILL-30MIN"}


def test_consecutive_days_of_one_state_are_one_span_newest_first() -> None:
    states = [ProblemState.pending, ProblemState.new, ProblemState.lasting, ProblemState.lasting]
    days = [
        factories.problem_day(NAME, site_date=builder.DAY + timedelta(days=number), state=state)
        for number, state in enumerate(states)
    ]
    spans = state_spans(days)
    assert [(span.words, (span.last - span.first).days) for span in spans] == [
        ("unchanged", 1),
        ("notified for the first time", 0),
        ("detected, not notified yet", 0),
    ]


def test_only_the_newest_spans_are_shown() -> None:
    states = [ProblemState.lasting, ProblemState.improving] * MAX_STATE_SPANS
    days = [
        factories.problem_day(NAME, site_date=builder.DAY + timedelta(days=number), state=state)
        for number, state in enumerate(states)
    ]
    spans = state_spans(days)
    assert len(spans) == MAX_STATE_SPANS
    assert spans[0].last == days[-1].site_date


@pytest.mark.parametrize(
    ("changed", "is_first", "words"),
    [
        ({}, True, "opened"),
        ({}, False, "updated"),
        ({"payload": {"close": True}}, False, "closed"),
        ({"replay": True}, True, "would have been opened (replay)"),
        ({"sent_at_utc": None}, False, "to be updated: not sent yet"),
        ({"sent_at_utc": None, "error": "503"}, False, "to be updated: 503"),
    ],
    ids=["opened", "updated", "closed", "replay", "pending", "failed"],
)
def test_an_update_of_a_ticket_says_what_became_of_it(
    changed: dict[str, Any], is_first: bool, words: str
) -> None:
    delivery = builder.delivery(channel="ticket", **changed)
    assert ticket_update(delivery, is_first=is_first).words == words


def test_a_ticket_is_found_by_its_own_problem_and_by_its_members() -> None:
    grouped = builder.ticket(dedupe_key="GROUP", members=("A/PLEX1", "B/PLEX1"))
    alone = builder.ticket(dedupe_key="C/PLEX1")
    assert ticket_of([grouped, alone], "B/PLEX1") is grouped
    assert ticket_of([grouped, alone], "C/PLEX1") is alone
    assert ticket_of([grouped, alone], "D/PLEX1") is None


def test_an_open_ticket_precedes_a_closed_one() -> None:
    closed = builder.ticket(dedupe_key="A/PLEX1", members=("B/PLEX1",), state=TicketState.closed)
    still_open = builder.ticket(dedupe_key="C/PLEX1", members=("B/PLEX1",))
    assert ticket_of([closed, still_open], "B/PLEX1") is still_open
    assert ticket_of([closed], "B/PLEX1") is closed


def test_every_state_and_kind_has_its_words() -> None:
    assert set(STATE_WORDS) == set(ProblemState)


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
