"""The tickets of one state, or of all."""

from __future__ import annotations

from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.ticket import TicketState
from mqcap.notifications.resource_problems import problems_of_tickets
from mqcap.notifications.ticket_list import ListedTicket, listed_tickets
from mqcap.store.tickets import read_tickets


class TicketsView(ViewModel):
    """The list of tickets."""

    tickets: list[ListedTicket]
    """Open ones first, then by severity and due day."""
    problems: dict[str, tuple[str, ...]]
    """Keys of the problems that an acknowledgement counts for, by the key of each open ticket."""
    state: TicketState | None
    """``None``: tickets of every state."""


def tickets_view(context: PageContext, state: TicketState | None) -> TicketsView:
    """Return the tickets of a state, open ones first, the most severe of them first."""
    tickets = listed_tickets(
        context.engine, context.settings, read_tickets(context.engine, state=state)
    )
    still_open = [listed.ticket for listed in tickets if listed.is_open]
    of_each = problems_of_tickets(context.engine, still_open)
    problems = {ticket.dedupe_key: keys for ticket, keys in zip(still_open, of_each, strict=True)}
    return TicketsView(tickets=tickets, problems=problems, state=state)
