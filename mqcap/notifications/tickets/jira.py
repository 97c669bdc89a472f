"""Jira (Server, Data Center or Cloud): one issue per resource, found again by its label.

A run that was killed between creating an issue and storing its reference finds it so. The last line
of the description holds the state of the last update.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any, Final

from atlassian import Jira
from pydantic import BaseModel, Field, SecretStr
from requests.exceptions import HTTPError, RequestException

from mqcap.domain.errors import CapacityError, ConfigurationError, ServiceUnavailable
from mqcap.domain.shown_text import MASK
from mqcap.domain.ticket import Ticket
from mqcap.notifications.acknowledgements import description_of, label_of, ticket_in_description
from mqcap.notifications.http_json import RETRYABLE
from mqcap.notifications.issue_tracker import (
    IssueRecord,
    IssueTrackerBackend,
    options_of,
    reopening_text,
)
from mqcap.notifications.ticket_delivery import TicketBackend, closing_comment, is_material

CONNECTION_ID: Final = "jira_default"
"""Airflow connection with address and secret."""
TIMEOUT_SECONDS: Final = 30
SUMMARY_LENGTH: Final = 255
"""Jira's own limit."""
NOT_FOUND: Final = 404


class JiraOptions(BaseModel, frozen=True, extra="forbid", hide_input_in_errors=True):
    """The keys of ``alerts.ticket_options``; the secret belongs in the environment."""

    url: str
    project: str
    user: str = ""
    """With ``token`` as its password or API token; without a user the token is a bearer."""
    token: SecretStr = SecretStr("")
    issue_type: str = "Task"
    done_status: str = "Done"
    cloud: bool = False
    reopen_status: str = "Open"
    search_lag_seconds: Annotated[float, Field(ge=0, le=120)] = 15.0
    """Time in which Jira's search finds an issue that was just created (ours)."""
    timeout_seconds: Annotated[int, Field(ge=1)] = TIMEOUT_SECONDS


class JiraIssues:
    """Issues of one project."""

    name = "jira"

    def __init__(self, options: JiraOptions) -> None:
        self._options = options
        secret = options.token.get_secret_value()
        self._jira = Jira(
            url=options.url,
            timeout=options.timeout_seconds,
            cloud=options.cloud,
            username=options.user or None,
            password=secret if options.user else None,
            token=None if options.user else secret or None,
        )

    def find(self, ticket: Ticket) -> IssueRecord | None:
        """Return the newest issue with the label, else the one whose reference is stored."""
        with self._errors_of(ticket):
            issue = self._find(ticket)
        if issue is None:
            return None
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
        with self._errors_of(ticket):
            return str(self._jira.create_issue(fields=fields)["key"])

    def update(self, record: IssueRecord, ticket: Ticket) -> None:
        """Write the fields and a comment in one request."""
        with self._errors_of(ticket):
            self._jira.issue_update(
                record.key, fields=_fields(ticket), update=_comment(ticket.comment)
            )

    def reopen(self, record: IssueRecord, ticket: Ticket) -> None:
        """Add a comment unless an earlier attempt did; then set the configured status."""
        before = ticket_in_description(record.description, ticket)
        with self._errors_of(ticket):
            if before is None or is_material(before, ticket):
                comment = _comment(reopening_text(ticket))
                self._jira.issue_update(record.key, fields=_fields(ticket), update=comment)
            self._jira.set_issue_status(record.key, self._options.reopen_status)

    def resolve(self, record: IssueRecord, ticket: Ticket) -> None:
        """Move the issue to the configured done status, with a comment."""
        with self._errors_of(ticket):
            self._jira.set_issue_status(
                record.key, self._options.done_status, update=_comment(closing_comment(ticket))
            )

    def comments(self, record: IssueRecord, ticket: Ticket) -> Iterator[tuple[str, str]]:
        """Return comments with the display names of their authors."""
        with self._errors_of(ticket):
            comments = (self._jira.issue_get_comments(record.key) or {}).get("comments", [])
        for comment in comments:
            yield str(comment["body"]), str(comment.get("author", {}).get("displayName", ""))

    def _find(self, ticket: Ticket) -> dict[str, Any] | None:
        """Return the issue of the search, else that of the stored reference.

        The search lags behind: after an attempt without a confirmation it is repeated once.
        """
        key = self._searched(ticket)
        if not key and not ticket.external_ref and ticket.tried:
            time.sleep(self._options.search_lag_seconds)
            key = self._searched(ticket)
        key = key or ticket.external_ref
        if not key:
            return None
        try:
            return dict(self._jira.issue(key, fields="status,description"))
        except HTTPError as error:
            if error.response is not None and error.response.status_code == NOT_FOUND:
                return None  # deleted by people: a new issue is created
            raise

    def _searched(self, ticket: Ticket) -> str:
        query = (
            f'project = "{self._options.project}" AND labels = "{label_of(ticket)}" '
            "ORDER BY created DESC"
        )
        response = self._jira.jql(query, fields=["status"], limit=1) or {}
        issues = response.get("issues", [])
        return str(issues[0]["key"]) if issues else ""

    @contextmanager
    def _errors_of(self, ticket: Ticket) -> Iterator[None]:
        try:
            yield
        except HTTPError as error:
            raise self._refused(ticket, error) from error
        except RequestException as error:
            raise ServiceUnavailable(
                f"Jira at {self._options.url} does not answer for {ticket.dedupe_key}",
                found=type(error).__name__,
                remedy="Check the address in alerts.ticket_options; then run the step again.",
            ) from error

    def _refused(self, ticket: Ticket, error: HTTPError) -> CapacityError:
        secret = self._options.token.get_secret_value()
        shown = str(error).replace(secret, MASK) if secret else str(error)
        status = error.response.status_code if error.response is not None else 0
        kind = ServiceUnavailable if status in RETRYABLE else ConfigurationError
        return kind(
            f"Jira at {self._options.url} refused {ticket.dedupe_key}",
            found=f"status {status}: {shown}",
            remedy="Run the step again."
            if kind is ServiceUnavailable
            else "Check project, issue_type, user and token in alerts.ticket_options.",
        )


def open_backend(options: Mapping[str, str]) -> TicketBackend:
    """Return Jira with these options; raises ConfigurationError that names a wrong one."""
    return IssueTrackerBackend(JiraIssues(options_of(JiraOptions, options, "a Jira project")))


def _comment(text: str) -> dict[str, Any]:
    return {"comment": [{"add": {"body": text}}]}


def _fields(ticket: Ticket) -> dict[str, Any]:
    return {
        "summary": ticket.title[:SUMMARY_LENGTH],
        "description": description_of(ticket),
        "duedate": ticket.due_date.isoformat() if ticket.due_date else None,
    }
