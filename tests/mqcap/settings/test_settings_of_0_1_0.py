"""A settings file of release 0.1.0 is read as it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from pydantic import BaseModel

from mqcap.settings import Settings, load_settings

DATA = Path(__file__).parents[2] / "data" / "release_0_1_0"


def keys(model: type[BaseModel], path: str = "") -> set[str]:
    """Return the keys of a section and of those below it."""
    result: set[str] = set()
    for name, field in model.model_fields.items():
        key = f"{path}.{name}".removeprefix(".")
        result |= {key}.union(*(keys(each, key) for each in sections(field.annotation)))
    return result


def sections(annotation: Any) -> list[type[BaseModel]]:
    """Return the models in a type."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in sections(part)]


def test_every_key_of_the_release_is_still_known() -> None:
    former = (DATA / "settings_keys.txt").read_text("utf-8").split()
    assert len(former) == 206
    assert sorted(set(former) - keys(Settings)) == []


def test_the_file_of_the_release_keeps_its_values(monkeypatch: pytest.MonkeyPatch) -> None:
    file = DATA / "platform.yaml"
    monkeypatch.setenv("MQCAP_SETTINGS_FILE", str(file))
    read = load_settings().model_dump(mode="json", exclude_unset=True)
    assert read == yaml.safe_load(file.read_text("utf-8"))
