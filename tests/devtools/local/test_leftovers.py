"""What a killed run left is ended by the next one in its folder, and nothing else is."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from devtools.local import processes
from devtools.local.processes import end_leftovers, mark, programs_of

pytestmark = pytest.mark.thorough
SLEEP = "import time; time.sleep(600)"
WITH_DAEMON = (
    "import subprocess, sys, time\n"
    f"code = {f'print(1, flush=True); {SLEEP}'!r}\n"
    "made = subprocess.Popen("
    "[sys.executable, '-c', code], start_new_session=True, stdout=subprocess.PIPE)\n"
    "print(int(made.stdout.readline()), flush=True)\n"
    "time.sleep(600)\n"
)
DEAF = (
    f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); {SLEEP}"
)
TITLED = (
    f"import setproctitle; setproctitle.setproctitle('t' * 9999); print(1, flush=True); {SLEEP}"
)


class Runs:
    """Programs of runs in folders."""

    def __init__(self) -> None:
        self.started: list[subprocess.Popen[str]] = []

    def start(self, code: str, var: Path) -> subprocess.Popen[str]:
        """Start a program of the run in a folder and wait for its first line."""
        process = subprocess.Popen(
            [sys.executable, "-c", code],
            env={**os.environ, **mark(var)},
            stdout=subprocess.PIPE,
            text=True,
        )
        self.started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "1\n"
        return process


def has_ended(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


@pytest.fixture
def runs() -> Iterator[Runs]:
    made = Runs()
    yield made
    for process in made.started:
        process.kill()
        process.communicate()


def test_a_program_and_what_left_its_session_are_ended(runs: Runs, tmp_path: Path) -> None:
    parent = runs.start(WITH_DAEMON, tmp_path)
    (daemon,) = psutil.Process(parent.pid).children()
    assert end_leftovers(tmp_path) == 2
    assert has_ended(parent.pid)
    assert has_ended(daemon.pid)
    assert end_leftovers(tmp_path) == 0


def test_the_programs_of_another_folder_go_on(runs: Runs, tmp_path: Path) -> None:
    other = runs.start(f"print(1, flush=True); {SLEEP}", tmp_path / "other")
    assert end_leftovers(tmp_path) == 0
    assert other.poll() is None


def test_one_that_does_not_listen_is_ended_by_force(
    runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "STOP_SECONDS", 0.1)
    deaf = runs.start(DEAF, tmp_path)
    assert end_leftovers(tmp_path) == 1
    assert has_ended(deaf.pid)


def test_one_with_a_title_as_airflow_gives_is_found(runs: Runs, tmp_path: Path) -> None:
    titled = runs.start(TITLED, tmp_path)
    assert [process.pid for process in programs_of(tmp_path)] == [titled.pid]


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
