"""The tickets of one state, or of all."""

from __future__ import annotations

from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.notifications.resource_problems import problems_of_ticket
from mqcap.store.tickets import read_tickets


class TicketsView(ViewModel):
    """The list of tickets."""

    tickets: list[Ticket]
    """Open ones first, then by severity."""
    problems: dict[str, tuple[str, ...]]
    """Keys of the problems that an acknowledgement counts for, by the key of each open ticket."""
    state: TicketState | None
    """``None``: tickets of every state."""


def tickets_view(context: PageContext, state: TicketState | None) -> TicketsView:
    """Return the tickets of a state, open ones first, the most severe of them first."""
    tickets = sorted(
        read_tickets(context.engine, state=state),
        key=lambda ticket: (
            ticket.state is not TicketState.open,
            -ticket.severity.rank,
            ticket.dedupe_key,
        ),
    )
    problems = {
        ticket.dedupe_key: problems_of_ticket(context.engine, ticket)
        for ticket in tickets
        if ticket.state is TicketState.open
    }
    return TicketsView(tickets=tickets, problems=problems, state=state)
