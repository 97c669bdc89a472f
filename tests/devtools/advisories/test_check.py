"""The check of the pins against known vulnerabilities."""

from __future__ import annotations

import pytest

from devtools.advisories import check
from devtools.advisories.advisory import Advisories, load
from devtools.advisories.check import lines
from tests.devtools.advisories.builders import BETWEEN, UP_TO, advisory
from tests.pins import pins


def test_an_affected_pinned_version_is_reported_with_its_fixed_version() -> None:
    known = Advisories(source="here", packages=("jinja2",), advisories=(
        advisory(aliases=("CVE-1",), ranges=(BETWEEN,)), advisory(package="flask", ranges=(UP_TO,)),
    ))  # fmt: skip
    assert list(lines(known, {"jinja2": "2.4", "flask": "3.0", "rich": "1.0"})) == [
        "jinja2 2.4: A-1, CVE-1; fixed in 2.5",
        "Advisories: 1 of 2 affect a pin; 1 of 3 packages looked up, newest of 2026-01-02",
    ]


def test_a_vulnerability_without_a_fix_says_so() -> None:
    known = Advisories(source="here", packages=("jinja2",), advisories=(advisory(ranges=(UP_TO,)),))
    assert next(lines(known, {"jinja2": "1.4"})) == "jinja2 1.4: A-1; no fixed version"


def test_no_pinned_version_has_a_known_vulnerability() -> None:
    assert load().against(pins()) == []


@pytest.mark.parametrize(("version", "status", "count"), [("2.4", 1, 1), ("2.5", 0, 0)])
def test_the_exit_status_is_1_when_a_pin_is_affected(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    version: str,
    status: int,
    count: int,
) -> None:
    known = Advisories(
        source="here", packages=("jinja2",), advisories=(advisory(ranges=(BETWEEN,)),)
    )
    monkeypatch.setattr(check, "load", lambda: known)
    monkeypatch.setattr(check, "pins", lambda: {"jinja2": version})
    assert check.main() == status
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == count + 1
    assert printed[-1].startswith(f"Advisories: {count} of 1 affect a pin;")
