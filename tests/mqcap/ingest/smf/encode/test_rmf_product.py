"""The product section of RMF records, with and without a reassembly area."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from mqcap.ingest.smf.encode.rmf_product import SplitPiece, product_group
from mqcap.ingest.smf.layout import layouts
from tests.mqcap.ingest.dumps import INTERVALS


class Content(NamedTuple):
    """What the section states of its record."""

    piece: SplitPiece | None = None
    system: str = "SYS1"
    sysplex: str = "PLEXP"


def test_a_complete_record_has_a_section_of_the_documented_length_for_each_interval() -> None:
    made = product_group(Content(), INTERVALS)
    assert (made.length, made.count, len(made.rows)) == (layouts()["SMF74PRO"].length, 1, 2)
    assert "PLEXP".encode("cp037") in made.rows[0].tobytes()
    assert "SYS1".encode("cp037") in made.rows[1].tobytes()


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_piece_of_a_split_record_says_which_of_how_many_it_is(number: int) -> None:
    whole = product_group(Content(), INTERVALS).rows[0].tobytes()
    piece = product_group(Content(SplitPiece(number, 3)), INTERVALS).rows[0].tobytes()
    assert len(piece) == len(whole) + 12
    place = {field.column: field for field in layouts()["SMF74PRO"].fields}["smf74rao"]
    at = int.from_bytes(piece[place.offset : place.end], "big")
    assert piece[at : at + 4] == (3).to_bytes(2, "big") + number.to_bytes(2, "big")
