"""Folders and addresses of the settings."""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path
from types import SimpleNamespace

import pytest

from mqcap.installation.check import CheckState
from mqcap.installation.doctor import address_check, folder_check, inbox_check


def test_a_folder_that_can_be_written_is_fine(tmp_path: Path) -> None:
    check = folder_check("inbox", tmp_path, "ingest.inbox")
    assert (check.state, check.what) == (CheckState.fine, "inbox")
    assert check.found.startswith(f"{tmp_path}; ")
    assert check.found.endswith(" GiB free")


def test_a_folder_that_will_be_made_is_fine_and_is_not_made_now(tmp_path: Path) -> None:
    check = folder_check("lake", tmp_path / "a" / "b", "lake")
    assert check.state is CheckState.fine
    assert "made when it is needed" in check.found
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "lake").touch()
    check = folder_check("lake", tmp_path / "lake" / "hourly", "lake")
    assert check.state is CheckState.to_do
    assert check.remedy == f"Correct lake, or remove {tmp_path / 'lake'}."


def test_a_folder_without_permission_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    check = folder_check("lake", tmp_path / "new", "lake")
    assert check.state is CheckState.to_do
    assert f"{tmp_path} cannot be written to" in check.found


@pytest.mark.parametrize(
    ("free_bytes", "state"), [(0, CheckState.to_do), (1, CheckState.fine), (2**31, CheckState.fine)]
)
def test_a_disk_without_space_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free_bytes: int, state: CheckState
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free_bytes))
    check = folder_check("lake", tmp_path, "lake")
    assert check.state is state
    assert ("no space left" in check.found) is (state is CheckState.to_do)


@pytest.mark.parametrize("may_list", [True, False])
def test_an_inbox_has_to_be_read_and_not_to_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, may_list: bool
) -> None:
    def access(_path: Path, mode: int) -> bool:
        return may_list and not mode & os.W_OK

    monkeypatch.setattr(os, "access", access)
    check = inbox_check(tmp_path, "ingest.inbox")
    assert (check.state is CheckState.fine) is may_list
    assert ("cannot be read" in check.found) is not may_list


def test_an_inbox_that_is_not_there_is_made_when_it_is_needed(tmp_path: Path) -> None:
    check = inbox_check(tmp_path / "inbox", "ingest.inbox")
    assert (check.state, "made when it is needed" in check.found) == (CheckState.fine, True)


def test_a_server_that_listens_is_fine_and_one_that_does_not_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        check = address_check("tracker", f"https://127.0.0.1:{port}/x", "url")
    assert (check.state, check.found) == (
        CheckState.fine, f"127.0.0.1:{port} answers; its login is not tried"
    )  # fmt: skip
    check = address_check("tracker", f"https://127.0.0.1:{port}/x", "url")
    assert check.state is CheckState.to_do
    assert check.found.startswith(f"127.0.0.1:{port} does not answer")


@pytest.mark.parametrize("address", ["", "jira", "ftp://host/x", "https:///path"])
def test_what_is_no_address_is_named(address: str) -> None:
    check = address_check("tracker", address, "alerts.ticket_options.url")
    assert (check.state, check.remedy) == (
        CheckState.to_do, "Correct alerts.ticket_options.url."
    )  # fmt: skip
