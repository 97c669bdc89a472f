from __future__ import annotations

from sizing.rulebook.registry import entries
from sizing.sources import linux, mp16, sysplex, ztpf


def test_each_document_is_cited_in_one_form() -> None:
    assert str(mp16("Buffer pool usage")) == 'MP16 (14), "Buffer pool usage"'
    assert sysplex("Transaction Cost").edition == "2019"
    assert ztpf("Levels").document == "z/TPF 64-bit MQ"
    assert linux("4.4").section == "4.4"


def test_every_edition_of_mp16_in_the_rulebook_is_the_same() -> None:
    editions = {
        entry.citation.edition
        for entry in entries().values()
        if entry.citation.document == mp16("").document
    }
    assert editions == {mp16("").edition}
