"""Programs are started in groups of their own and leave nothing behind."""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from devtools.local.processes import StartedPrograms
from mqcap.domain.errors import ServiceUnavailable

SLEEP = "import time; time.sleep(600)"
WITH_CHILD = (
    "import pathlib, subprocess, sys, time\n"
    f"child = subprocess.Popen([sys.executable, '-c', {SLEEP!r}])\n"
    "pathlib.Path(sys.argv[1]).write_text(str(child.pid))\n"
    "time.sleep(600)\n"
)
DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True)"


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def is_alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[StartedPrograms]:
    running = StartedPrograms(tmp_path / "log")
    yield running
    running.stop()


def python(code: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", code, *arguments]


def test_stopping_takes_what_a_program_started_with_it(
    programs: StartedPrograms, tmp_path: Path
) -> None:
    note = tmp_path / "pid"
    programs.start("parent", python(WITH_CHILD, str(note)), os.environ)
    until(lambda: note.exists() and note.read_text() != "")
    child = int(note.read_text())
    assert is_alive(child)
    programs.stop()
    until(lambda: not is_alive(child))


@pytest.mark.thorough
def test_a_program_that_does_not_listen_is_ended_by_force(
    programs: StartedPrograms, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("devtools.local.processes.STOP_SECONDS", 0.2)
    program = programs.start("deaf", python(f"{DEAF}; {SLEEP}"), os.environ)
    until(lambda: program.tail() == "1")
    programs.stop()
    assert program.process.poll() is not None


def test_a_program_runs_in_a_group_of_its_own(programs: StartedPrograms) -> None:
    program = programs.start("sleeper", python(SLEEP), os.environ)
    assert os.getpgid(program.process.pid) == program.process.pid != os.getpgid(0)


def test_a_program_that_must_end_well_says_what_it_printed(programs: StartedPrograms) -> None:
    with pytest.raises(ServiceUnavailable, match="code 3") as raised:
        programs.complete("worker", python("print('no disk'); raise SystemExit(3)"), os.environ)
    assert raised.value.found == "no disk"


def test_the_last_line_of_a_program_is_passed_on_while_it_works(
    programs: StartedPrograms, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("devtools.local.processes.FOLLOW_SECONDS", 0.01)
    lines: list[str] = []
    code = "print('first'); print('half', flush=True)\n"
    code += "import time; time.sleep(600)"

    def working(line: str) -> None:
        lines.append(line)
        if line == "half":
            programs.started[0].process.terminate()

    with pytest.raises(ServiceUnavailable):
        programs.complete("worker", python(code), os.environ, working)
    assert lines[-1] == "half"


def test_a_program_that_ended_well_is_forgotten(programs: StartedPrograms) -> None:
    programs.complete("worker", python("pass"), os.environ)
    programs.check()
    assert programs.started == []


def test_a_server_that_ended_is_noticed(programs: StartedPrograms) -> None:
    program = programs.start("server", python("print('port taken')"), os.environ)
    program.process.wait()
    with pytest.raises(ServiceUnavailable, match="port taken"):
        programs.check()


def test_stopping_ends_the_wait_for_a_program(programs: StartedPrograms) -> None:
    errors: list[ServiceUnavailable] = []

    def wait() -> None:
        try:
            programs.complete("worker", python(SLEEP), os.environ)
        except ServiceUnavailable as error:
            errors.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    until(lambda: bool(programs.started))
    programs.stop()
    thread.join(20)
    assert len(errors) == 1


def test_nothing_is_started_once_everything_is_being_stopped(programs: StartedPrograms) -> None:
    programs.stop()
    with pytest.raises(ServiceUnavailable):
        programs.start("late", python(SLEEP), os.environ)
    with pytest.raises(ServiceUnavailable):
        programs.check()
