"""Programs are started in groups of their own and leave nothing behind, also when killed."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from devtools.local import processes
from devtools.local.processes import StartedPrograms, end_leftovers, mark, programs_of
from mqcap.domain.errors import ServiceUnavailable

SLEEP = "import time; time.sleep(600)"
WITH_CHILD = (
    "import pathlib, subprocess, sys, time\n"
    f"child = subprocess.Popen([sys.executable, '-c', {SLEEP!r}])\n"
    "pathlib.Path(sys.argv[1]).write_text(str(child.pid))\n"
    "time.sleep(600)\n"
)
READY = f"print(1, flush=True); {SLEEP}"
DEAF = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {READY}"
TITLED = f"import setproctitle; setproctitle.setproctitle('t' * 9999); {READY}"
WITH_DAEMON = (
    "import subprocess, sys, time\n"
    f"made = subprocess.Popen([sys.executable, '-c', {READY!r}],"
    " start_new_session=True, stdout=subprocess.PIPE)\n"
    "print(int(made.stdout.readline()), flush=True)\n"
    "time.sleep(600)\n"
)


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def has_ended(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


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
    assert not has_ended(child)
    programs.stop()
    until(lambda: has_ended(child))


@pytest.mark.thorough
def test_a_program_that_does_not_listen_is_ended_by_force(
    programs: StartedPrograms, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("devtools.local.processes.STOP_SECONDS", 0.2)
    program = programs.start("deaf", python(DEAF), os.environ)
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


Start = Callable[[str, Path], subprocess.Popen[str]]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start a program of the run in a folder and wait for its first line; it is ended."""
    started: list[subprocess.Popen[str]] = []

    def begun(code: str, var: Path) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            python(code), env={**os.environ, **mark(var)}, stdout=subprocess.PIPE, text=True
        )
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "1\n"
        return process

    yield begun
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.thorough
def test_a_program_and_what_left_its_session_are_ended(start: Start, tmp_path: Path) -> None:
    parent = start(WITH_DAEMON, tmp_path)
    (daemon,) = psutil.Process(parent.pid).children()
    assert end_leftovers(tmp_path) == 2
    assert has_ended(parent.pid)
    assert has_ended(daemon.pid)
    assert end_leftovers(tmp_path) == 0


@pytest.mark.thorough
def test_the_programs_of_another_folder_go_on(start: Start, tmp_path: Path) -> None:
    other = start(READY, tmp_path / "other")
    assert end_leftovers(tmp_path) == 0
    assert other.poll() is None


@pytest.mark.thorough
def test_one_that_does_not_listen_is_ended_by_force(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "STOP_SECONDS", 0.1)
    deaf = start(DEAF, tmp_path)
    assert end_leftovers(tmp_path) == 1
    assert has_ended(deaf.pid)


@pytest.mark.thorough
def test_one_with_a_title_as_airflow_gives_is_found(start: Start, tmp_path: Path) -> None:
    titled = start(TITLED, tmp_path)
    assert [process.pid for process in programs_of(tmp_path)] == [titled.pid]


@pytest.mark.thorough
def test_neither_this_process_nor_the_one_that_started_it_is_left_over(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path\n"
        "from devtools.local.processes import end_leftovers\n"
        f"print(end_leftovers(Path({str(tmp_path)!r})))\n"
    )
    shell = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {code!r}], check=True)"
    done = subprocess.run(
        [sys.executable, "-c", shell],
        env={**os.environ, **mark(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "0\n"
