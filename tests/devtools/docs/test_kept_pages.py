"""The pages that are kept as files are those that the code would write."""

from pathlib import Path

import pytest

from devtools.docs.kept_pages import FOLDER, pages, write_pages
from mqcap.domain.estate import CouplingFacility, QueueManager
from mqcap.domain.estate.configured import BufferPoolFacts, LinuxHost, StructureFacts, ZtpfSystem
from mqcap.domain.estate.places import DistributedQueue
from sizing.rulebook.entry import value_sources_of
from sizing.rulebook.input_sources import FromEstate
from sizing.rulebook.registry import all_rules
from tests.many_values import for_each

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


PAGES = pages()


@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_page_is_as_it_would_be_written_now(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == PAGES[name], "run make docs"


def test_all_pages_are_written(tmp_path: Path) -> None:
    write_pages(tmp_path)
    written = [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.md")]
    assert sorted(written) == sorted(PAGES)


@for_each("rule", all_rules().values(), ids=lambda rule: rule.id)
def test_every_key_that_a_rule_asks_for_can_be_written_into_the_estate(rule: object) -> None:
    marks = value_sources_of(rule.inputs)  # type: ignore[attr-defined]
    keys = {
        mark.key for result in marks.values() for mark in result if isinstance(mark, FromEstate)
    }
    assert keys <= KNOWN
