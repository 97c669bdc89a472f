"""Generated pages: of rules and of settings."""

from pathlib import Path

import pytest

from devtools.docs.rulebook_pages import FOLDER, pages, write_pages
from devtools.docs.settings_page import FILE, settings_page, write_page
from mqcap.domain.estate import CouplingFacility, QueueManager
from mqcap.domain.estate.configured import BufferPoolFacts, LinuxHost, StructureFacts, ZtpfSystem
from mqcap.domain.estate.places import DistributedQueue
from sizing.rulebook.entry import value_sources_of
from sizing.rulebook.input_sources import FromEstate
from sizing.rulebook.registry import all_rules
from tests.many_values import for_each

PAGE = settings_page()

KNOWN = {
    *QueueManager.model_fields,
    *CouplingFacility.model_fields,
    *BufferPoolFacts.model_fields,
    *StructureFacts.model_fields,
    *LinuxHost.model_fields,
    *ZtpfSystem.model_fields,
    *DistributedQueue.model_fields,
    "group_queue_managers",
}


@pytest.mark.thorough
def test_the_page_is_as_it_would_be_written_now(tmp_path: Path) -> None:
    write_page(tmp_path / "reference" / "settings.md")
    assert (tmp_path / "reference" / "settings.md").read_text(encoding="utf-8") == PAGE
    assert FILE.read_text(encoding="utf-8") == PAGE, "run make docs"


@pytest.mark.parametrize("name", sorted(pages()))
def test_a_page_is_as_it_would_be_written_now(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == pages()[name]


def test_all_pages_are_written(tmp_path: Path) -> None:
    assert sorted(path.name for path in write_pages(tmp_path)) == sorted(pages())


@for_each("rule", all_rules().values(), ids=lambda rule: rule.id)
def test_every_key_that_a_rule_asks_for_can_be_written_into_the_estate(rule: object) -> None:
    marks = value_sources_of(rule.inputs)  # type: ignore[attr-defined]
    keys = {
        mark.key for result in marks.values() for mark in result if isinstance(mark, FromEstate)
    }
    assert keys <= KNOWN
