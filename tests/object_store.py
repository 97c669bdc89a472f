"""An S3 server on loopback, for tests of a lake in an object store."""

import logging
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import pyarrow.fs as pafs
import pytest
import requests
from moto.moto_server.werkzeug_app import (
    DomainDispatcherApplication,
    MotoRequestHandler,
    create_backend_app,
)
from werkzeug.serving import make_server

from mqcap.lake.objects import filesystem

BUCKET: Final = "lake"
_ERROR: Final = "<Error><Code>{}</Code><Message>{}</Message></Error>"


@dataclass(frozen=True)
class Answer:
    """What a server answers that does not do what it was asked for."""

    status: HTTPStatus
    code: str
    """Code of S3."""


SLOW_DOWN: Final = Answer(HTTPStatus.SERVICE_UNAVAILABLE, "SlowDown")
DENIED: Final = Answer(HTTPStatus.FORBIDDEN, "AccessDenied")
SKEWED: Final = Answer(HTTPStatus.FORBIDDEN, "RequestTimeTooSkewed")
Rule = Callable[[str, str], Answer | None]
"""From method and path, the answer of a server in trouble; ``None`` where it has none."""


class Trouble:
    """Trouble of the server: none at first. A rule may also wait."""

    def __init__(self) -> None:
        self._rule: Rule | None = None
        self.answered = 0
        """Requests that got the rule's answer."""

    @contextmanager
    def by(self, rule: Rule) -> Iterator[None]:
        """Follow a rule during the block."""
        self._rule, self.answered = rule, 0
        try:
            yield
        finally:
            self._rule = None

    def answer(self, environ: dict[str, Any]) -> Answer | None:
        """Return the answer to a request, if there is one."""
        rule = self._rule
        given = rule(environ["REQUEST_METHOD"], environ["PATH_INFO"]) if rule else None
        self.answered += given is not None
        return given


TROUBLE: Final = Trouble()


@contextmanager
def object_store() -> Iterator[str]:
    """Serve an empty bucket to this process and those that it starts; yields the address of a lake.

    Nothing of the machine's own credentials is used.
    """
    logging.getLogger("werkzeug").setLevel(logging.WARNING)  # else a line for each request
    server = make_server("127.0.0.1", 0, _application, True, request_handler=MotoRequestHandler)
    serving_thread = threading.Thread(target=server.serve_forever, daemon=True)
    serving_thread.start()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{server.server_port}",
            "AWS_ACCESS_KEY_ID": "reader",
            "AWS_SECRET_ACCESS_KEY": "not-a-secret",
            "AWS_REGION": "us-east-1",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
        }.items():
            patch.setenv(name, value)
        filesystem.cache_clear()
        requests.post(f"{serving()}/moto-api/reset", timeout=10)  # all servers have one content
        try:
            bucket_owner().create_dir(BUCKET)
            yield f"s3://{BUCKET}/site"
        finally:
            filesystem.cache_clear()
            requests.post(f"{serving()}/moto-api/reset-auth", data="inf", timeout=10)
            server.shutdown()
            serving_thread.join()
            server.server_close()


_moto: Final = DomainDispatcherApplication(create_backend_app)


def _application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    answer = TROUBLE.answer(environ)
    if answer is None:
        answered: Iterable[bytes] = _moto(environ, start_response)
        return answered
    body = _ERROR.format(answer.code, answer.status.phrase).encode()
    environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    status = f"{answer.status.value} {answer.status.phrase}"
    start_response(
        status, [("Content-Type", "application/xml"), ("Content-Length", str(len(body)))]
    )
    return [body]


def bucket_owner() -> pafs.S3FileSystem:
    """Return a client that may create buckets."""
    return pafs.S3FileSystem(endpoint_override=serving(), allow_bucket_creation=True)


def serving() -> str:
    """Return the address of the server."""
    return os.environ["AWS_ENDPOINT_URL"]


def download(lake: str, folder: Path) -> None:
    """Copy every object of a lake to a folder."""
    store, path = filesystem("s3"), lake.removeprefix("s3://")
    for info in store.get_file_info(pafs.FileSelector(path, recursive=True)):
        if info.type is pafs.FileType.File:
            target = folder / Path(info.path).relative_to(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            with store.open_input_stream(info.path) as stream:
                target.write_bytes(stream.read())
