"""JSON services over HTTP: errors, retries and secrets."""

import traceback
from base64 import b64encode

import pytest

from mqcap.domain.errors import CapacityError, ConfigurationError, ServiceUnavailable
from mqcap.notifications.ticket_delivery import TicketBackend
from mqcap.notifications.tickets.registry import backend
from tests.factories import ticket
from tests.mqcap.notifications.json_server import Hook, Table, json_server

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("name", ["jira", "servicenow", "webhook"])
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (429, ServiceUnavailable),
        (500, ServiceUnavailable),
        ("<html>log in", ServiceUnavailable),
        (401, ConfigurationError),
        (302, ConfigurationError),
    ],
    ids=["429", "500", "garbage", "401", "302"],
)
def test_a_server_that_misbehaves_is_named_and_asked_again(
    request: pytest.FixtureRequest, name: str, fault: int | str, error: type[Exception]
) -> None:
    tracker, state = request.getfixturevalue(name)
    state.faults = [fault]
    with pytest.raises(error) as raised:
        tracker.open_or_update(ticket())
    assert "hidden-word" not in str(raised.value)
    assert tracker.open_or_update(ticket())


def test_a_conflict_is_tried_again_by_servicenow_and_known_already_to_a_webhook(
    servicenow: tuple[TicketBackend, Table], webhook: tuple[TicketBackend, Hook]
) -> None:
    tracker, table = servicenow
    table.faults = [409]
    with pytest.raises(ServiceUnavailable, match="409"):
        tracker.open_or_update(ticket())
    receiver, hook = webhook
    hook.faults = [409]
    assert receiver.open_or_update(ticket())


@pytest.mark.parametrize("name", ["servicenow", "webhook"])
def test_a_change_that_was_made_and_never_confirmed_is_made_once(
    request: pytest.FixtureRequest, name: str
) -> None:
    tracker, state = request.getfixturevalue(name)
    state.reply_delays = [0.0]
    with pytest.raises(ServiceUnavailable, match="does not answer"):
        tracker.open_or_update(ticket())
    tracker.open_or_update(ticket())
    assert len(state.records if name == "servicenow" else state.done) == 1


@pytest.mark.parametrize("name", ["jira", "servicenow", "webhook"])
def test_wrong_options_of_a_service_are_named(name: str) -> None:
    with pytest.raises(ConfigurationError, match="urll"):
        backend(name, {"urll": "http://localhost"})


SECRET = "hunter2"
PROJECT: dict[str, dict[str, str]] = {"jira": {"project": "CAP"}, "servicenow": {}, "webhook": {}}


@pytest.mark.parametrize(
    ("name", "path"), [("webhook", f"/{SECRET}"), ("webhook", f"?key={SECRET}"), ("servicenow", "")]
)
@pytest.mark.parametrize(
    "fault",
    [500, 401, f"you sent Bearer {SECRET}", f"Cannot POST /{SECRET}", f"no key={SECRET}", None],
)
def test_the_secrets_of_a_request_are_in_no_error(
    name: str, path: str, fault: int | str | None
) -> None:
    state = Hook() if name == "webhook" else Table()
    with json_server(state) as url:
        options = {"url": f"{url}{path}", "token": SECRET, "timeout_seconds": "0.2"}
        state.faults, state.reply_delays = [fault] if fault else [], [] if fault else [0.4]
        with pytest.raises(CapacityError) as raised:
            backend(name, options).open_or_update(ticket())
    assert SECRET not in "".join(traceback.format_exception(raised.value))
    assert url in str(raised.value)


def test_user_and_password_are_not_repeated_as_they_were_encoded() -> None:
    state, encoded = Table(), b64encode(f"planner:{SECRET}".encode()).decode()
    state.faults = [f"not allowed: Basic {encoded}"]
    with json_server(state) as url, pytest.raises(CapacityError) as raised:
        options = {"url": url, "user": "planner", "token": SECRET}
        backend("servicenow", options).open_or_update(ticket())
    assert encoded not in "".join(traceback.format_exception(raised.value))


@pytest.mark.parametrize("end", ["/hook/", "/hook?token=a/", "/hook"])
def test_a_webhook_is_posted_to_its_address_to_the_letter(end: str) -> None:
    hook = Hook()
    with json_server(hook) as url:
        backend("webhook", {"url": f"{url}{end}"}).open_or_update(ticket())
    assert hook.requests == [f"POST {end}"]


@pytest.mark.parametrize("name", ["jira", "servicenow", "webhook"])
@pytest.mark.parametrize("address", ["tracker/x", "ftp://tracker", "https://tracker:abc", "https:"])
def test_what_is_no_http_address_is_a_setting_to_correct(name: str, address: str) -> None:
    with pytest.raises(ConfigurationError, match="this is not an HTTP address"):
        backend(name, {"url": address, **PROJECT[name]})


@pytest.mark.parametrize("name", ["jira", "servicenow", "webhook"])
def test_an_address_with_a_password_in_it_is_refused_without_repeating_it(name: str) -> None:
    options = {"url": f"https://mqcap:{SECRET}@tracker", "project": "CAP"}
    with pytest.raises(ConfigurationError, match="beside it") as raised:
        backend(name, options)
    assert SECRET not in "".join(traceback.format_exception(raised.value))
