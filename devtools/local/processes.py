"""Programs and port of the local run, all ended and free at its end.

A process group per program means that Ctrl-C in the terminal reaches only us; we then stop the
programs in order, and whatever a program started goes with it. Each has the folder of the run in
its environment: so the next run in this folder finds those of a run that was killed.

A server binds its port seconds after it was chosen. Until then, and as long as the run lasts, the
UDP port of the same number is the mark that it is taken: nothing is sent there, and the system
frees it with the process, however that ends.
"""

import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psutil

from mqcap.domain.errors import ServiceUnavailable

MARK: Final = "LOCAL_RUN_OF_MQCAP"
"""The variable that holds the folder of the run."""
STOP_SECONDS: Final = 8.0
KILL_SECONDS: Final = 5.0


def polled(seconds: float, pause_seconds: float) -> Iterator[None]:
    """Yield once, and again after each pause until so many seconds are over."""
    end = time.monotonic() + seconds
    yield
    while time.monotonic() < end:
        time.sleep(pause_seconds)
        yield


def mark(var: Path) -> Mapping[str, str]:
    """Return the variables by which the programs of the run in a folder are known."""
    return {
        MARK: str(var),
        # Airflow gives its processes titles, which are written over the environment otherwise
        "SPT_NOENV": "1",
    }


def programs_of(var: Path) -> list[psutil.Process]:
    """Return the running programs of the run in a folder; this process is none of them."""
    own = psutil.Process()
    spared = {own.pid, *(process.pid for process in own.parents())}
    return [
        process
        for process in psutil.process_iter()
        if process.pid not in spared and _environment(process).get(MARK) == str(var)
    ]


def end_leftovers(var: Path) -> int:
    """End the programs of a run in this folder that was killed; return how many there were.

    Call it with the lock of the run only: the programs of a run that goes on look the same.
    """
    found: set[psutil.Process] = set()
    end = time.monotonic() + STOP_SECONDS
    while (running := programs_of(var)) and time.monotonic() < end:
        for process in {*running} - found:
            with suppress(psutil.NoSuchProcess):
                process.terminate()
        found.update(running)
        psutil.wait_procs(running, timeout=0.5)
    for process in running:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(running, timeout=KILL_SECONDS)
    return len(found | {*running})


def _environment(process: psutil.Process) -> Mapping[str, str]:
    """Return its environment; empty for a program of another user."""
    with suppress(psutil.Error, OSError):
        variables: Mapping[str, str] = process.environ()
        return variables
    return {}


TAIL_LINES: Final = 15
FOLLOW_SECONDS: Final = 1.0


@dataclass
class Program:
    """A started program and the file that holds its output."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path
    serves: bool
    """True for a program that runs until it is stopped."""

    def ends_within(self, seconds: float) -> bool:
        """Wait so long at most; return whether it has ended."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        return self.process.poll() is not None

    def tail(self) -> str:
        """Return the last lines of its output."""
        text = self.log.read_text(encoding="utf-8", errors="replace")
        return "\n".join(text.splitlines()[-TAIL_LINES:])

    def has_ended(self) -> ServiceUnavailable:
        """Return the error of its end, with its last lines."""
        return ServiceUnavailable(
            f"{self.name} ended with code {self.process.returncode}",
            found=self.tail(),
            remedy=f"The whole output is in {self.log}.",
        )

    def signal_group(self, number: signal.Signals) -> None:
        """Signal it and what it started; a group whose members all ended is none any more."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)


@dataclass
class StartedPrograms:
    """All programs of one local run."""

    logs: Path
    started: list[Program] = field(default_factory=list)
    stopping: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def start(
        self, name: str, command: Sequence[str], env: Mapping[str, str], *, serves: bool = True
    ) -> Program:
        """Start a program, by default one that serves; its output goes to ``<name>.log``."""
        with self._lock:
            if self.stopping:
                raise ServiceUnavailable(
                    f"{name} was not started", found="everything is being stopped"
                )
            self.logs.mkdir(parents=True, exist_ok=True)
            log = self.logs / f"{name}.log"
            with log.open("wb") as output:
                process = subprocess.Popen(  # noqa: S603 - our own commands
                    list(command),
                    env=dict(env),
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            program = Program(name, process, log, serves)
            self.started.append(program)
            return program

    def complete(
        self,
        name: str,
        command: Sequence[str],
        env: Mapping[str, str],
        working: Callable[[str], None] = lambda _line: None,
    ) -> None:
        """Start a program and wait for its end; ServiceUnavailable with its last lines if bad.

        ``working`` gets the last line of its output about every second.
        """
        program = self.start(name, command, env, serves=False)
        while not program.ends_within(FOLLOW_SECONDS):
            working(program.tail().rpartition("\n")[2])
        with self._lock:
            if program in self.started:
                self.started.remove(program)
        if program.process.returncode:
            raise program.has_ended()

    def check(self) -> None:
        """Raise ServiceUnavailable when a program that should serve has ended, or is to end."""
        if self.stopping:
            raise ServiceUnavailable("everything is being stopped")
        for program in self.started:
            if program.serves and program.process.poll() is not None:
                raise program.has_ended()

    def stop(self) -> None:
        """Ask all programs to end, wait, and end by force the groups that remain."""
        with self._lock:
            self.stopping = True
            programs, self.started = self.started, []
        for program in programs:
            program.signal_group(signal.SIGTERM)
        end = time.monotonic() + STOP_SECONDS
        for program in programs:
            program.ends_within(max(0.0, end - time.monotonic()))
        for program in programs:
            program.signal_group(signal.SIGKILL)
            program.process.wait()


FIRST_PORT: Final = 8080
RESERVED_PORTS: Final = frozenset({8793, 8794})
"""Airflow's own log servers use these by default."""
_PORTS: Final = 500


@contextmanager
def own_port(first: int) -> Iterator[int]:
    """Hold the first of 500 ports from ``first`` on that nobody uses and Airflow does not reserve.

    Raises ServiceUnavailable when none is free.
    """
    for port in range(first, first + _PORTS):
        with socket.socket(type=socket.SOCK_DGRAM) as mark:
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                is_free = _bound(mark, port) and _bound(probe, port)
            if is_free and port not in RESERVED_PORTS:
                yield port
                return
    raise ServiceUnavailable(
        f"no free port between {first} and {first + _PORTS - 1}",
        remedy="Stop a server that listens there.",
    )


def _bound(end: socket.socket, port: int) -> bool:
    with suppress(OSError):
        end.bind(("127.0.0.1", port))
        return True
    return False
