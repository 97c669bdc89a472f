"""Every package has one exact version, it is the one that is installed, and it is pinned."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PIN: Final = re.compile(r"(?P<name>[A-Za-z0-9._-]+)==(?P<version>[A-Za-z0-9.!+_-]+)")


def canonical(name: str) -> str:
    """The name by which packages are compared (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    found = [PIN.fullmatch(line) for line in lines if line and not line.startswith("#")]
    assert None not in found
    return {canonical(match["name"]): match["version"] for match in found if match is not None}


def test_what_is_installed_is_what_is_pinned() -> None:
    wanted = pins()
    assert {name: version(name) for name in wanted} == wanted


def test_every_dependency_of_the_project_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = [project["dependencies"], *project.get("optional-dependencies", {}).values()]
    names = {canonical(re.split(r"[\s\[<>=!~;@]", line)[0]) for group in groups for line in group}
    assert names - pins().keys() == set()
