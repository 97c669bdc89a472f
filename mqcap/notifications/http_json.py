"""Client of a JSON service over HTTP, with the errors of this product."""

from base64 import b64encode
from collections.abc import Iterator, Mapping
from typing import Any, Final

import httpx

from mqcap.domain.errors import CapacityError, ConfigurationError, ServiceUnavailable
from mqcap.domain.shown_text import MASK, place_of

TIMEOUT_SECONDS: Final = 30.0
RETRYABLE: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
"""Statuses after which the same request may succeed later."""
_SHOWN_LENGTH: Final = 200


class RequestRefused(ServiceUnavailable):
    """A service refused a request with a status after which a retry may succeed."""

    status_code: int = 0


class JsonService:
    """A service at one address. Redirects are not followed: they could disclose secrets.

    Raises ConfigurationError where the address is none of HTTP.
    """

    def __init__(
        self,
        name: str,
        url: str,
        *,
        auth: tuple[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> None:
        self._name = f"{name} at {place_of(url)}"
        self._url = _http_url(url)
        self._auth = auth
        self._headers = {"Accept": "application/json", **(headers or {})}
        secrets = {url, *_secrets_of_url(self._url), *(headers or {}).values()}
        if auth is not None:
            secrets |= {auth[1], b64encode(":".join(auth).encode()).decode()}
        self._secrets = sorted(filter(None, secrets), key=len, reverse=True)
        self._timeout_seconds = timeout_seconds

    def call(self, method: str, path: str, about: str, **request: Any) -> Any:
        """Send a request and return the JSON of the response, ``None`` when it has no body.

        Raises ServiceUnavailable when a retry may help, ConfigurationError otherwise; neither
        contains anything of the request but ``about``. ``path`` is below that of the address.
        """
        url = self._url.copy_with(path=f"{self._url.path.rstrip('/')}{path}") if path else self._url
        try:
            # one connection per call: a run makes few, and none stays open
            with httpx.Client(
                auth=self._auth, headers=self._headers, timeout=self._timeout_seconds
            ) as client:
                response = client.request(method, url, **request)
        except httpx.HTTPError as error:
            raise ServiceUnavailable(
                f"{self._name} does not answer for {about}",
                found=type(error).__name__,
                remedy="Check the address in alerts.ticket_options; then run the step again.",
            ) from error
        if not response.is_success:
            raise self._refused(response, about)
        try:
            return response.json() if response.content else None
        except ValueError as error:
            remedy = "Check the address in alerts.ticket_options: it may be that of a login page."
            raise ServiceUnavailable(
                f"the response of {self._name} to {about} is not JSON",
                found=repr(self._shown(response)),
                expected="a JSON document",
                remedy=remedy,
            ) from error

    def _refused(self, response: httpx.Response, about: str) -> CapacityError:
        problem = f"{self._name} refused {about}"
        response_text = f"status {response.status_code}: {self._shown(response)}"
        if response.status_code not in RETRYABLE:
            remedy = "Check address, user and secret in alerts.ticket_options."
            return ConfigurationError(problem, found=response_text, remedy=remedy)
        refused = RequestRefused(problem, found=response_text, remedy="Run the step again.")
        refused.status_code = response.status_code
        return refused

    def _shown(self, response: httpx.Response) -> str:
        """Return the beginning of a response without secrets: some servers repeat the request."""
        text = response.text
        for secret in self._secrets:
            text = text.replace(secret.removeprefix("Bearer "), MASK)
        return text[:_SHOWN_LENGTH]


def _http_url(address: str) -> httpx.URL:
    try:
        url = httpx.URL(address)
        found = "" if url.scheme in {"http", "https"} and url.host else place_of(address)
    except httpx.InvalidURL as error:
        found = str(error)
    if found:
        raise ConfigurationError(
            "alerts.ticket_options, url: this is not an HTTP address",
            found=found,
            expected="http or https, a host, and where it needs them port and path",
            remedy="Correct alerts.ticket_options (MQCAP_ALERTS__TICKET_OPTIONS__URL).",
        )
    return url


def _secrets_of_url(url: httpx.URL) -> Iterator[str]:
    """Yield path and query as sent and as read: those of a webhook are often its secret."""
    yield from filter(lambda path: path != "/", (url.path, url.raw_path.decode()))
    yield url.query.decode()
    yield from url.params.values()
