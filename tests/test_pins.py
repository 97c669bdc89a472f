"""Every package that is needed has one exact version, the installed one, and no other is pinned."""

import re
import tomllib
from importlib.metadata import distribution, version
from typing import Final

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.pins import ROOT, pins

NOT_INSTALLED: Final = {"aws"}
"""Extras that `make install` leaves out: nothing of ours is tested with them."""
INSTALLERS: Final = {"uv"}
"""What `make install` itself runs."""


@pytest.mark.thorough
def test_what_is_installed_is_what_is_pinned() -> None:
    wanted = pins()
    assert {name: version(name) for name in wanted} == wanted


def test_every_dependency_of_the_project_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    groups = [
        project["dependencies"],
        *(lines for extra, lines in extras.items() if extra not in NOT_INSTALLED),
    ]
    asked = [re.split(r"[\s\[<>=!~;@]", line)[0] for group in groups for line in group]
    assert {canonicalize_name(name) for name in asked} - pins().keys() == {"mqcap"}


def needed() -> set[str]:
    """Return what ``mqcap[dev]`` asks for, with what that asks for, as the metadata states it."""
    found: set[tuple[str, str]] = set()
    asked = {("mqcap", "dev")}
    while asked:
        name, extra = asked.pop()
        found.add((name, extra))
        for line in distribution(name).requires or []:
            one = Requirement(line)
            if one.marker is None or one.marker.evaluate({"extra": extra}):
                wanted = canonicalize_name(one.name)
                asked |= {(wanted, extra) for extra in {"", *one.extras}} - found
    return {name for name, _ in found}


@pytest.mark.thorough
def test_every_pin_is_needed() -> None:
    assert sorted(pins().keys() - needed() - INSTALLERS) == []
