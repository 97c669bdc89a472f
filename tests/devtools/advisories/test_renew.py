"""The file of advisories is made from a copy of the database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from devtools.advisories import renew
from devtools.advisories.advisory import load
from devtools.advisories.renew import collected, read
from tests.devtools.advisories.builders import BETWEEN


def affected(name: str = "Jinja2", **changed: Any) -> dict[str, Any]:
    """Return the part of a database entry about one package."""
    ranges = [
        {"type": "GIT", "repo": "r", "events": [{"introduced": "0"}]},
        {"type": "ECOSYSTEM", "events": list(BETWEEN)},
    ]
    package = {"name": name, "ecosystem": "PyPI"}
    return {"package": package, "ranges": ranges, "versions": ["2.0", "2.1"], **changed}


def entry(**changed: Any) -> dict[str, Any]:
    values: dict[str, Any] = {
        "id": "PYSEC-2026-1",
        "aliases": ["CVE-2026-1"],
        "published": "2026-02-03T00:00:00Z",
        "details": "prose",
        "affected": [affected()],
    }
    return values | changed


def write(folder: Path, name: str, *entries: dict[str, Any]) -> None:
    (folder / "vulns" / name).mkdir(parents=True)
    for item in entries:
        (folder / "vulns" / name / f"{item['id']}.yaml").write_text(yaml.safe_dump(item))


def test_ranges_of_versions_are_kept_and_those_of_commits_are_not() -> None:
    [advisory] = read(entry())
    assert (advisory.package, advisory.ranges, advisory.versions) == ("jinja2", (BETWEEN,), ())


def test_versions_count_where_only_commits_have_ranges() -> None:
    [advisory] = read(entry(affected=[affected(ranges=affected()["ranges"][:1])]))
    assert (advisory.ranges, advisory.versions) == ((), ("2.0", "2.1"))


def test_an_entry_gives_one_advisory_per_package_under_its_canonical_name() -> None:
    both = entry(affected=[affected(), affected("Apache_Airflow.Core")])
    assert [item.package for item in read(both)] == ["jinja2", "apache-airflow-core"]


def test_a_withdrawn_entry_gives_none() -> None:
    assert list(read(entry(withdrawn="2026-03-01T00:00:00Z"))) == []


def test_only_entries_of_pinned_packages_are_collected_in_the_order_of_names(
    tmp_path: Path,
) -> None:
    write(tmp_path, "jinja2", entry(id="PYSEC-2"), entry(id="PYSEC-1"))
    write(tmp_path, "flask", entry(id="PYSEC-3", affected=[affected("flask")]))
    write(tmp_path, "django", entry(id="PYSEC-4", affected=[affected("django")]))
    known = collected(tmp_path, {"jinja2": "2.4", "flask": "1.0", "rich": "1.0"})
    assert known.packages == ("flask", "jinja2", "rich")
    assert [item.id for item in known.advisories] == ["PYSEC-3", "PYSEC-1", "PYSEC-2"]


def test_the_written_file_is_read_back_as_it_was_collected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "jinja2", entry())
    file = tmp_path / "advisories.json"
    monkeypatch.setattr(renew, "FILE", file)
    monkeypatch.setattr(renew, "pins", lambda: {"jinja2": "2.4"})
    monkeypatch.setattr("sys.argv", ["renew", str(tmp_path)])
    assert renew.main() == 0
    assert load(file) == collected(tmp_path, {"jinja2": "2.4"})
    assert capsys.readouterr().out == "advisories.json: 1 advisories\n"


def test_a_folder_that_is_no_database_leaves_the_file_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "advisories.json"
    file.write_text("as before")
    monkeypatch.setattr(renew, "FILE", file)
    monkeypatch.setattr("sys.argv", ["renew", str(tmp_path)])
    assert renew.main() == 1
    assert file.read_text() == "as before"
    assert "no vulns/NAME/*.yaml of a pinned package; nothing written" in capsys.readouterr().err
