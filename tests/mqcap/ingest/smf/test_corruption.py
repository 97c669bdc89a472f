"""Each kind of corrupt range is found in a dump that has one of it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mqcap.ingest.check.dump_summary import summarise
from mqcap.ingest.smf.corruption import Corruption
from mqcap.ingest.smf.layout import field_of
from tests.mqcap.ingest.dumps import small_dump

Damage = Callable[[bytearray], None]


def cut_the_end(content: bytearray) -> None:
    del content[-25:]


def remove_a_first_segment(content: bytearray) -> None:
    begin = content.index(b"\x02\xbc\x01\x00")
    del content[begin : begin + 700]


def insert_bytes(content: bytearray) -> None:
    content[3000:3000] = b"\x0d\x0a\x15"


def blank_an_eye_catcher(content: bytearray) -> None:
    at = content.index("QMST".encode("cp037"))
    content[at : at + 4] = b"    "


def point_a_triplet_behind_the_record(content: bytearray) -> None:
    first_record = 18  # behind the header of the dump
    content[first_record + 28 : first_record + 32] = (30_000).to_bytes(4, "big")


def set_the_clock_to_1971(content: bytearray) -> None:
    first_record = 18
    content[first_record + 10 : first_record + 14] = bytes.fromhex("0071125f")


def change_a_bit_of_a_count(content: bytearray) -> None:
    at = content.index("QJST".encode("cp037")) - 4
    content[at + field_of("QJST", "qjstcmpuncmp").offset] |= 0x40


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("framing", "damage", "kind"),
    [
        ("rdw", cut_the_end, Corruption.truncated),
        ("rdwseg", remove_a_first_segment, Corruption.lost_segment),
        ("rdw", insert_bytes, Corruption.wrong_length),
        ("rdw", blank_an_eye_catcher, Corruption.wrong_content),
        ("rdw", change_a_bit_of_a_count, Corruption.impossible_value),
        ("rdw", set_the_clock_to_1971, Corruption.wrong_clock),
        ("rdw", point_a_triplet_behind_the_record, Corruption.too_short),
    ],
    ids=[kind.value for kind in Corruption],
)
def test_a_damaged_dump_shows_the_kind_of_its_damage(
    tmp_path: Path, framing: str, damage: Damage, kind: Corruption
) -> None:
    path = small_dump(tmp_path, framing)
    assert summarise(path).corruptions == frozenset()
    content = bytearray(path.read_bytes())
    damage(content)
    path.write_bytes(bytes(content))
    assert kind in summarise(path).corruptions
