"""Sources in their order, how far a reading is, and what is none of them."""

import gzip
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from mqcap.domain.errors import InputError
from mqcap.ingest.capture_stamp import site_stamp_utc, stamp_utc
from mqcap.ingest.registry import expected_inputs, source_for, sources
from mqcap.ingest.shown_reading import shown_tables
from mqcap.ingest.smf import source as smf_source
from mqcap.ingest.smf.framing import is_text_transfer
from mqcap.ingest.smf.quarantine import KINDS_NAMED, AlikeProblems
from mqcap.progress.shown import show_on
from tests.mqcap.ingest.distributed_inputs import INPUTS, OTHER_SHAPES
from tests.mqcap.ingest.dumps import small_dump
from tests.mqcap.progress.displays import Noted


def test_sources_are_asked_in_their_order_and_dumps_first() -> None:
    orders = [source.order for source in sources()]
    assert orders == sorted(orders)
    assert next(sources()) is smf_source.SOURCE
    assert {"smf", "formatter", "rmf", "console"} <= {source.name for source in sources()}


def test_what_is_expected_lists_every_source() -> None:
    text = expected_inputs()
    assert text.startswith("an SMF dump, ")
    assert all(source.description in text for source in sources())


def shares_of(path: Path) -> list[float]:
    """The shares that are shown while the tables of a file are made."""
    with show_on(display := Noted()):
        list(shown_tables(source_for(path).read(path, "0" * 64), path, "input"))
    begun, *shown, ended, _ = display.calls
    assert (begun, ended) == ("read input begun", "read input ended")
    mib = path.stat().st_size / 1_048_576
    return [float(call.split(" ")[0]) / mib for call in shown]


def log(lines: int) -> bytes:
    """A console log of so many lines, which no packing makes much smaller."""
    line = "N 0000000 PRD1     2025069 08:%02d:00.17 STC04712 00000090  TEXT %s\n"
    digits = Random(1)  # noqa: S311 - no secret
    return "".join(
        line % (number % 60, digits.randbytes(16).hex()) for number in range(lines)
    ).encode()


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_text_shows_the_share_of_the_file_as_it_is_on_disk(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "log"
    path.write_bytes(pack(log(20_001)))
    shares = shares_of(path)
    assert shares == sorted(shares)
    assert any(0.2 < share < 0.8 for share in shares)
    assert shares[-1] == pytest.approx(1.0, abs=0.001)


@pytest.mark.thorough
def test_a_dump_shows_the_share_within_each_batch(tmp_path: Path) -> None:
    shares = shares_of(small_dump(tmp_path))
    assert shares == sorted(shares)
    assert len({share for share in shares if 0 < share < 1}) > 3
    assert shares[-1] == pytest.approx(1.0, abs=0.001)


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        ("2026-07-09T10:00:00Z", 10),
        ("2026-07-09T10:00:00+0000", 10),
        ("2026-07-09T10:00:00-0400", 14),
        ("2026-07-09T10:00:00+05:00", 5),
        ("2026-07-09T14:00:00+1400", 0),
    ],
)
def test_a_stamp_is_an_instant_by_its_offset(text: str, hour: int) -> None:
    assert stamp_utc(text) == datetime(2026, 7, 9, hour, tzinfo=UTC)


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+0100", "9999-12-31T23:59:59-0100"])
def test_a_time_beyond_the_calendar_or_the_largest_offset_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="no time zone has"):
        stamp_utc("2026-07-09T14:00:00+1401")
    with pytest.raises(ValueError, match="no time that a clock has"):
        stamp_utc(text)
    with pytest.raises(ValueError, match="no time that a clock has"):
        zone = "Asia/Kolkata" if text.startswith("0001") else "America/Chicago"
        site_stamp_utc(text[:19], zone, None, "TPF1")


