"""Client of a JSON service over HTTP: its options, and its errors as those of this product."""

from base64 import b64encode
from collections.abc import Mapping
from typing import Annotated, Any, Final, TypeVar

import httpx
from pydantic import BaseModel, Field, SecretStr, ValidationError

from mqcap.domain.errors import ConfigurationError, ServiceUnavailable
from mqcap.domain.shown_text import MASK, holds_secret, place_of

TIMEOUT_SECONDS: Final = 30.0
RETRYABLE: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
"""Statuses after which the same request may succeed later."""
_SHOWN_LENGTH: Final = 200


_Options = TypeVar("_Options", bound="ServiceOptions")


class ServiceOptions(BaseModel, frozen=True, extra="forbid", hide_input_in_errors=True):
    """Keys of ``alerts.ticket_options`` of every service; secrets belong in the environment."""

    url: str
    user: str = ""
    token: SecretStr = SecretStr("")
    """Password or API token of the user; without a user a bearer token."""
    timeout_seconds: Annotated[float, Field(gt=0)] = TIMEOUT_SECONDS


def options_of(model: type[_Options], options: Mapping[str, str], what: str) -> _Options:
    """Return the options of a service; ConfigurationError names a wrong one and not its value."""
    if holds_secret(options.get("url", "")):
        raise ConfigurationError(
            f"alerts.ticket_options, url: the address of {what} contains a user or a password",
            found=options["url"],
            expected="an address without them",
            remedy="Give user and token beside it, or login and password of the connection.",
        )
    try:
        return model.model_validate(dict(options))
    except ValidationError as error:
        wrong = "; ".join(
            f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors()
        )
        raise ConfigurationError(
            f"alerts.ticket_options does not describe {what}",
            found=wrong,
            expected=", ".join(model.model_fields),
            remedy="Correct alerts.ticket_options (MQCAP_ALERTS__TICKET_OPTIONS__...).",
        ) from error


class JsonService:
    """A service at one address; redirects are not followed: they could disclose secrets."""

    def __init__(self, name: str, options: ServiceOptions) -> None:
        self._name = f"{name} at {place_of(options.url)}"
        self._url = url = _http_url(options.url)
        self._timeout_seconds = options.timeout_seconds
        self._headers = {"Accept": "application/json"}
        secret = encoded = options.token.get_secret_value()
        if options.user:
            encoded = b64encode(f"{options.user}:{secret}".encode()).decode()
            self._headers["Authorization"] = f"Basic {encoded}"
        elif secret:
            self._headers["Authorization"] = f"Bearer {secret}"
        # path and query as sent and as read: those of a webhook are often its secret
        parts = {url.path, url.raw_path.decode(), url.query.decode(), *url.params.values()}
        secrets = parts | {options.url, secret, encoded}
        self._secrets = sorted(secrets - {"", "/"}, key=len, reverse=True)

    def call(
        self, method: str, path: str, about: str, *, taken: int | None = None, **request: Any
    ) -> Any:
        """Send a request to a path below the address; return the JSON of the response, if any.

        ``None`` also for the status ``taken``. Raises ServiceUnavailable when a retry may help,
        ConfigurationError otherwise; neither contains anything of the request but ``about``.
        """
        url = self._url.copy_with(path=f"{self._url.path.rstrip('/')}{path}") if path else self._url
        try:
            # one connection per call: a run makes few, and none stays open
            with httpx.Client(headers=self._headers, timeout=self._timeout_seconds) as client:
                response = client.request(method, url, **request)
        except httpx.HTTPError as error:
            raise ServiceUnavailable(
                f"{self._name} does not answer for {about}",
                found=type(error).__name__,
                remedy="Check the address in alerts.ticket_options; then run the step again.",
            ) from error
        if response.status_code == taken:
            return None
        if not response.is_success:
            kind = ServiceUnavailable if response.status_code in RETRYABLE else ConfigurationError
            raise kind(
                f"{self._name} refused {about}",
                found=f"status {response.status_code}: {self._shown(response)}",
                remedy="Run the step again."
                if kind is ServiceUnavailable
                else "Check address, user and secret in alerts.ticket_options.",
            )
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

    def _shown(self, response: httpx.Response) -> str:
        """Return the beginning of a response without secrets: some servers repeat the request."""
        text = response.text
        for secret in self._secrets:
            text = text.replace(secret, MASK)
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
