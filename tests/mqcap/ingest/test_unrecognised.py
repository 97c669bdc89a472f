"""Kinds of inputs, and what is none."""

import gzip
import re
from pathlib import Path

import pytest

from mqcap.domain.errors import InputError
from mqcap.ingest.registry import source_for, sources
from mqcap.ingest.smf import source as smf_source
from mqcap.ingest.smf.quarantine import KINDS_NAMED, AlikeProblems
from tests.mqcap.ingest.distributed_inputs import INPUTS, OTHER_SHAPES
from tests.mqcap.ingest.dumps import small_dump

LOG = (
    "N 0000000 PRD1     2025069 08:30:00.17 STC04712 00000090  CSQX004I !MQP1 CSQXSTOR Channel"
    " initiator is using 131 MB of local storage, 1457 MB are free\n"
)
TOLD = {
    "mq_display": "captures of DISPLAY commands",
    "amqsrua": "text of amqsrua",
    "ztpf": "text of z/TPF",
    "error_log": "an error log",
    "qm_ini": "a qm.ini",
}


def translated(content: bytes) -> bytes:
    """What a text-mode transfer makes of a dump."""
    return content.decode("cp037").encode("utf-8")


def replaced(content: bytes) -> bytes:
    """A dump that went through an editor that expects UTF-8."""
    return content.decode("utf-8", "replace").encode("utf-8")


def with_line_ends(content: bytes) -> bytes:
    """A dump in which line ends were inserted."""
    return content.replace(b"\n", b"\r\n") + b"\r\n" * 10


@pytest.mark.parametrize("spoil", [translated, replaced, with_line_ends])
def test_a_text_mode_transfer_is_recognised(tmp_path: Path, spoil: object) -> None:
    assert callable(spoil)
    path = tmp_path / "text.smf"
    path.write_bytes(spoil(small_dump(tmp_path).read_bytes()))
    with pytest.raises(InputError, match="transferred as text") as caught:
        source_for(path)
    assert caught.value.file == "text.smf"
    assert "quote site rdw" in caught.value.remedy
    with pytest.raises(InputError, match="transferred as text"):
        smf_source.SOURCE.read(path, "0")


def test_an_empty_file_is_reported_as_empty(tmp_path: Path) -> None:
    path = tmp_path / "empty.smf"
    path.touch()
    with pytest.raises(InputError, match=r"empty\.smf: the file is empty; expected"):
        source_for(path)
    with pytest.raises(InputError, match="the file is empty"):
        smf_source.SOURCE.read(path, "0")


def test_a_file_that_is_no_dump_is_reported_with_its_first_bytes(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG and so on, for quite a while")
    with pytest.raises(InputError, match="a picture; expected an SMF dump, CSV or JSON"):
        source_for(path)
    path.write_bytes(bytes(range(256)) * 9)
    with pytest.raises(InputError, match="not an SMF dump; found first bytes 00 01 02 03"):
        source_for(path)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b" \r\n" * 99, "nothing but blanks"),
        (bytes(5000), "nothing but binary zeros"),
        (b"//DUMP JOB (1),CLASS=A\n//S1 EXEC PGM=IFASMFDP\n", "job control statements"),
        (b"IFA020I DUMPOUT  -- SMF.DAILY\n", "the messages of the SMF dump program"),
        (b"CREATE TABLE MQSMF.QJST (\n Date DATE\n);\n", "SMF-*.csv beside it"),
        (b"<?xml version='1.0'?><ddsml><metric id='CPU'/>", "REPORTS(CF)"),
        (b"Date;Time;LPAR;QMgr;QSG\n", "saved again with another separator"),
        (b"<!DOCTYPE html><html>Sign in</html>", "a web page"),
        (b"%PDF-1.7 and more", "a PDF document"),
        ("Date,Time".encode("utf-16"), "first line 'Date,Time'"),
        (LOG.encode("cp037"), "text in EBCDIC: a log or report that was transferred in binary"),
        (b"name,value\nA,1\n", "first line 'name,value'"),
        (b"Dear team,\nQMNAME was not working.\nRegards\n", "no log or report known here"),
        (b"\x1f\x8b" + b"\xee" * 90, "the gzip file cannot be unpacked"),
        (b"\x50\xe0" + "INMR01".encode("cp037") + LOG.encode(), "TSO TRANSMIT"),
    ],
    ids=[
        "blanks", "zeros", "jcl", "dump program", "ddl", "other report", "semicolons", "web page",
        "pdf", "utf-16", "ebcdic", "other csv", "prose", "no gzip", "xmit",
    ],
)  # fmt: skip
def test_an_unrecognised_file_is_reported_with_its_kind_and_remedy(
    tmp_path: Path, content: bytes, sentence: str
) -> None:
    path = tmp_path / "strange"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        source_for(path)
    assert sentence in str(caught.value)
    assert "expected an SMF dump, CSV or JSON of mqsmfcsv" in str(caught.value)


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


def test_problems_that_differ_in_numbers_alone_are_the_first_one_with_a_count() -> None:
    problems = AlikeProblems()
    for number in range(3):
        problems.add(f"{number} bytes lost", f"record {number}: {number} bytes lost.".strip)
    problems.add("no date", "record 9: no date.".strip)
    assert list(problems.sentences()) == [
        "record 0: 0 bytes lost. 2 more like it.",
        "record 9: no date.",
    ]


def test_no_more_kinds_are_named_than_one_reads_and_the_others_are_counted() -> None:
    problems = AlikeProblems()
    for number in range(KINDS_NAMED + 5):
        word = "x" * number
        problems.add(word, f"{word}.".strip)
    assert len(list(problems.sentences())) == KINDS_NAMED + 1
    assert list(problems.sentences())[-1] == "5 more problems of other kinds."
    assert problems.count == KINDS_NAMED + 5
