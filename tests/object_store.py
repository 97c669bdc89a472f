"""An S3 server on loopback, for tests of a lake in an object store."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pyarrow.fs as pafs
import pytest
import requests
from moto.server import ThreadedMotoServer

from mqcap.lake.object_store import filesystem

BUCKET: Final = "lake"


@contextmanager
def object_store() -> Iterator[str]:
    """Serve an empty bucket to this process and those that it starts; yields the address of a lake.

    Nothing of the machine's own credentials is used.
    """
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {
            "AWS_ENDPOINT_URL": f"http://{host}:{port}",
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
            server.stop()


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
