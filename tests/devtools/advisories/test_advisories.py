"""Known vulnerabilities: a pinned version that has one is found, at each edge of its ranges."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from devtools.advisories.advisory import Advisories, Advisory, load
from devtools.advisories.check import lines
from devtools.advisories.renew import collected
from tests.pins import pins

BETWEEN: Final = ({"introduced": "2.0"}, {"fixed": "2.5"})
UP_TO: Final = ({"introduced": "0"}, {"last_affected": "1.4"})


def advisory(**given: Any) -> Advisory:
    plain = {"id": "A-1", "package": "jinja2", "published": datetime(2026, 1, 2, tzinfo=UTC)}
    return Advisory.model_validate(plain | given)


@pytest.mark.parametrize(
    ("version", "affected"),
    [
        ("0.1", True), ("1.4", True), ("1.4.1", False), ("1.10", False), ("2.0rc1", False),
        ("2.0", True), ("2.4.9", True), ("2.5", False), ("2.10", False),
    ],
)  # fmt: skip
def test_a_range_ends_where_it_says(version: str, affected: bool) -> None:
    assert advisory(ranges=(BETWEEN, UP_TO)).affects(version) is affected


def test_the_order_in_which_events_are_written_does_not_matter() -> None:
    assert advisory(ranges=(BETWEEN[::-1],)).affects("2.1")


def test_a_range_without_an_end_affects_all_later_versions() -> None:
    assert advisory(ranges=([{"introduced": "1.0"}],)).affects("99")


def test_a_version_without_an_update_level_is_that_version() -> None:
    one = advisory(ranges=([{"introduced": "0"}, {"last_affected": "3.0.3-NA"}],))
    assert [one.affects(version) for version in ("3.0.3", "3.0.4")] == [True, False]


def test_versions_are_named_one_by_one_where_there_is_no_range() -> None:
    one = advisory(versions=("1.0", "1.1"))
    assert [one.affects(version) for version in ("1.0", "1.1", "1.2")] == [True, True, False]


def test_an_affected_pinned_version_is_reported_with_its_fixed_version() -> None:
    known = Advisories(source="here", packages=("jinja2",), advisories=(
        advisory(aliases=("CVE-1",), ranges=(BETWEEN,)), advisory(package="flask", ranges=(UP_TO,)),
    ))  # fmt: skip
    printed = list(lines(known, {"jinja2": "2.4", "flask": "3.0", "rich": "1.0"}))
    assert printed == [
        "jinja2 2.4: A-1, CVE-1; fixed in 2.5",
        "Advisories: 1 of 2 affect a pin; 1 of 3 packages looked up, newest of 2026-01-02",
    ]


def test_the_file_is_made_from_a_copy_of_the_database(tmp_path: Path) -> None:
    entry = {
        "id": "PYSEC-2026-1", "aliases": ["CVE-2026-1"], "published": "2026-02-03T00:00:00Z",
        "details": "prose",
        "affected": [{
            "package": {"name": "Jinja2", "ecosystem": "PyPI"},
            "ranges": [
                {"type": "GIT", "repo": "r", "events": [{"introduced": "0"}]},
                {"type": "ECOSYSTEM", "events": list(BETWEEN)},
            ],
            "versions": ["2.0", "2.1"],
        }],
    }  # fmt: skip
    folder = tmp_path / "vulns" / "jinja2"
    folder.mkdir(parents=True)
    (folder / "PYSEC-2026-1.yaml").write_text(yaml.safe_dump(entry))
    withdrawn = entry | {"id": "PYSEC-2026-2", "withdrawn": "2026-03-01T00:00:00Z"}
    (folder / "PYSEC-2026-2.yaml").write_text(yaml.safe_dump(withdrawn))
    found = collected(tmp_path, {"jinja2": "2.4", "rich": "1.0"})
    [one] = found.advisories
    assert (one.id, one.ranges, one.versions) == ("PYSEC-2026-1", (BETWEEN,), ())
    assert [known.id for known in found.against({"jinja2": "2.4"})] == ["PYSEC-2026-1"]


def test_no_pinned_version_has_a_known_vulnerability() -> None:
    assert load().against(pins()) == []


def test_the_file_knows_of_an_older_version_that_is_vulnerable() -> None:
    printed = [one.aliases[0] for one in load().against({"aiohttp": "3.10.10"})]
    assert "GHSA-27mf-ghqm-j3j8" in printed
