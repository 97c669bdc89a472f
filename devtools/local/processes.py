"""Programs of the local run: each leads a process group of its own, and all are stopped at its end.

A group per program means that Ctrl-C in the terminal reaches only us; we then stop the programs in
order, and whatever a program started goes with it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from mqcap.domain.errors import ServiceUnavailable

STOP_SECONDS: Final = 8.0
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

    def is_running(self) -> bool:
        """Return True while the program runs."""
        return self.process.poll() is None

    def ends_within(self, seconds: float) -> bool:
        """Wait so long at most; return whether it has ended."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def tail(self) -> str:
        """Return the last lines of its output."""
        text = self.log.read_text(encoding="utf-8", errors="replace")
        return "\n".join(text.splitlines()[-TAIL_LINES:])


@dataclass
class StartedPrograms:
    """All programs of one local run."""

    logs: Path
    started: list[Program] = field(default_factory=list)
    stopping: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self, name: str, command: Sequence[str], env: Mapping[str, str]) -> Program:
        """Start a program that serves; its output goes to ``<name>.log``."""
        with self._lock:
            return self._start(name, command, env, serves=True)

    def _start(
        self, name: str, command: Sequence[str], env: Mapping[str, str], *, serves: bool
    ) -> Program:
        if self.stopping:
            raise ServiceUnavailable(f"{name} was not started", found="everything is being stopped")
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
        working: Callable[[str], None] | None = None,
    ) -> None:
        """Start a program and wait for its end; ServiceUnavailable with its last lines if bad.

        ``working`` gets the last line of its output about every second.
        """
        with self._lock:
            program = self._start(name, command, env, serves=False)
        if working is not None:
            while not program.ends_within(FOLLOW_SECONDS):
                working(program.tail().rpartition("\n")[2])
        code = program.process.wait()
        with self._lock:
            if program in self.started:
                self.started.remove(program)
        if code != 0:
            raise ServiceUnavailable(
                f"{name} ended with code {code}",
                found=program.tail(),
                remedy=f"The whole output is in {program.log}.",
            )

    def check(self) -> None:
        """Raise ServiceUnavailable when a program that should serve has ended, or is to end."""
        if self.stopping:
            raise ServiceUnavailable("everything is being stopped")
        for program in self.started:
            if program.serves and not program.is_running():
                raise ServiceUnavailable(
                    f"{program.name} ended with code {program.process.returncode}",
                    found=program.tail(),
                    remedy=f"The whole output is in {program.log}.",
                )

    def stop(self) -> None:
        """Ask all programs to end, wait, and end by force the groups that remain."""
        with self._lock:
            self.stopping = True
            programs, self.started = self.started, []
        for program in programs:
            _signal_group(program, signal.SIGTERM)
        end = time.monotonic() + STOP_SECONDS
        for program in programs:
            program.ends_within(max(0.0, end - time.monotonic()))
        for program in programs:
            _signal_group(program, signal.SIGKILL)
            program.process.wait()


def _signal_group(program: Program, number: signal.Signals) -> None:
    """Signal the process group; a group whose members all ended is none any more."""
    try:
        os.killpg(program.process.pid, number)
    except ProcessLookupError:
        return