def test_a_stamp_without_offset_is_local_time_of_the_site() -> None:
    utc = datetime(2026, 7, 8, 18, 45, tzinfo=UTC)
    assert site_stamp_utc("2026-07-09T00:15:00", "Asia/Kolkata", None, "TPF1") == utc
    assert site_stamp_utc("2026-07-08T18:45:00Z", "Asia/Kolkata", None, "TPF1") == utc
    with pytest.raises(ValueError, match="no site of the settings lists TPF1"):
        site_stamp_utc("2026-07-09T00:15:00", None, None, "TPF1")


@pytest.mark.parametrize(("earlier_minute", "hour"), [(None, 5), (15, 5), (45, 6)])
def test_the_second_of_two_equal_hours_is_meant_behind_the_first(
    earlier_minute: int | None, hour: int
) -> None:
    earlier = None
    if earlier_minute is not None:
        earlier = datetime(2026, 11, 1, 5, earlier_minute, tzinfo=UTC)
    made = site_stamp_utc("2026-11-01T01:30:00", "America/New_York", earlier, "TPF1")
    assert made == datetime(2026, 11, 1, hour, 30, tzinfo=UTC)


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


def test_an_empty_file_is_reported_as_empty(tmp_path: Path) -> None:
    path = tmp_path / "empty.smf"
    path.touch()
    with pytest.raises(InputError, match=r"empty\.smf: the file is empty; expected"):
        source_for(path)


def test_a_file_that_is_no_dump_is_reported_with_its_first_bytes(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG and so on, for quite a while")
    with pytest.raises(InputError, match="a picture; expected an SMF dump, CSV or JSON"):
        source_for(path)


LINE = b"\x00\x85\x00\x00\x1e"
TRANSLATED = "the dump was transferred as text, which destroys it; found characters"
TERSE = "not an SMF dump; it looks like a file packed with TERSE; found first byte"
BINARY = "Ask for the dump again, transferred in binary with record descriptor words"


@pytest.mark.parametrize(
    ("head", "problem", "remedy"),
    [
        *(
            (LINE + eyecatcher, TRANSLATED, BINARY)
            for eyecatcher in (b"QJST", b"QMST", b"QPST", b"QIS1", b"QCCT", b"QCST", b"QSST")
        ),
        (b"\x01" + LINE, f"{TERSE} 01", "Unpack it on the mainframe (AMATERSE UNPACK)"),
        (b"\x02" + LINE, f"{TERSE} 02", "Unpack it on the mainframe"),
        (b"\x05" + LINE, f"{TERSE} 05", "Unpack it on the mainframe"),
        (b"\x03" + LINE, "not an SMF dump; found first bytes 03 00 85", BINARY),
        (bytes(range(256)) * 9, "not an SMF dump; found first bytes 00 01 02 03", BINARY),
    ],
)
def test_the_first_bytes_tell_what_is_no_dump_and_what_to_do(
    tmp_path: Path, head: bytes, problem: str, remedy: str
) -> None:
    (path := tmp_path / "d.smf").write_bytes(head)
    with pytest.raises(InputError) as caught:
        source_for(path)
    assert str(caught.value).startswith(f"d.smf: {problem}")
    assert caught.value.remedy.startswith(remedy)
    assert ("RECFM=VBS" in caught.value.remedy) is ("found first bytes" in problem)


@pytest.mark.parametrize(
    ("head", "text"),
    [
        (b"\xef\xbf\xbd" * 8, False),
        (b"\xef\xbf\xbd" * 9, True),
        (b"a\r\n" * 8, False),
        (b"a\r\n" * 9, True),
        (b"a\r\n" * 9 + b"b\n", False),
        (b"a\n" * 100, False),
        (b"", False),
    ],
    ids=["8-replaced", "9-replaced", "8-ends", "9-ends", "mixed-ends", "unix-ends", "empty"],
)
def test_more_than_a_few_replaced_bytes_or_line_ends_are_a_transfer_as_text(
    head: bytes, text: bool
) -> None:
    assert is_text_transfer(head) is text


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
