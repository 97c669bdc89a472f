"""The local run: its folders, progress, summary, port and lock."""

import io
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text

from devtools.local import folders as module
from devtools.local import run as local_run
from devtools.local.airflow import InstallationKeys, LocalAirflow
from devtools.local.folders import CHECKOUT, LocalFolders, local_folders
from devtools.local.processes import own_port
from devtools.local.run import LINE_SECONDS, ProgressDisplay, print_summary
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.ticket import TicketState
from mqcap.store.database import Store
from mqcap.store.feeds import replace_feed_days
from mqcap.store.findings import replace_findings
from mqcap.store.tickets import save_ticket
from tests.factories import DAY, feed_day, finding, ticket
from tests.stores import new_store


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_us_once_and_handlers_come_back(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with local_run._asked_to_stop():
        with pytest.raises(local_run.Stopped):
            os.kill(os.getpid(), number)
        os.kill(os.getpid(), number)  # the second one must not disturb the clearing up
    assert signal.getsignal(number) == before


def test_a_second_run_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    folders = local_folders(tmp_path)
    with (
        local_run._only_one(folders),
        pytest.raises(ConfigurationError, match="make run"),
        local_run._only_one(folders),
    ):
        pass
    with local_run._only_one(folders):
        pass


def test_a_folder_with_a_blank_is_quoted_in_that_line(tmp_path: Path) -> None:
    folders = LocalFolders(tmp_path / "my checkout", tmp_path)
    text = Text.from_markup(local_run.commands_text(folders)).plain
    assert f"cd '{tmp_path}/my checkout'; " in text


def test_everything_is_below_var_of_the_checkout_unless_another_folder_is_given(
    tmp_path: Path,
) -> None:
    places = vars(local_folders(tmp_path / "var"))
    assert places.pop("checkout") == CHECKOUT
    assert [path for path in places.values() if not path.is_relative_to(tmp_path / "var")] == []


def test_outside_a_checkout_the_error_points_to_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CHECKOUT", tmp_path)
    with pytest.raises(ConfigurationError) as raised:
        local_folders()
    assert "expected folders dags and plugins" in str(raised.value)
    assert "make run" in str(raised.value)


def test_phases_may_overlap_and_are_timed() -> None:
    text = io.StringIO()
    with ProgressDisplay(Console(file=text, width=80)) as progress, progress.phase("outer"):
        with progress.phase("inner") as working:
            working("at work")
        progress.print_line("in between")
    lines = text.getvalue().splitlines()
    assert [line.partition(" (")[0] for line in lines] == [
        "begin outer", "begin inner", "done inner", "in between", "done outer",
    ]  # fmt: skip


def test_a_file_gets_what_a_long_phase_does_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    text, clock = io.StringIO(), iter([0.0, LINE_SECONDS - 1, LINE_SECONDS, LINE_SECONDS + 1, 99.0])
    monkeypatch.setattr("devtools.local.run.time.monotonic", lambda: next(clock))
    progress = ProgressDisplay(Console(file=text, width=80))
    with progress, progress.phase("load") as working:
        for share in ("1 %", "40 %, 20 s left", "50 %"):
            working(share)
    assert text.getvalue().splitlines() == [
        "begin load", "  load: 40 %, 20 s left", "done load (99.0 s)",
    ]  # fmt: skip


def test_a_terminal_gets_no_line_when_a_phase_begins() -> None:
    text = io.StringIO()
    console = Console(file=text, width=80, force_terminal=True)
    with ProgressDisplay(console) as progress, progress.phase("load"):
        pass
    assert "begin load" not in text.getvalue()


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    store = new_store(tmp_path / "store.db")
    monkeypatch.setenv("MQCAP_STORE__URL", str(store.url))
    return store


@pytest.fixture
def folders(tmp_path: Path) -> LocalFolders:
    return local_folders(tmp_path / "var")


def test_findings_feeds_tickets_and_the_newest_email_are_printed(
    store: Store, folders: LocalFolders
) -> None:
    replace_findings(store, DAY, [finding()])
    replace_feed_days(store, DAY, DAY, [feed_day("PLEX1/CSQ2")])
    for number, state in enumerate([TicketState.open, TicketState.closed, TicketState.open]):
        save_ticket(store, ticket(dedupe_key=f"KEY-{number}/PLEX1", state=state), "embedded")
    for seconds, name in ((200, "a/new.eml"), (100, "b/old.eml"), (300, "c/draft.txt")):
        file = folders.mail / name
        file.parent.mkdir()
        file.touch()
        os.utime(file, (seconds, seconds))
    airflow = LocalAirflow(folders, 8080, InstallationKeys("p", "j", "f"), {})
    text = io.StringIO()
    print_summary(Console(file=text, width=60), airflow, DAY)
    page = "on the page http://localhost:8080/plugin/capacity"
    for words in (
        "CSQ1 active", "PLEX1/CSQ2", f"Tickets: 1 closed, 2 open; {page}\n",
        f"Email: {folders.mail / 'a' / 'new.eml'}\n",
    ):  # fmt: skip
        assert words in text.getvalue()


HOLDS = (
    "import sys; from devtools.local.processes import own_port\n"
    "with own_port(int(sys.argv[1])) as port:\n"
    "    print(port, flush=True); sys.stdin.read()\n"
)


def some_port() -> int:
    """A port that nobody uses, far from those that other programs look for first."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_a_port_in_use_or_wanted_by_airflow_is_passed_over() -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        taken = busy.getsockname()[1]
        with own_port(taken) as port:
            assert port > taken
    with own_port(8793) as port:
        assert port not in {8793, 8794}


def test_of_two_runs_that_start_at_once_each_has_a_port_before_either_listens() -> None:
    with own_port(some_port()) as one, own_port(one) as other:
        assert other > one
    with own_port(one) as free:
        assert free == one


@pytest.mark.thorough
def test_a_run_that_is_killed_leaves_its_port_free() -> None:
    command = [sys.executable, "-c", HOLDS, str(some_port())]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as run:  # type: ignore[call-overload]
        port = int(run.stdout.readline())
        with own_port(port) as other:
            assert other > port
        run.kill()
        run.wait()
        with own_port(port) as free:
            assert free == port
