"""The list of tickets as a model."""

from __future__ import annotations

import pytest

from mq_capacity_page.pages.tickets.view import tickets_view
from mq_capacity_page.web.context import PageContext
from mqcap.domain.finding import Severity
from mqcap.domain.ticket import TicketState
from mqcap.store.tickets import save_ticket
from tests.plugins import builder


@pytest.fixture
def with_tickets(context: PageContext) -> PageContext:
    for key, state, severity in (
        ("A/PLEX1/CSQ2", TicketState.closed, Severity.act),
        ("B/PLEX1/CSQ2", TicketState.open, Severity.watch),
        ("A/PLEX1/CSQ3", TicketState.open, Severity.act),
    ):
        ticket = builder.ticket(dedupe_key=key, state=state, severity=severity)
        save_ticket(context.engine, ticket, "embedded")
    return context


def test_open_tickets_come_first_and_the_most_severe_of_them(with_tickets: PageContext) -> None:
    view = tickets_view(with_tickets, None)
    assert [listed.ticket.dedupe_key for listed in view.tickets] == [
        "LOG-FILL-30MIN/PLEX1/CSQ1",
        "A/PLEX1/CSQ3",
        "B/PLEX1/CSQ2",
        "A/PLEX1/CSQ2",
    ]


@pytest.mark.parametrize(("state", "count"), [(TicketState.open, 3), (TicketState.closed, 1)])
def test_tickets_of_one_state_can_be_chosen(
    with_tickets: PageContext, state: TicketState, count: int
) -> None:
    view = tickets_view(with_tickets, state)
    assert len(view.tickets) == count
    assert {listed.ticket.state for listed in view.tickets} == {state}
    assert view.state is state
