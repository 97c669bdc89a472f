"""Mail server and tracker that drop a run: after a rerun all is as if they never had.

A mail server that hangs up when it has the text may have the email: tests/mqcap/steps/notify.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import pytest

from mqcap.domain.errors import ServiceUnavailable
from mqcap.settings import SmtpServer, load_settings
from mqcap.steps import runner
from tests.faults.notified import parts, without_references
from tests.faults.site import LAST_DAY, Contents, Site, contents, differences
from tests.mqcap.notifications.jira_server import JiraState, jira_server
from tests.mqcap.notifications.smtp_server import Mailbox, smtp_server

pytestmark = [pytest.mark.spark, pytest.mark.end_to_end]

NOBODY: Final = 1
"""A port at which nobody listens."""


class Around(NamedTuple):
    server: SmtpServer
    mailbox: Mailbox
    url: str
    tracker: JiraState

    def alert(self, **changed: Any) -> None:
        settings = load_settings()
        options = {"url": changed.get("url", self.url), "project": "CAP"}
        options |= {"timeout_seconds": "5", "search_lag_seconds": "0"}
        alerts = settings.alerts.model_copy(
            update={"ticket_backend": "jira", "ticket_options": options}
        )
        smtp = self.server.model_copy(update={"port": changed.get("port", self.server.port)})
        changed_settings = settings.model_copy(update={"alerts": alerts})
        runner.alert(changed_settings, LAST_DAY, smtp=smtp)

    def left(self, site: Site) -> Contents:
        arrived = [parts(mail.as_string()) for mail in self.mailbox.mails]
        return {**without_references(contents(site.work)), "mails": arrived, **self.tracker.issues}


Fault = Callable[[Around], dict[str, Any]]


def refused(tracker: int) -> Fault:
    def prepare(around: Around) -> dict[str, Any]:
        around.tracker.faults = [tracker]
        return {}

    return prepare


def dropped(around: Around) -> dict[str, Any]:
    around.tracker.reply_delays = [0.0]
    return {}


def hung_up(place: str) -> Fault:
    def prepare(around: Around) -> dict[str, Any]:
        around.mailbox.hang_ups = [place]
        return {}

    return prepare


FAULTS: Final[dict[str, Fault]] = {
    "no tracker": lambda _: {"url": f"http://127.0.0.1:{NOBODY}"},
    "tracker drops the answer": dropped,
    **{f"tracker answers {status}": refused(status) for status in (409, 429, 500, 503)},
    "no mail server": lambda _: {"port": NOBODY},
    "mail server drops at the recipient": hung_up("recipient"),
}


def contents_after(site: Site, prepare: Fault | None) -> Contents:
    site.back_to("size")
    with smtp_server() as (server, mailbox), jira_server() as (url, tracker):
        around = Around(server, mailbox, url, tracker)
        if prepare is not None:
            with pytest.raises(ServiceUnavailable):
                around.alert(**prepare(around))
        around.alert()
        return around.left(site)


@pytest.fixture(scope="module")
def undisturbed(site: Site) -> Contents:
    return contents_after(site, None)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_service_that_drops_the_run_is_served_by_running_it_again(
    site: Site, undisturbed: Contents, fault: str
) -> None:
    assert differences(contents_after(site, FAULTS[fault]), undisturbed) == []
