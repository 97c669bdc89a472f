"""A generic webhook: each change of a ticket as one JSON document by POST.

``Idempotency-Key`` is the same for the same change; status 409 counts as accepted before. With a
secret, ``X-Mqcap-Signature`` holds ``sha256=`` and the HMAC of the body.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Final

from pydantic import SecretStr

from mqcap.domain.ticket import Ticket
from mqcap.notifications.acknowledgements import TicketResponse, label_of
from mqcap.notifications.http_json import JsonService, ServiceOptions, options_of
from mqcap.notifications.ticket_delivery import TicketBackend

CONNECTION_ID: Final = "mqcap_webhook"
"""Airflow connection with address and secret."""
_CONFLICT: Final = 409


class WebhookOptions(ServiceOptions, frozen=True):
    """The keys of ``alerts.ticket_options``."""

    secret: SecretStr = SecretStr("")
    """Signs the body."""


class Webhook:
    """Single address that takes every change."""

    name = "webhook"

    def __init__(self, options: WebhookOptions) -> None:
        self._secret = options.secret.get_secret_value().encode()
        self._service = JsonService("the webhook", options)

    def open_or_update(self, ticket: Ticket) -> str:
        """Post the ticket; return the receiver's reference, else the ticket's label."""
        event = "reopen" if ticket.reopen else "update" if ticket.external_ref else "open"
        response = self._post(ticket, event)
        reference = response.get("reference") if isinstance(response, dict) else None
        return str(reference or ticket.external_ref or label_of(ticket))

    def close(self, ticket: Ticket) -> None:
        """Post that the ticket is closed."""
        self._post(ticket, "close")

    def response(self, ticket: Ticket) -> TicketResponse | None:  # noqa: ARG002 - the protocol's
        """Return ``None``: a webhook cannot be queried."""
        return None

    def _post(self, ticket: Ticket, event: str) -> object:
        document = {
            "event": event,
            "key": label_of(ticket),
            "ticket": ticket.model_dump(mode="json", exclude={"reopen", "grown", "tried"}),
        }
        body = json.dumps(document, sort_keys=True).encode()
        identity = f"{event} {ticket.dedupe_key} {ticket.last_seen_date}"
        headers = {
            "Content-Type": "application/json",
            "Idempotency-Key": hashlib.sha256(identity.encode()).hexdigest(),
        }
        if self._secret:
            signature = hmac.new(self._secret, body, hashlib.sha256).hexdigest()
            headers["X-Mqcap-Signature"] = f"sha256={signature}"
        return self._service.call(
            "POST", "", ticket.dedupe_key, taken=_CONFLICT, content=body, headers=headers
        )


def open_backend(options: Mapping[str, str]) -> TicketBackend:
    """Return the webhook with these options; raises ConfigurationError that names a wrong one."""
    return Webhook(options_of(WebhookOptions, options, "a webhook"))
