"""A standalone Spark cluster on loopback: a master and workers, each a process of its own."""

import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pytest

from spark_apps.runtime.java import java_environment

START_SECONDS: Final = 120
SPARK_BIN: Final = Path(java_environment()["SPARK_HOME"]) / "bin"
_HOST: Final = ("--host", "127.0.0.1", "--webui-port", "0")


@contextmanager
def cluster(
    folder: Path,
    environment: Mapping[str, str],
    workers: int,
    cores: int,
    of_worker: Mapping[int, Mapping[str, str]] = MappingProxyType({}),
) -> Iterator[str]:
    """Start a master and workers with scratch folders of their own; yields the master's address.

    ``of_worker`` has what differs in the environments of some workers, by their number.
    """
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"spark://127.0.0.1:{port}"
    with ExitStack() as stack:
        master = _start(stack, folder / "master", environment, "master.Master", "--port", str(port))
        _wait_for(port, master)
        for number in range(workers):
            _start(
                stack, folder / f"worker-{number}", {**environment, **of_worker.get(number, {})},
                "worker.Worker", "--cores", str(cores), "--memory", "2g", address,
            )  # fmt: skip
        yield address


def _start(
    stack: ExitStack, scratch: Path, environment: Mapping[str, str], role: str, *arguments: str
) -> subprocess.Popen[bytes]:
    scratch.mkdir(parents=True)
    log = stack.enter_context((scratch / "log").open("wb"))
    own = {"SPARK_WORKER_DIR": scratch, "SPARK_LOCAL_DIRS": scratch, "TMPDIR": scratch}
    process = subprocess.Popen(
        [SPARK_BIN / "spark-class", f"org.apache.spark.deploy.{role}", *_HOST, *arguments],
        cwd=scratch,
        env={**environment, **{name: str(place) for name, place in own.items()}},
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    stack.callback(process.wait, timeout=START_SECONDS)
    stack.callback(process.terminate)
    return process


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with closing(socket.socket()) as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    pytest.fail(f"nothing listens on port {port}")
