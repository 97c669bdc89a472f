"""A port belongs to one run."""

from __future__ import annotations

import socket
import subprocess
import sys

import pytest

from devtools.local.ports import own_port

HOLDS = (
    "import sys; from devtools.local.ports import own_port\n"
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
