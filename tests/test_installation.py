"""`make install`: the Python that is taken, and what is left of an installation that fails."""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

PROJECT: Final = Path(__file__).parents[1]
STARTS: Final = "exit 0"
MISSING: Final = "echo 'command not found' >&2; exit 127"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a folder with what an installation starts from, and no package to install."""
    shutil.copy(PROJECT / "Makefile", tmp_path)
    for name in ("constraints.txt", "pyproject.toml"):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (1, 1))
    (tmp_path / "bin").mkdir()
    return tmp_path


def add_python(checkout: Path, name: str, script: str) -> None:
    path = checkout / "bin" / name
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


def start_make(checkout: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [shutil.which("make") or "make", *arguments],
        cwd=checkout,
        env={"PATH": f"{checkout / 'bin'}:/usr/bin:/bin", "HOME": os.environ.get("HOME", "/")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def make(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    started = start_make(checkout, *arguments)
    output, _ = started.communicate()
    return subprocess.CompletedProcess(started.args, started.returncode, output)


@pytest.mark.parametrize(
    ("newest", "taken"), [("python3.13", "python3.13"), ("python3.12", "python3.12")]
)
def test_the_newest_python_is_taken(checkout: Path, newest: str, taken: str) -> None:
    add_python(checkout, "python3.13", MISSING)
    add_python(checkout, "python3.11", STARTS)
    add_python(checkout, newest, STARTS)
    assert f"python='{taken}'" in make(checkout, "-n", "install").stdout


def test_without_a_supported_python_one_sentence_says_what_to_do(checkout: Path) -> None:
    for name in ("python3.13", "python3.12", "python3.11", "python3"):
        add_python(checkout, name, MISSING)
    result = make(checkout, "install")
    assert result.returncode != 0
    assert "mqcap needs Python 3.11, 3.12 or 3.13" in result.stdout
    assert "found none" in result.stdout


@pytest.mark.parametrize("ends_well", [True, False])
def test_who_waits_for_an_installation_that_ends_well_makes_none(
    checkout: Path, ends_well: bool
) -> None:
    again = "echo made again; exit 1"
    script = f'if [ "$2" = venv ]; then {again}; fi; exec {sys.executable} "$@"'
    add_python(checkout, "python3.13", script)
    with (checkout / "Makefile").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with start_make(checkout, "install", "PYTHON=python3.13") as second:
            assert second.stdout is not None
            assert "waiting for its end" in second.stdout.readline()
            if ends_well:
                (checkout / ".venv").mkdir()
                (checkout / ".venv" / "installed").touch()
            fcntl.flock(held, fcntl.LOCK_UN)
            assert ("made again" in second.stdout.read()) is not ends_well
    assert (second.returncode == 0) is ends_well


def test_nothing_is_left_of_an_installation_that_fails(checkout: Path) -> None:
    made = "mkdir -p .venv/bin && cp /bin/false .venv/bin/python"
    add_python(checkout, "python3.13", f'if [ "$2" = venv ]; then {made}; fi')
    result = make(checkout, "install", "PYTHON=python3.13")
    assert result.returncode != 0
    assert "run make again" in result.stdout
    assert not (checkout / ".venv").exists()


@pytest.mark.parametrize("has_ended", [False, True])
def test_what_a_killed_installation_left_is_not_used(checkout: Path, has_ended: bool) -> None:
    again = "echo made again; exit 1"
    add_python(checkout, "python3.13", f'if [ "$2" = venv ]; then {again}; fi')
    (checkout / ".venv" / "bin").mkdir(parents=True)
    shutil.copy(checkout / "bin" / "python3.13", checkout / ".venv" / "bin" / "python")
    if has_ended:
        (checkout / ".venv" / "installed").touch()
        os.utime(checkout / ".venv" / "installed", (0, 0))
    result = make(checkout, "install", "PYTHON=python3.13")
    assert ("made again" in result.stdout) != has_ended


FAKE_PIP: Final = """#!/bin/sh
case "$*" in
  *"config list") echo "global.extra-index-url='https://other.example'"; cat index.txt ;;
  *"pip install"*) echo "$*" >> pip.txt ;;
esac
"""


def pins_by_fake_programs(checkout: Path, index: str, uv: str) -> tuple[str, str]:
    """Install with a pip that notes its arguments and this uv; return what both were asked."""
    (checkout / "fake.sh").write_text(FAKE_PIP, encoding="utf-8")
    (checkout / "index.txt").write_text(index, encoding="utf-8")
    (checkout / "fake.sh").chmod(0o755)
    made = "mkdir -p .venv/bin && cp fake.sh .venv/bin/python && cp /bin/true .venv/bin/mqcap"
    add_python(checkout, "python3.13", f'if [ "$2" = venv ]; then {made}; fi')
    add_python(checkout, "uv", uv)
    (checkout / "constraints.txt").write_text("a==1\nb==2\n", encoding="utf-8")
    result = make(checkout, "install", "PYTHON=python3.13")
    assert result.returncode == 0, result.stdout
    asked = (checkout / "uv.txt", checkout / "pip.txt")
    by_uv, by_pip = (path.read_text(encoding="utf-8") if path.exists() else "" for path in asked)
    return by_uv, by_pip


@pytest.mark.parametrize(
    ("index", "asked"),
    [
        ("global.index-url='https://mirror.example/all'\n", "https://mirror.example/all"),
        (":env:.index-url='https://mirror.example'\n", "https://mirror.example"),
        ("", "none"),
    ],
)
def test_uv_asks_the_index_that_pip_is_configured_for(
    checkout: Path, index: str, asked: str
) -> None:
    uv = 'echo "${UV_DEFAULT_INDEX:-none} $*" >> uv.txt'
    by_uv, by_pip = pins_by_fake_programs(checkout, index, uv)
    assert [line.split()[0] for line in by_uv.splitlines()] == [asked, asked]
    assert "-r constraints.txt" in by_uv
    assert not by_pip


def test_where_uv_fails_pip_installs_the_pins_and_the_package(checkout: Path) -> None:
    _, by_pip = pins_by_fake_programs(checkout, "", "exit 2")
    assert by_pip.count("-r /dev/stdin") == 2
    assert by_pip.splitlines()[-1].endswith("-e .")
