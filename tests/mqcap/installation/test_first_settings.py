"""The first settings file, and its places."""

import errno
import os
import re
import shutil
import socket
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from mqcap.domain.errors import ConfigurationError
from mqcap.installation.check import CheckState
from mqcap.installation.doctor import address_check, folder_check, inbox_check
from mqcap.installation.first_settings import (
    SiteAnswers,
    next_steps,
    package_section,
    settings_text,
    write_first_settings,
)
from mqcap.settings import Settings, load_settings
from mqcap.settings.loader import DEFAULT_FILE

ANSWERS = SiteAnswers(
    name="Bank: “north”",
    timezone="Europe/Copenhagen",
    sysplexes=("PLEX1", "1E5"),
    inbox=Path("/transfer/smf"),
    mail_to=("mq@example.com",),
)
SITE = Path("/srv/mq cap")


def settings_of(answers: SiteAnswers) -> Settings:
    return Settings.model_validate(yaml.safe_load(settings_text(answers, SITE)))


def test_what_was_answered_is_in_the_settings() -> None:
    settings = settings_of(ANSWERS)
    assert (settings.site.name, settings.site.timezone) == ("Bank: “north”", "Europe/Copenhagen")
    assert settings.zones() == {"PLEX1": "Europe/Copenhagen", "1E5": "Europe/Copenhagen"}
    assert settings.ingest.inbox == Path("/transfer/smf")
    assert settings.alerts.mail_to == ("mq@example.com",)
    assert settings.lake == "/srv/mq cap/lake"
    assert settings.store.url.get_secret_value() == "sqlite:////srv/mq cap/store.db"


def test_no_figure_is_made_up() -> None:
    def numbers(value: Any) -> list[float]:
        if isinstance(value, dict):
            return [number for item in value.values() for number in numbers(item)]
        if isinstance(value, list):
            return [number for item in value for number in numbers(item)]
        return [value] if isinstance(value, int | float) else []

    text = settings_text(replace(ANSWERS, sysplexes=("PLEXA",)), SITE)
    document = yaml.safe_load(text)
    assert document.pop("grading") == yaml.safe_load(DEFAULT_FILE.read_text("utf-8"))["grading"]
    assert numbers(document) == []
    own = text.replace(package_section("grading"), "").replace("s3://", "").replace("psycopg2", "")
    assert re.findall(r"\d", " ".join(re.findall(r"#.*", own))) == []


@pytest.mark.parametrize(
    ("changed", "key"),
    [
        ({"timezone": "Europe/Nowhere"}, "site.timezone"),
        ({"sysplexes": ("TOOLONGNAME",)}, "estate.0"),
    ],
)
def test_an_answer_that_is_not_valid_is_named(changed: dict[str, Any], key: str) -> None:
    with pytest.raises(ConfigurationError, match=f"the answer for {key}"):
        settings_text(replace(ANSWERS, **changed), SITE)


def test_a_site_of_linux_alone_reads_nothing_of_mainframes() -> None:
    answers = replace(ANSWERS, sysplexes=(), places=("EAST", "west.2"), inbox=Path("/in"))
    settings = settings_of(answers)
    assert [part.root for part in settings.estate] == ["EAST", "west.2"]
    text = settings_text(answers, SITE).replace(package_section("grading"), "")
    steps = next_steps(answers, Path("x"))
    assert not re.search(r"(?i)sysplex|\bcfs\b|smf|dump|qsg", text + " ".join(steps))
    assert ("scrape_seconds" in text, "mqcap capture --kind linux" in steps) == (True, True)


