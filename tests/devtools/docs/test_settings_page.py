"""Generated pages: of rules and of settings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pytest
from pydantic import BaseModel, Field, SecretStr

from devtools.docs.rulebook_pages import FOLDER, pages, write_pages
from devtools.docs.settings_page import FILE, docstrings, models, settings_page, write_page
from mqcap.domain.estate import CouplingFacility, QueueManager
from mqcap.domain.estate.configured import BufferPoolFacts, LinuxHost, StructureFacts, ZtpfSystem
from mqcap.domain.estate.places import DistributedQueue
from sizing.rulebook.entry import value_sources_of
from sizing.rulebook.input_sources import FromEstate
from sizing.rulebook.registry import all_rules
from tests.many_values import for_each

PAGE = settings_page()

EXPECTED = """\
## grading{}
## estate[].qmgrs[]
| `sysplex` | text, `^[A-Z0-9@#$]{1,8}$` | required |  |
| `url` | password | `sqlite:///var/store.db` | SQLite or PostgreSQL. |
| `driver_memory` | text | `2g` | Heap of the JVM of the driver. |
| `mail_folder` | path | `var/mail` | Folder for .eml files when no mail server is configured. |
| `outbuff_kb` | integer, ≥ 40, ≤ 4000, KB | none | \
CSQ6LOGP OUTBUFF; the lowest value was found in no document. |
| `folder` | path | `var/reports` |  |
| `days` | integer, ≥ 1, ≤ 35 | `7` | Days of channel accounting that are looked at; seven hold \
every weekday once. |
"""
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


class Inner(BaseModel):
    """An inner section.

    Its second paragraph.
    """

    days: Annotated[int, Field(ge=1, lt=8)] = 7
    """Days | of a
    week."""
    word: SecretStr = SecretStr("x")


class Outer(BaseModel):
    """An outer section."""

    inner: Inner = Inner()
    several: tuple[Inner, ...] = ()


@pytest.mark.thorough
def test_the_page_is_as_it_would_be_written_now(tmp_path: Path) -> None:
    write_page(tmp_path / "reference" / "settings.md")
    assert (tmp_path / "reference" / "settings.md").read_text(encoding="utf-8") == PAGE
    assert FILE.read_text(encoding="utf-8") == PAGE, "run make docs"


def test_every_key_of_every_model_is_on_it() -> None:
    for path, model in models().items():
        section = PAGE.partition(f"\n## {path or 'Top level'}\n")[2].partition("\n## ")[0]
        keys = [field.alias or name for name, field in model.model_fields.items()]
        assert [key for key in keys if f"\n| `{key}` | " not in section] == [], path


def test_a_model_is_listed_once_at_its_first_place() -> None:
    assert models(Outer) == {"": Outer, "inner": Inner}


def test_texts_below_fields_are_cells_of_one_line() -> None:
    assert docstrings(Inner) == {"days": "Days \\| of a week."}


def test_types_limits_units_and_defaults_are_those_of_the_model() -> None:
    lines = PAGE.splitlines()
    assert [line for line in EXPECTED.splitlines() if line not in lines] == []


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
