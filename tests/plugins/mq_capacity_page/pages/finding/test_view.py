"""A finding as a model: history, ticket, acknowledgements, notes."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mq_capacity_page.pages.finding.view import (
    ACKNOWLEDGEMENT_LABELS,
    MAX_STATE_SPANS,
    STATE_WORDS,
    finding_view,
    state_spans,
    ticket_of,
    ticket_update,
)
from mq_capacity_page.web.context import PageContext
from mqcap.domain.problem import AcknowledgementKind, ProblemState
from mqcap.domain.ticket import TicketState
from mqcap.store.annotations import save_annotation
from mqcap.store.models import Annotation
from mqcap.store.problems import save_acknowledgements
from tests import factories
from tests.plugins import builder

KEY = ("LOG-FILL-30MIN", "PLEX1/CSQ1")
NAME = "LOG-FILL-30MIN/PLEX1/CSQ1"


def view_of(context: PageContext, key: tuple[str, str] = KEY) -> Any:
    return finding_view(context, key, builder.DAY, can_edit=False)


def test_a_finding_has_its_ticket_and_the_newest_evaluated_day(context: PageContext) -> None:
    view = view_of(context)
    assert view.line.key == KEY
    assert view.key == NAME
    assert view.ticket.external_ref == "MQCAP-7"
    assert view.newest_day == builder.DAY
    assert (view.acknowledgement, list(view.acknowledgements), list(view.spans)) == (None, [], [])


def test_a_rule_without_a_finding_for_the_subject_has_no_view(context: PageContext) -> None:
    assert view_of(context, ("LOG-FILL-30MIN", "PLEX1/CSQ9")) is None
    assert view_of(context, ("NONE", "PLEX1/CSQ1")) is None


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
    assert [each.kind for each in view.acknowledgements] == kinds[::-1]


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
    assert set(ACKNOWLEDGEMENT_LABELS) == set(AcknowledgementKind)
