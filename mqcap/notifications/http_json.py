"""One JSON service over HTTP: its answers become values, its failures our errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import httpx

from mqcap.domain.errors import CapacityError, ConfigurationError, ServiceUnavailable
from mqcap.domain.secrets import MASK, place_of

TIMEOUT_SECONDS: Final = 30.0
RETRYABLE: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
"""Statuses after which the same request may succeed later."""
_SHOWN_LENGTH: Final = 200


class JsonService:
    """A service at one address. Redirects are not followed: they could carry secrets away."""

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
        """The answer's JSON, ``None`` when it has none.

        Raises ServiceUnavailable when a later try may help, ConfigurationError otherwise;
        neither holds anything of the request but ``about``.
        """
        try:
            # one connection a call: a run makes few of them, and none is left open
            with httpx.Client(
                auth=self._auth, headers=self._headers, timeout=self._timeout_seconds
            ) as client:
                answer = client.request(method, f"{self._url}{path}", **request)
        except httpx.HTTPError as error:
            raise ServiceUnavailable(
                f"{self._name} does not answer for {about}",
                found=type(error).__name__,
                remedy="Check the address in alerts.ticket_options; then run the step again.",
            ) from error
        if not answer.is_success:
            raise self._refused(answer, about)
        try:
            return answer.json() if answer.content else None
        except ValueError as error:
            raise self._garbage(answer, about) from error

    def _refused(self, answer: httpx.Response, about: str) -> CapacityError:
        kind = ServiceUnavailable if answer.status_code in RETRYABLE else ConfigurationError
        return kind(
            f"{self._name} refused {about}",
            found=f"status {answer.status_code}: {self._shown(answer)}",
            remedy="Run the step again."
            if kind is ServiceUnavailable
            else "Check address, user and secret in alerts.ticket_options.",
        )

    def _shown(self, answer: httpx.Response) -> str:
        """The beginning of an answer, without what we sent: some servers repeat requests."""
        text = answer.text
        for secret in filter(None, self._secrets):
            text = text.replace(secret.removeprefix("Bearer "), MASK)
        return text[:_SHOWN_LENGTH]

    def _garbage(self, answer: httpx.Response, about: str) -> CapacityError:
        return ServiceUnavailable(
            f"{self._name} answered {about} with something that is not JSON",
            found=repr(self._shown(answer)),
            expected="a JSON document",
            remedy="Check the address in alerts.ticket_options: a login page answers like this.",
        )
