"""Every package has one exact version, it is the one that is installed, and it is pinned."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import version
from typing import Final

import pytest
from packaging.utils import canonicalize_name

from tests.pins import ROOT, pins

NOT_INSTALLED: Final = {"aws"}
"""Extras that `make install` leaves out: nothing of ours is tested with them."""


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
