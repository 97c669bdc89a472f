"""Jira (Server, Data Center or Cloud): one issue per resource, found again by its label.

So does a run after one that was killed before it stored the reference of its issue.
"""

import time
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final

from pydantic import Field

from mqcap.domain.ticket import Ticket
from mqcap.notifications.acknowledgements import description_of, label_of, ticket_in_description
from mqcap.notifications.http_json import JsonService, ServiceOptions, options_of
from mqcap.notifications.issue_tracker import IssueRecord, IssueTrackerBackend, reopening_text
from mqcap.notifications.ticket_delivery import TicketBackend, closing_comment, is_material

CONNECTION_ID: Final = "jira_default"
"""Airflow connection with address and secret."""
SUMMARY_LENGTH: Final = 255
"""Jira's own limit."""
_NOT_FOUND: Final = 404


class JiraOptions(ServiceOptions, frozen=True):
    """The keys of ``alerts.ticket_options``."""

    project: str
    issue_type: str = "Task"
    done_status: str = "Done"
    cloud: bool = False
    reopen_status: str = "Open"
    search_lag_seconds: Annotated[float, Field(ge=0, le=120)] = 15.0
    """Time in which Jira's search finds an issue that was just created (ours)."""


class JiraIssues:
    """Issues of one project."""

    name = "jira"

    def __init__(self, options: JiraOptions) -> None:
        self._options = options
        self._search = "/rest/api/3/search/jql" if options.cloud else "/rest/api/2/search"
        self._service = JsonService("Jira", options)

    def find(self, ticket: Ticket) -> IssueRecord | None:
        """Return the newest issue with the label, searched again after a failure, or its own."""
        key = self._searched(ticket)
        if not key and not ticket.external_ref and ticket.tried:
            time.sleep(self._options.search_lag_seconds)
            key = self._searched(ticket)
        if not (key := key or ticket.external_ref):
            return None
        asked = {"fields": "status,description"}
        issue = self._issue("GET", key, ticket, taken=_NOT_FOUND, params=asked)
        if issue is None:
            return None  # deleted by people: a new issue is created
        status = issue["fields"]["status"]
        category = str(status.get("statusCategory", {}).get("key", ""))
        is_in_hands = category in {"done", "indeterminate"}
        return IssueRecord(
            key=str(issue["key"]),
            reference=str(issue["key"]),
            description=issue["fields"].get("description") or "",
            is_done=category == "done",
            state_note=f"{status.get('name', '')} in Jira".strip() if is_in_hands else "",
        )

    def create(self, ticket: Ticket) -> str:
        """Create an issue and return its key."""
        fields = {
            "project": {"key": self._options.project},
            "issuetype": {"name": self._options.issue_type},
            "labels": ["mqcap", label_of(ticket)],
            **_fields(ticket),
        }
        return str(self._issue("POST", "", ticket, json={"fields": fields})["key"])

    def update(self, record: IssueRecord, ticket: Ticket) -> None:
        """Write the fields and a comment in one request."""
        changes = {"fields": _fields(ticket), **_comment(ticket.comment)}
        self._issue("PUT", record.key, ticket, json=changes)

    def reopen(self, record: IssueRecord, ticket: Ticket) -> None:
        """Add a comment unless an earlier attempt did; then set the configured status."""
        before = ticket_in_description(record.description, ticket)
        if before is None or is_material(before, ticket):
            changes = {"fields": _fields(ticket), **_comment(reopening_text(ticket))}
            self._issue("PUT", record.key, ticket, json=changes)
        self._set_status(record, ticket, self._options.reopen_status, {})

    def resolve(self, record: IssueRecord, ticket: Ticket) -> None:
        """Move the issue to the configured done status, with a comment."""
        comment = _comment(closing_comment(ticket))
        self._set_status(record, ticket, self._options.done_status, comment)

    def comments(self, record: IssueRecord, ticket: Ticket) -> Iterator[tuple[str, str]]:
        """Return comments with the display names of their authors."""
        found = self._issue("GET", f"{record.key}/comment", ticket) or {}
        for comment in found.get("comments", []):
            yield str(comment["body"]), str(comment.get("author", {}).get("displayName", ""))

    def _searched(self, ticket: Ticket) -> str:
        query = (
            f'project = "{self._options.project}" AND labels = "{label_of(ticket)}" '
            "ORDER BY created DESC"
        )
        asked = {"jql": query, "fields": "status", "maxResults": 1}
        found = self._service.call("GET", self._search, ticket.dedupe_key, params=asked) or {}
        issues = found.get("issues", [])
        return str(issues[0]["key"]) if issues else ""

    def _set_status(
        self, record: IssueRecord, ticket: Ticket, status: str, changes: Mapping[str, Any]
    ) -> None:
        path = f"{record.key}/transitions"
        ways = self._issue("GET", path, ticket)["transitions"]
        ids = {way["to"]["name"].lower(): way["id"] for way in reversed(ways)}
        chosen = {"transition": {"id": ids.get(status.lower())}}
        self._issue("POST", path, ticket, json={**chosen, **changes})

    def _issue(self, method: str, path: str, ticket: Ticket, **request: Any) -> Any:
        address = f"/rest/api/2/issue/{path}".rstrip("/")
        return self._service.call(method, address, ticket.dedupe_key, **request)


def open_backend(options: Mapping[str, str]) -> TicketBackend:
    """Return Jira with these options; raises ConfigurationError that names a wrong one."""
    return IssueTrackerBackend(JiraIssues(options_of(JiraOptions, options, "a Jira project")))


def _comment(text: str) -> dict[str, Any]:
    return {"update": {"comment": [{"add": {"body": text}}]}}


def _fields(ticket: Ticket) -> dict[str, Any]:
    return {
        "summary": ticket.title[:SUMMARY_LENGTH],
        "description": description_of(ticket),
        "duedate": ticket.due_date.isoformat() if ticket.due_date else None,
    }
