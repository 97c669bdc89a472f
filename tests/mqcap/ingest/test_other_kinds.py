"""Texts of another kind within a file."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from mqcap.ingest.other_kinds import other_kinds
from tests.mqcap.ingest.distributed_inputs import INPUTS, OTHER_SHAPES

TOLD = {
    "mq_display": "captures of DISPLAY commands",
    "amqsrua": "text of amqsrua",
    "ztpf": "text of z/TPF",
    "error_log": "an error log",
    "qm_ini": "a qm.ini",
}


def reported(folder: Path, text: str, source: str) -> list[str]:
    path = folder / "x.txt"
    path.write_text(text, encoding="utf-8")
    return list(other_kinds(path, source))


@pytest.mark.parametrize("first", TOLD)
def test_a_text_of_another_kind_behind_the_first_is_told_with_its_line(
    tmp_path: Path, first: str
) -> None:
    begin = INPUTS[first].splitlines()[0] + "\n"
    others = {name: what for name, what in TOLD.items() if name != first}
    if first == "mq_display":
        del others["error_log"]  # its own reader counts the records
    for name, what in others.items():
        [sentence, *_] = reported(tmp_path, begin + INPUTS[name], first)
        assert f"begins {what}, which is left out" in sentence
    assert reported(tmp_path, INPUTS[first] * 2, first) == []


def test_statistics_and_records_of_collectors_are_told(tmp_path: Path) -> None:
    [text] = OTHER_SHAPES["mq_statistics"]
    [sentence] = reported(tmp_path, INPUTS["amqsrua"] + text, "amqsrua")
    line = INPUTS["amqsrua"].count("\n") + 1
    assert sentence.startswith(f"x.txt: line {line} begins statistics messages")
    [sentence] = reported(tmp_path, INPUTS["qm_ini"] + INPUTS["mq_json"], "qm_ini")
    assert "output of mq_json" in sentence


def test_a_reader_that_refuses_what_it_does_not_know_needs_no_search(tmp_path: Path) -> None:
    assert reported(tmp_path, INPUTS["prometheus"] + "\n" + INPUTS["amqsrua"], "prometheus") == []


def test_a_packed_file_is_searched_too(tmp_path: Path) -> None:
    path = tmp_path / "x.txt.gz"
    path.write_bytes(gzip.compress((INPUTS["amqsrua"] + INPUTS["qm_ini"]).encode()))
    [sentence] = other_kinds(path, "amqsrua")
    assert sentence.startswith("x.txt.gz: line 14 begins a qm.ini")
