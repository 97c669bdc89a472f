"""Jira (Server, Data Center or Cloud): one issue per problem, found again by its label.

An issue carries a label made of the problem's key, so that a run that was killed between
creating the issue and remembering it finds it again. The last line of the description holds
what the issue last said; only a material change edits it and adds a comment, both in one
request.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any, Final

from atlassian import Jira
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError
from requests.exceptions import HTTPError, RequestException

from alerting.marking import Answer, description_of, label_of, last_answer, told_by
from alerting.ticketing import SETTLED, TicketBackend, is_material
from domain.errors import CapacityError, ConfigurationError, ServiceUnavailable
from domain.problem import MarkKind
from domain.ticket import Ticket

TIMEOUT_SECONDS: Final = 30
SUMMARY_LENGTH: Final = 255
"""Jira's own limit."""
NOT_FOUND: Final = 404

_RETRYABLE: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504})


class JiraOptions(BaseModel):
    """The keys of ``alerts.ticket_options``; the secret belongs in the environment."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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
    """How long Jira may take to find what was just created (ours)."""
    timeout_seconds: Annotated[int, Field(ge=1)] = TIMEOUT_SECONDS


class JiraTracker:
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

    def open_or_update(self, ticket: Ticket) -> str:
        """The key of the problem's issue: found, or created when there is none."""
        with self._answered(ticket):
            issue = self._find(ticket)
            if issue is None:
                return self._create(ticket)
            key = str(issue["key"])
            before = told_by(issue["fields"].get("description") or "", ticket)
            if _is_done(issue):
                # closed by people in this episode: theirs to decide; an older one: a new issue
                if not (before and before.first_seen_date == ticket.first_seen_date):
                    return self._create(ticket)
                return self._reopen(key, ticket) if ticket.reopen else key
            if before is None or is_material(before, ticket):
                self._update(key, ticket)
            return key

    def close(self, ticket: Ticket) -> None:
        """Move the issue to the configured done status unless it is there."""
        with self._answered(ticket):
            issue = self._find(ticket)
            if issue is None or _is_done(issue):
                return
            comment = {"comment": [{"add": {"body": SETTLED}}]}
            self._jira.set_issue_status(issue["key"], self._options.done_status, update=comment)

    def answer(self, ticket: Ticket) -> Answer | None:
        """What people wrote in comments, or said by the issue's status."""
        with self._answered(ticket):
            issue = self._find(ticket)
            if issue is None:
                return None
            said = (self._jira.issue_get_comments(issue["key"]) or {}).get("comments", [])
        who = [str(one.get("author", {}).get("displayName", "")) for one in said]
        found = last_answer(zip((str(one["body"]) for one in said), who, strict=True))
        if found is None and _category(issue) in {"done", "indeterminate"}:
            note = f"{issue['fields']['status'].get('name', '')} in Jira".strip()
            return Answer(kind=MarkKind.acknowledged, note=note)
        return found

    def _reopen(self, key: str, ticket: Ticket) -> str:
        comment = {"comment": [{"add": {"body": f"Back again.\n\n{ticket.body}"}}]}
        self._jira.set_issue_status(key, self._options.reopen_status, update=comment)
        return key

    def _find(self, ticket: Ticket) -> dict[str, Any] | None:
        """The newest issue with the label, else the one that we remember.

        Jira's search lags a little behind what was created, so the memory counts too; and after
        a try of which nobody knows the end the search is given time and asked again.
        """
        key = self._found(ticket)
        if not key and not ticket.external_ref and ticket.tried:
            time.sleep(self._options.search_lag_seconds)
            key = self._found(ticket)
        key = key or ticket.external_ref
        if not key:
            return None
        try:
            return dict(self._jira.issue(key, fields="status,description"))
        except HTTPError as error:
            if error.response is not None and error.response.status_code == NOT_FOUND:
                return None  # deleted by people: the problem needs a new one
            raise

    def _found(self, ticket: Ticket) -> str:
        query = (
            f'project = "{self._options.project}" AND labels = "{label_of(ticket)}" '
            "ORDER BY created DESC"
        )
        found = self._jira.jql(query, fields=["status"], limit=1) or {}
        issues = found.get("issues", [])
        return str(issues[0]["key"]) if issues else ""

    def _create(self, ticket: Ticket) -> str:
        fields = {
            "project": {"key": self._options.project},
            "issuetype": {"name": self._options.issue_type},
            "labels": ["mqcap", label_of(ticket)],
            **_fields(ticket),
        }
        return str(self._jira.create_issue(fields=fields)["key"])

    def _update(self, key: str, ticket: Ticket) -> None:
        comment = {"comment": [{"add": {"body": ticket.body}}]}
        self._jira.issue_update(key, fields=_fields(ticket), update=comment)

    @contextmanager
    def _answered(self, ticket: Ticket) -> Iterator[None]:
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
        status = error.response.status_code if error.response is not None else 0
        kind = ServiceUnavailable if status in _RETRYABLE else ConfigurationError
        return kind(
            f"Jira at {self._options.url} refused {ticket.dedupe_key}",
            found=f"status {status}: {error}",
            remedy="Run the step again."
            if kind is ServiceUnavailable
            else "Check project, issue_type, user and token in alerts.ticket_options.",
        )


def open_backend(options: Mapping[str, str]) -> TicketBackend:
    """Jira with these options; raises ConfigurationError that names a wrong one."""
    try:
        return JiraTracker(JiraOptions.model_validate(dict(options)))
    except ValidationError as error:
        wrong = "; ".join(
            f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors()
        )
        raise ConfigurationError(
            "alerts.ticket_options does not describe a Jira project",
            found=wrong,
            expected=", ".join(JiraOptions.model_fields),
            remedy="Correct alerts.ticket_options (MQCAP_ALERTS__TICKET_OPTIONS__...).",
        ) from error


def _fields(ticket: Ticket) -> dict[str, Any]:
    return {
        "summary": ticket.title[:SUMMARY_LENGTH],
        "description": description_of(ticket),
        "duedate": ticket.due_date.isoformat() if ticket.due_date else None,
    }


def _category(issue: Mapping[str, Any]) -> str:
    return str(issue["fields"]["status"].get("statusCategory", {}).get("key", ""))


def _is_done(issue: Mapping[str, Any]) -> bool:
    return _category(issue) == "done"
