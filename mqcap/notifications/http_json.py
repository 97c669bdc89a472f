"""Client of a JSON service over HTTP, with the errors of this product."""

from collections.abc import Mapping
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
    """A service at one address. Redirects are not followed: they could disclose secrets."""

    def __init__(
        self,
        name: str,
        url: str,
        *,
        auth: tuple[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> None:
        # the path and the query of a webhook are often its secret
        self._name = f"{name} at {place_of(url)}"
        self._url = url.rstrip("/")
        self._auth = auth
        self._headers = {"Accept": "application/json", **(headers or {})}
        self._secrets = [url, *(auth or ())[1:], *(headers or {}).values()]
        self._timeout_seconds = timeout_seconds

    def call(self, method: str, path: str, about: str, **request: Any) -> Any:
        """Send a request and return the JSON of the response, ``None`` when it has no body.

        Raises ServiceUnavailable when a retry may help, ConfigurationError otherwise; neither
        contains anything of the request but ``about``.
        """
        try:
            # one connection per call: a run makes few, and none stays open
            with httpx.Client(
                auth=self._auth, headers=self._headers, timeout=self._timeout_seconds
            ) as client:
                response = client.request(method, f"{self._url}{path}", **request)
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
        for secret in filter(None, self._secrets):
            text = text.replace(secret.removeprefix("Bearer "), MASK)
        return text[:_SHOWN_LENGTH]