@pytest.mark.parametrize(
    ("sysplexes", "places", "found"),
    [(("P",), (), ["P"]), (("P",), ("E",), ["P", "E"]), ((), ("E",), ["E"]), ((), (), [])],
)
def test_hints_and_steps_are_of_what_is_named_and_of_all_where_nothing_is(
    sysplexes: tuple[str, ...], places: tuple[str, ...], found: list[str]
) -> None:
    answers = replace(ANSWERS, sysplexes=sysplexes, places=places, mail_to=())
    text, steps = settings_text(answers, SITE), next_steps(answers, Path("x"))
    assert [part.root for part in settings_of(answers).estate] == found
    assert ("#    cfs:" in text) == ("mqcap smf check DUMP" in steps) == (not found or "P" in found)
    assert ("#    hosts:" in text) == (not found or "E" in found)


def test_an_address_needs_a_host() -> None:
    with pytest.raises(ConfigurationError, match="mail: no address; found mq"):
        settings_text(replace(ANSWERS, mail_to=("mq", "a@b")), SITE)


def test_the_file_is_written_and_read_as_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "site" / "platform.yaml"
    write_first_settings(replace(ANSWERS, inbox=tmp_path / "inbox"), file)
    assert (tmp_path / "inbox").is_dir()
    monkeypatch.setenv("MQCAP_SETTINGS_FILE", str(file))
    assert load_settings().site.name == ANSWERS.name
    assert next_steps(ANSWERS, file)[0] == f"export MQCAP_SETTINGS_FILE={file}"


def test_a_file_that_exists_is_left(tmp_path: Path) -> None:
    file = tmp_path / "platform.yaml"
    file.write_text("site: {}\n", "utf-8")
    with pytest.raises(ConfigurationError, match="exists already"):
        write_first_settings(replace(ANSWERS, inbox=tmp_path / "inbox"), file)
    assert file.read_text("utf-8") == "site: {}\n"
    assert not (tmp_path / "inbox").exists()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    with pytest.raises(ConfigurationError, match="cannot be written; found Not a directory"):
        write_first_settings(
            replace(ANSWERS, inbox=tmp_path / "taken" / "in"), tmp_path / "platform.yaml"
        )
    assert not (tmp_path / "platform.yaml").exists()


def test_a_full_disk_leaves_no_half_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = Path.write_bytes

    def fill(path: Path, content: bytes) -> None:
        original(path, content[:100])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fill)
    file = tmp_path / "platform.yaml"
    with pytest.raises(ConfigurationError, match="cannot be written; found No space left"):
        write_first_settings(replace(ANSWERS, inbox=tmp_path / "inbox"), file)
    assert list(tmp_path.iterdir()) == [tmp_path / "inbox"]


def test_a_section_of_the_package_has_its_comments_and_nothing_more() -> None:
    section = package_section("grading")
    assert section.startswith("# Limits come from the rules; these are our own choices.")
    assert list(yaml.safe_load(section)) == ["grading"]
    assert section in DEFAULT_FILE.read_text("utf-8")


@pytest.mark.parametrize(("below", "made"), [("", ""), ("a/b", ", made when it is needed")])
def test_a_folder_is_fine_and_one_that_is_not_there_is_not_made_now(
    tmp_path: Path, below: str, made: str
) -> None:
    check = folder_check("lake", tmp_path / below, "lake")
    assert (check.state, check.what) == (CheckState.fine, "lake")
    assert check.found.startswith(f"{tmp_path / below}{made}; ")
    assert check.found.endswith(" GiB free")
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


def test_a_server_that_listens_is_fine_and_one_that_does_not_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        place = f"127.0.0.1:{server.getsockname()[1]}"
        there = address_check("tracker", f"https://{place}/x", "url")
    assert there.state is CheckState.fine
    assert there.found == f"{place} answers; its login is not tried"
    gone = address_check("tracker", f"https://{place}/x", "url")
    assert gone.state is CheckState.to_do
    assert gone.found.startswith(f"{place} does not answer")


@pytest.mark.parametrize("address", ["", "jira", "ftp://host/x", "https:///path"])
def test_what_is_no_address_is_named(address: str) -> None:
    check = address_check("tracker", address, "alerts.ticket_options.url")
    assert (check.state, check.remedy) == (
        CheckState.to_do, "Correct alerts.ticket_options.url."
    )  # fmt: skip
