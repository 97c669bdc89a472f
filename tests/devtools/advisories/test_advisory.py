"""Ranges of vulnerable versions, at each end of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from devtools.advisories.advisory import Advisories, load
from tests.devtools.advisories.builders import BETWEEN, UP_TO, advisory


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


def test_a_version_that_is_fixed_and_introduced_again_is_affected() -> None:
    again = ({"introduced": "1.0"}, {"introduced": "2.0"}, {"fixed": "2.0"})
    assert advisory(ranges=(again,)).affects("2.0")


def test_a_range_without_an_end_affects_all_later_versions() -> None:
    assert advisory(ranges=([{"introduced": "1.0"}],)).affects("99")


def test_a_version_without_an_update_level_is_that_version() -> None:
    plain = advisory(ranges=([{"introduced": "0"}, {"last_affected": "3.0.3-NA"}],))
    assert [plain.affects(version) for version in ("3.0.3", "3.0.4")] == [True, False]


def test_versions_are_named_one_by_one_where_there_is_no_range() -> None:
    listed = advisory(versions=("1.0", "1.1"))
    assert [listed.affects(version) for version in ("1.0", "1.1", "1.2")] == [True, True, False]


def test_the_fixed_versions_are_those_of_all_ranges() -> None:
    later = ({"introduced": "3.0"}, {"fixed": "3.1"})
    assert advisory(ranges=(BETWEEN, UP_TO, later)).fixed_in == ("2.5", "3.1")


def test_only_advisories_on_a_pinned_package_at_an_affected_version_count() -> None:
    known = Advisories(source="here", packages=("flask", "jinja2"), advisories=(
        advisory(id="A-1", ranges=(BETWEEN,)),
        advisory(id="A-2", ranges=(UP_TO,)),
        advisory(id="A-3", package="flask", ranges=(BETWEEN,)),
    ))  # fmt: skip
    assert [item.id for item in known.against({"jinja2": "2.4"})] == ["A-1"]


def test_the_file_holds_advisories_on_an_older_vulnerable_version() -> None:
    aliases = [item.aliases[0] for item in load().against({"aiohttp": "3.10.10"})]
    assert "GHSA-27mf-ghqm-j3j8" in aliases


def test_a_file_with_an_unknown_key_names_it(tmp_path: Path) -> None:
    file = tmp_path / "advisories.json"
    file.write_text('{"source": "here", "packages": [], "advisories": [], "severity": 1}')
    with pytest.raises(ValidationError, match="severity"):
        load(file)
