"""ServiceNow by its Table API: one record per problem, found again by its correlation id.

A record's description ends with a line that holds what it last said; only a material change
edits it and adds a work note, both in one request.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from alerting.http import TIMEOUT_SECONDS, JsonService
from alerting.marking import Answer, description_of, label_of, last_answer, told_by
from alerting.ticketing import SETTLED, TicketBackend, is_material
from domain.errors import ConfigurationError
from domain.finding import Severity
from domain.problem import MarkKind
from domain.ticket import Ticket

SUMMARY_LENGTH: Final = 160
"""ServiceNow's own limit."""
_FIELDS: Final = "sys_id,number,state,description"
_URGENCY: Final = {Severity.act: "1", Severity.watch: "2"}


class ServiceNowOptions(BaseModel):
    """The keys of ``alerts.ticket_options``; the secret belongs in the environment."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    user: str = ""
    token: SecretStr = SecretStr("")
    """The user's password; without a user a bearer token."""
    table: str = "incident"
    assignment_group: str = ""
    open_state: str = "1"
    work_state: str = "2"
    """State of a record that somebody works on."""
    done_states: str = "6,7,8"
    """States that count as done, the first one is what we set."""
    close_code: str = "Resolved by caller"
    timeout_seconds: Annotated[float, Field(gt=0)] = TIMEOUT_SECONDS


class ServiceNow:
    """Records of one table."""

    name = "servicenow"

    def __init__(self, options: ServiceNowOptions) -> None:
        self._options = options
        self._path = f"/api/now/table/{options.table}"
        secret = options.token.get_secret_value()
        bearer = {"Authorization": f"Bearer {secret}"} if secret and not options.user else {}
        self._service = JsonService(
            "ServiceNow",
            options.url,
            auth=(options.user, secret) if options.user else None,
            headers=bearer,
            timeout_seconds=options.timeout_seconds,
        )

    def open_or_update(self, ticket: Ticket) -> str:
        """The number of the problem's record: found, or created when there is none."""
        record = self._find(ticket)
        if record is None:
            return self._create(ticket)
        before = told_by(str(record.get("description", "")), ticket)
        number = str(record["number"])
        if self._is_done(record):
            if not (before and before.first_seen_date == ticket.first_seen_date):
                return self._create(ticket)
            if ticket.reopen:
                back = {"state": self._options.open_state, "work_notes": "Back again."}
                self._patch(record, ticket, {**self._fields(ticket), **back})
            return number  # closed by people in this episode: theirs to decide
        if before is None or is_material(before, ticket):
            self._patch(record, ticket, {**self._fields(ticket), "work_notes": ticket.body})
        return number

    def close(self, ticket: Ticket) -> None:
        """Set the record to the first done state unless it is in one."""
        record = self._find(ticket)
        if record is None or self._is_done(record):
            return
        done = {
            "state": self._options.done_states.split(",")[0],
            "close_code": self._options.close_code,
            "close_notes": SETTLED,
        }
        self._patch(record, ticket, done)

    def answer(self, ticket: Ticket) -> Answer | None:
        """What people wrote in comments or work notes, or said by the record's state."""
        record = self._find(ticket)
        if record is None:
            return None
        query = f"element_id={record['sys_id']}^elementINcomments,work_notes^ORDERBYsys_created_on"
        notes = self._service.call(
            "GET", "/api/now/table/sys_journal_field", ticket.dedupe_key,
            params={"sysparm_query": query, "sysparm_fields": "value,sys_created_by"},
        )  # fmt: skip
        said = [(str(one["value"]), str(one["sys_created_by"])) for one in notes["result"]]
        found = last_answer(said)
        if found is None and self._is_done(record):
            return Answer(kind=MarkKind.acknowledged, note="closed in ServiceNow")
        if found is None and str(record.get("state")) == self._options.work_state:
            return Answer(kind=MarkKind.acknowledged, note="in progress in ServiceNow")
        return found

    def _find(self, ticket: Ticket) -> dict[str, Any] | None:
        params = {
            "sysparm_query": f"correlation_id={label_of(ticket)}^ORDERBYDESCsys_created_on",
            "sysparm_fields": _FIELDS,
            "sysparm_limit": "1",
        }
        found = self._service.call("GET", self._path, ticket.dedupe_key, params=params)["result"]
        return dict(found[0]) if found else None

    def _create(self, ticket: Ticket) -> str:
        fields = {
            **self._fields(ticket),
            "correlation_id": label_of(ticket),
            "correlation_display": "mqcap",
        }
        if self._options.assignment_group:
            fields["assignment_group"] = self._options.assignment_group
        made = self._service.call("POST", self._path, ticket.dedupe_key, json=fields)
        return str(made["result"]["number"])

    def _patch(self, record: Mapping[str, Any], ticket: Ticket, fields: dict[str, str]) -> None:
        path = f"{self._path}/{record['sys_id']}"
        self._service.call("PATCH", path, ticket.dedupe_key, json=fields)

    def _fields(self, ticket: Ticket) -> dict[str, str]:
        return {
            "short_description": ticket.title[:SUMMARY_LENGTH],
            "description": description_of(ticket),
            "urgency": _URGENCY.get(ticket.severity, "3"),
            "due_date": f"{ticket.due_date} 00:00:00" if ticket.due_date else "",
        }

    def _is_done(self, record: Mapping[str, Any]) -> bool:
        return str(record.get("state")) in self._options.done_states.split(",")


def open_backend(options: Mapping[str, str]) -> TicketBackend:
    """ServiceNow with these options; raises ConfigurationError that names a wrong one."""
    try:
        return ServiceNow(ServiceNowOptions.model_validate(dict(options)))
    except ValidationError as error:
        wrong = "; ".join(
            f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors()
        )
        raise ConfigurationError(
            "alerts.ticket_options does not describe a ServiceNow table",
            found=wrong,
            expected=", ".join(ServiceNowOptions.model_fields),
            remedy="Correct alerts.ticket_options (MQCAP_ALERTS__TICKET_OPTIONS__...).",
        ) from error
