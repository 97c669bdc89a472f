"""The summary at the end of the local run."""

from __future__ import annotations

import os
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from devtools.local.airflow import InstallationKeys, LocalAirflow
from devtools.local.folders import LocalFolders, local_folders
from devtools.local.run import print_summary
from mqcap.domain.ticket import TicketState
from mqcap.store.database import Store
from mqcap.store.feeds import replace_feed_days
from mqcap.store.findings import replace_findings
from mqcap.store.tickets import save_ticket
from tests.factories import DAY, feed_day, finding, ticket
from tests.stores import new_store


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    store = new_store(tmp_path / "store.db")
    monkeypatch.setenv("MQCAP_STORE__URL", str(store.url))
    return store


@pytest.fixture
def folders(tmp_path: Path) -> LocalFolders:
    return local_folders(tmp_path / "var")


def printed(folders: LocalFolders, **options: Any) -> str:
    """Return the summary as a console of 60 columns, or a pipe, gets it."""
    airflow = LocalAirflow(folders, 8080, InstallationKeys("p", "j", "f"), {})
    console = Console(file=StringIO(), width=60, **options)
    print_summary(console, airflow, folders, DAY)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_findings_and_feeds_of_the_day_are_printed(store: Store, folders: LocalFolders) -> None:
    replace_findings(store, DAY, [finding()])
    replace_feed_days(store, DAY, DAY, [feed_day("PLEX1/CSQ2")])
    text = printed(folders)
    assert "CSQ1 active" in text
    assert "PLEX1/CSQ2" in text


def test_without_data_findings_there_is_no_table_of_them(
    store: Store, folders: LocalFolders
) -> None:
    replace_findings(store, DAY, [finding()])
    assert "PLEX1/CSQ2" not in printed(folders)


def test_tickets_are_counted_by_state_and_the_page_is_named(
    store: Store, folders: LocalFolders
) -> None:
    for number, state in enumerate([TicketState.open, TicketState.closed, TicketState.open]):
        save_ticket(store, ticket(dedupe_key=f"KEY-{number}/PLEX1", state=state), "embedded")
    assert (
        "Tickets: 1 closed, 2 open; on the page http://localhost:8080/plugin/capacity\n"
        in printed(folders)
    )


def test_without_tickets_there_are_none(store: Store, folders: LocalFolders) -> None:
    assert "Tickets: none; on the page" in printed(folders)


def test_the_newest_email_is_named_on_one_line(store: Store, folders: LocalFolders) -> None:
    for seconds, name in ((200, "a/new.eml"), (100, "b/old.eml"), (300, "c/draft.txt")):
        file = folders.mail / name
        file.parent.mkdir()
        file.touch()
        os.utime(file, (seconds, seconds))
    assert f"Email: {folders.mail / 'a' / 'new.eml'}\n" in printed(folders)


def test_without_an_email_the_folder_is_named(store: Store, folders: LocalFolders) -> None:
    assert f"Email: none was due; the folder is {folders.mail}\n" in printed(folders)
