"""ServiceNow by its Table API: one record per resource, found again by its correlation id."""

from collections.abc import Mapping
from typing import Final

from mqcap.domain.finding import Severity
from mqcap.domain.ticket import Ticket
from mqcap.notifications.acknowledgements import description_of, label_of
from mqcap.notifications.http_json import JsonService, ServiceOptions, options_of
from mqcap.notifications.issue_tracker import IssueRecord, IssueTrackerBackend, reopening_text
from mqcap.notifications.ticket_delivery import TicketBackend, closing_comment

CONNECTION_ID: Final = "servicenow_default"
"""Airflow connection with address and secret."""
SUMMARY_LENGTH: Final = 160
"""ServiceNow's own limit."""
_FIELDS: Final = "sys_id,number,state,description"
_URGENCY: Final = {Severity.act: "1", Severity.watch: "2"}


class ServiceNowOptions(ServiceOptions, frozen=True):
    """The keys of ``alerts.ticket_options``."""

    table: str = "incident"
    assignment_group: str = ""
    open_state: str = "1"
    work_state: str = "2"
    """State of a record that somebody works on."""
    done_states: str = "6,7,8"
    """States that count as done; the first is set when a ticket is closed."""
    close_code: str = "Resolved by caller"


class ServiceNowRecords:
    """Records of one table."""

    name = "servicenow"

    def __init__(self, options: ServiceNowOptions) -> None:
        self._options = options
        self._path = f"/api/now/table/{options.table}"
        self._service = JsonService("ServiceNow", options)

    def find(self, ticket: Ticket) -> IssueRecord | None:
        """Return the newest record with the ticket's correlation id."""
        params = {
            "sysparm_query": f"correlation_id={label_of(ticket)}^ORDERBYDESCsys_created_on",
            "sysparm_fields": _FIELDS,
            "sysparm_limit": "1",
        }
        rows = self._service.call("GET", self._path, ticket.dedupe_key, params=params)["result"]
        if not rows:
            return None
        [row] = rows[:1]
        state = str(row.get("state"))
        is_done = state in self._options.done_states.split(",")
        in_work = "in progress in ServiceNow" if state == self._options.work_state else ""
        return IssueRecord(
            key=str(row["sys_id"]),
            reference=str(row["number"]),
            description=str(row.get("description", "")),
            is_done=is_done,
            state_note="closed in ServiceNow" if is_done else in_work,
        )

    def create(self, ticket: Ticket) -> str:
        """Create a record and return its number."""
        fields = {
            **_fields(ticket),
            "correlation_id": label_of(ticket),
            "correlation_display": "mqcap",
        }
        if self._options.assignment_group:
            fields["assignment_group"] = self._options.assignment_group
        created = self._service.call("POST", self._path, ticket.dedupe_key, json=fields)
        return str(created["result"]["number"])

    def update(self, record: IssueRecord, ticket: Ticket) -> None:
        """Write the fields and a work note in one request."""
        self._patch(record, ticket, {**_fields(ticket), "work_notes": ticket.comment})

    def reopen(self, record: IssueRecord, ticket: Ticket) -> None:
        """Write the fields, a work note and the open state in one request."""
        reopened = {"state": self._options.open_state, "work_notes": reopening_text(ticket)}
        self._patch(record, ticket, {**_fields(ticket), **reopened})

    def resolve(self, record: IssueRecord, ticket: Ticket) -> None:
        """Set the record to the first done state."""
        done = {
            "state": self._options.done_states.split(",")[0],
            "close_code": self._options.close_code,
            "close_notes": closing_comment(ticket),
        }
        self._patch(record, ticket, done)

    def comments(self, record: IssueRecord, ticket: Ticket) -> list[tuple[str, str]]:
        """Return comments and work notes with their authors."""
        query = f"element_id={record.key}^elementINcomments,work_notes^ORDERBYsys_created_on"
        notes = self._service.call(
            "GET",
            "/api/now/table/sys_journal_field",
            ticket.dedupe_key,
            params={"sysparm_query": query, "sysparm_fields": "value,sys_created_by"},
        )
        return [(str(note["value"]), str(note["sys_created_by"])) for note in notes["result"]]

    def _patch(self, record: IssueRecord, ticket: Ticket, fields: dict[str, str]) -> None:
        self._service.call("PATCH", f"{self._path}/{record.key}", ticket.dedupe_key, json=fields)


def open_backend(options: Mapping[str, str]) -> TicketBackend:
    """Return ServiceNow with these options; raises ConfigurationError that names a wrong one."""
    chosen = options_of(ServiceNowOptions, options, "a ServiceNow table")
    return IssueTrackerBackend(ServiceNowRecords(chosen))


def _fields(ticket: Ticket) -> dict[str, str]:
    return {
        "short_description": ticket.title[:SUMMARY_LENGTH],
        "description": description_of(ticket),
        "urgency": _URGENCY.get(ticket.severity, "3"),
        "due_date": f"{ticket.due_date} 00:00:00" if ticket.due_date else "",
    }
