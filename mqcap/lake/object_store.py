"""Clients of object stores, and the errors of a store as sentences.

``s3://`` is read and written by ``pyarrow.fs``; region, address and credentials are found as other
programs of AWS find them: in variables ``AWS_…``, its configuration files, or the machine's role.
Any other scheme is that of a package of fsspec, if it is installed.
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Final

import fsspec
import pyarrow.fs as pafs

from mqcap.domain.errors import ConfigurationError, ServiceUnavailable

S3: Final = "s3"
CONNECT_SECONDS: Final = 10.0
"""Time to wait for a connection (ours)."""
REQUEST_SECONDS: Final = 60.0
"""Time to wait for the next bytes of an answer (ours)."""
ATTEMPTS: Final = 5
"""Requests in all where a store fails, does not answer or asks for patience (ours)."""
_ADDRESS_VARIABLES: Final = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
_UNDELETED: Final = "errors when deleting objects in S3 bucket"
"""What pyarrow says when some of several objects cannot be deleted, whatever the reason."""
_CODE: Final = re.compile(r"AWS Error (\w+(?: \(HTTP status \d+\))?) during (\w+) operation")
_REMEDY_BY_CODE: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("ACCESS_DENIED", "INVALID_ACCESS_KEY_ID", "SIGNATURE_DOES_NOT_MATCH", "EXPIRED_TOKEN",
         "INVALID_CLIENT_TOKEN_ID", "UNRECOGNIZED_CLIENT", "INVALID_SIGNATURE"),
        "Check the credentials of this machine (AWS_ACCESS_KEY_ID, AWS_PROFILE or its role), and "
        "that they may list, read, write and delete in the bucket.",
    ),
    "REQUEST_TIME_TOO_SKEWED": "Set the clock of this machine; the object store refuses requests "
    "whose time differs by more than it allows.",
    "NO_SUCH_BUCKET": "Create the bucket, or correct lake in the settings (MQCAP_LAKE).",
}  # fmt: skip
_REMEDY: Final = (
    "Check that this machine reaches the object store (AWS_ENDPOINT_URL); then run the step again."
)


class LakeUnavailable(ServiceUnavailable):
    """The object store of the lake does not answer, or refuses."""


@cache
def filesystem(scheme: str) -> pafs.FileSystem:
    """Return the client of a kind of object store, one for each process.

    Raises ConfigurationError when the kind is not known or its package is not installed.
    """
    if scheme == S3:
        address = next(filter(None, map(os.environ.get, _ADDRESS_VARIABLES)), None)
        return pafs.S3FileSystem(
            endpoint_override=address,
            region=os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION"),
            connect_timeout=CONNECT_SECONDS,
            request_timeout=REQUEST_SECONDS,
            retry_strategy=pafs.AwsStandardS3RetryStrategy(max_attempts=ATTEMPTS),
        )
    try:
        return pafs.PyFileSystem(pafs.FSSpecHandler(fsspec.filesystem(scheme)))
    except (ImportError, ValueError) as error:
        raise ConfigurationError(
            f"lake: an object store of kind {scheme}:// cannot be opened",
            found=str(error),
            expected="a folder, or s3://bucket/folder",
            remedy="Correct lake in the settings, or MQCAP_LAKE.",
        ) from error


@contextmanager
def using(place: object, purpose: str) -> Iterator[pafs.FileSystem]:
    """Yield the client for a place ``scheme://key`` that is ``listed``, ``read`` or ``written``.

    Raises FileNotFoundError where there is no such object, and LakeUnavailable, with the code that
    the store has answered and never its text, for any other failure.
    """
    scheme = str(place).partition("://")[0]
    try:
        yield filesystem(scheme)
    except FileNotFoundError:
        raise
    except OSError as error:
        if error.errno is not None:
            raise
        code, operation = _answer(str(error))
        raise LakeUnavailable(
            f"{place} cannot be {purpose}",
            found=f"{code} of {operation}" if code else type(error).__name__,
            remedy=_REMEDY_BY_CODE.get(code, _REMEDY),
        ) from None


def _answer(text: str) -> tuple[str, str]:
    """Return the code that a store has answered, and the operation; empty where there is none."""
    found = _CODE.search(text)
    if found:
        return found[1], found[2]
    return ("ACCESS_DENIED", "DeleteObjects") if _UNDELETED in text else ("", "")
