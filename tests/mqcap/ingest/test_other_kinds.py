"""Texts of another kind within a file."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from mqcap.domain.errors import InputError
from mqcap.ingest.registry import sources
from tests.mqcap.ingest.distributed_inputs import INPUTS, OTHER_SHAPES

TOLD = {
    "mq_display": "captures of DISPLAY commands",
    "amqsrua": "text of amqsrua",
    "ztpf": "text of z/TPF",
    "error_log": "an error log",
    "qm_ini": "a qm.ini",
}


def reported(folder: Path, text: str, source: str, name: str = "x.txt") -> list[str]:
    """The sentences about other kinds, also of a file that is refused."""
    path = folder / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    [made] = [each for each in sources() if each.name == source]
    reading = made.read(path, "0" * 64)
    try:
        list(reading.tables())
    except InputError as error:
        return re.findall(r"line \d+ begins [^;]*", str(error.found))
    return [text for text in reading.summary().problems if " begins " in text]


@pytest.mark.parametrize("first", TOLD)
def test_a_text_of_another_kind_behind_the_first_is_told_with_its_line(
    tmp_path: Path, first: str
) -> None:
    begin = INPUTS[first].splitlines()[0] + "\n"
    others = {name: what for name, what in TOLD.items() if name != first}
    for name, what in others.items():
        [sentence, *_] = reported(tmp_path, begin + INPUTS[name], first)
        assert f"begins {what}, which is left out" in sentence, (first, name)
    assert reported(tmp_path, INPUTS[first] * 2, first) == []


def test_statistics_and_records_of_collectors_are_told(tmp_path: Path) -> None:
    [text] = OTHER_SHAPES["mq_statistics"]
    [sentence] = reported(tmp_path, INPUTS["amqsrua"] + text, "amqsrua")
    line = INPUTS["amqsrua"].count("\n") + 1
    assert f"line {line} begins statistics messages" in sentence
    [sentence] = reported(tmp_path, INPUTS["qm_ini"] + INPUTS["mq_json"], "qm_ini")
    assert "output of mq_json" in sentence


def test_a_packed_file_is_searched_too(tmp_path: Path) -> None:
    text = INPUTS["amqsrua"] + INPUTS["qm_ini"]
    [sentence] = reported(tmp_path, text, "amqsrua", "x.txt.gz")
    assert sentence.startswith("x.txt.gz: line 14 begins a qm.ini")
