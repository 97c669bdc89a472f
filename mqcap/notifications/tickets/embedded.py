"""The embedded tracker: the store's own ticket table, visible on the capacity page."""

import hashlib
from collections.abc import Mapping
from typing import Final

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.ticket import Ticket
from mqcap.notifications.acknowledgements import TicketResponse
from mqcap.notifications.ticket_delivery import TicketBackend

REFERENCE_DIGITS: Final = 6


class EmbeddedTracker:
    """A tracker that needs no server."""

    name = "embedded"

    def open_or_update(self, ticket: Ticket) -> str:
        """Return a short reference, the same for one episode of a problem: ``MQCAP-4F09A1``."""
        if ticket.external_ref:
            return ticket.external_ref
        identity = f"{ticket.dedupe_key} {ticket.first_seen_date}"
        digest = hashlib.sha256(identity.encode()).hexdigest()
        return f"MQCAP-{digest[:REFERENCE_DIGITS].upper()}"

    def close(self, ticket: Ticket) -> None:
        """Do nothing: ``TicketHandler`` writes the table."""

    def response(self, ticket: Ticket) -> TicketResponse | None:  # noqa: ARG002 - the protocol's
        """Return ``None``: the page and ``mqcap tickets acknowledge`` store acknowledgements."""
        return None


def open_backend(options: Mapping[str, str]) -> TicketBackend:
    """Return the embedded tracker; raises ConfigurationError for any option."""
    if options:
        raise ConfigurationError(
            "alerts.ticket_options has keys that the embedded tracker does not know",
            found=", ".join(sorted(options)),
            remedy="Remove them, or set alerts.ticket_backend to the tracker they belong to.",
        )
    return EmbeddedTracker()
