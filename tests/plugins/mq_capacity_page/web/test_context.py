"""Settings and store of a process."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from mq_capacity_page.web import context as context_module
from mq_capacity_page.web.context import PageContext, current_context
from mqcap.domain.errors import ConfigurationError


@pytest.mark.parametrize(
    ("subject", "zone"),
    [
        ("PLEX1/CSQ1", "Europe/Copenhagen"),
        ("PLEX2", "America/New_York"),
        ("PLEX9/CSQ9", "Europe/Copenhagen"),
    ],
    ids=["sysplex", "sysplex-itself", "site"],
)
def test_days_are_counted_in_the_zone_of_the_sysplex_else_of_the_site(
    context: PageContext, subject: str, zone: str
) -> None:
    assert context.timezone_of(subject) == zone


def test_a_failure_is_not_cached(context: PageContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context_module, "_freeze_loaded_objects", lambda: None)
    with monkeypatch.context() as broken:
        broken.setenv("MQCAP_STORE__URL", "nonsense")
        with pytest.raises(ConfigurationError):
            current_context()
    opened = current_context()
    assert opened is current_context()


def test_the_estate_is_that_of_the_settings_file(context: PageContext) -> None:
    assert [plex.sysplex for plex in context.estate.sysplexes] == ["PLEX1", "PLEX2"]
    assert context.zones() == {"PLEX1": "Europe/Copenhagen", "PLEX2": "America/New_York"}


def test_the_settings_are_read_once_for_all_requests(
    context: PageContext, site_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context_module, "_freeze_loaded_objects", lambda: None)
    opened = current_context()
    (site_folder / "platform.yaml").write_text("sitte: {}\n", encoding="utf-8")
    assert current_context().settings is opened.settings


@pytest.mark.thorough
def test_what_is_loaded_is_excluded_from_garbage_collection_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frozen: list[str] = []
    monkeypatch.setattr(gc, "freeze", lambda: frozen.append("frozen"))
    freeze = context_module._freeze_loaded_objects
    freeze.cache_clear()
    freeze()
    freeze()
    assert frozen == ["frozen"]
