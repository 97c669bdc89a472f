"""Reports of RMF."""

import gzip
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.errors import InputError
from tests.mqcap.ingest.reading import Read, is_accounted, read_all
from tests.shared import shared_cases, shared_dir

SHARED = shared_dir()
ZONES = {"PLEXP": "America/New_York"}
PAGE = """1      C O U P L I N G   F A C I L I T Y   A C T I V I T Y
    z/OS V3R1     SYSPLEX PLEXP    DATE {date}    INTERVAL 030.00.000
                  RPT VERSION V3R1 RMF    TIME 08.00.00    CYCLE 01.000 SECONDS
   COUPLING FACILITY NAME = {cf}
   TOTAL CF STORAGE AVAILABLE             8.25G   51.6
   TOTAL CF STORAGE SIZE                 16.00G
"""
BUSY = """   AVERAGE CF UTILIZATION  (% BUSY)    20.3     LOGICAL PROCESSORS: DEFINED  2
"""
XML = """<?xml version="1.0"?><ddsml><postprocessor><metric id="CF"/>
<resource><resname>PLEXP</resname></resource><time-data>
<display-start>03/10/2025-08.00.00</display-start><display-end>03/10/2025-08.30.00</display-end>
</time-data><segment><part><var-list>
<var><name>Coupling Facility Name</name><value>CFP1</value></var>
<var><name>Total CF Storage Available</name><value>8.25G</value></var>
<var><name>Total CF Storage Available (%)</name><value>51.6</value></var>
<var><name>Total CF Storage Size</name><value>16.00G</value></var>
<var><name>Average CF Utilization (% Busy)</name><value>20.3</value></var>
<var><name>Logical Processors Defined</name><value>2</value></var>
</var-list></part></segment></postprocessor></ddsml>
"""


def page(cf: str = "CFP1", date: str = "03/10/2025") -> str:
    return PAGE.format(cf=cf, date=date) + BUSY


def read_text(folder: Path, text: str) -> Read:
    path = folder / "report"
    path.write_text(text)
    read = read_all(path, ZONES)
    assert is_accounted(read.summary)
    return read


def facts(read: Read) -> dict[str, Any]:
    """Return the metrics of the rows."""
    processors = read.tables["section_r744p"].to_pylist()
    (storage,) = read.tables["section_r744g"].to_pylist()
    busy = sum(row["r744pbsy"] for row in processors)
    return {
        "cf": {row["cf"] for row in processors},
        "busy": 100 * busy / sum(row["r744pbsy"] + row["r744pwai"] for row in processors),
        "engines": len({row["r744pnum"] for row in processors}),
        "used": 100 * (1 - storage["r744gtsf"] / storage["r744gtsd"]),
        "start": storage["interval_start_utc"],
        "end": storage["interval_end_utc"],
    }


EXPECTED = {
    "cf": {"CFP1"},
    "busy": pytest.approx(20.3),
    "engines": 2,
    "used": pytest.approx(48.4, abs=0.05),
    "start": datetime(2025, 3, 10, 12, tzinfo=UTC),
    "end": datetime(2025, 3, 10, 12, 30, tzinfo=UTC),
}


@pytest.mark.parametrize(("begin", "days"), [("19.30.00", [10]), ("19.30.01", [10, 11])])
def test_an_interval_up_to_midnight_is_of_its_day_alone(
    tmp_path: Path, begin: str, days: list[int]
) -> None:
    read = read_text(tmp_path, page().replace("08.00.00", begin))
    assert [day.day for day in read.summary.hour_dates] == days


@pytest.mark.parametrize("text", [page(), XML], ids=["text", "xml"])
def test_a_report_gives_the_sections_that_the_metrics_read(tmp_path: Path, text: str) -> None:
    assert facts(read_text(tmp_path, text)) == EXPECTED
    packed = tmp_path / "report.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    assert facts(read_all(packed, ZONES)) == EXPECTED


def test_every_facility_has_its_own_rows(tmp_path: Path) -> None:
    read = read_text(tmp_path, page() + page("CFP2"))
    names = sorted(read.tables["section_r744p"]["cf"].to_pylist())
    assert names == ["CFP1", "CFP1", "CFP2", "CFP2"]
    assert read.summary.record_count == 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("20.3", "20,3"),
        ("03/10/2025", "10.03.2025"),
        ("03/10/2025", "2025-03-10"),
        ("08.00.00", "08:00:00"),
        ("<ddsml>", '<ddsml xmlns="urn:rmf">'),
        ("<metric id", '<metric name="" id'),
        ('<?xml version="1.0"?>', '\n\n<?xml version="1.0"?>'),
    ],
)
def test_a_report_in_another_form_gives_the_same(tmp_path: Path, old: str, new: str) -> None:
    for text in (page(), XML):
        if old in text:
            assert facts(read_text(tmp_path, text.replace(old, new))) == EXPECTED


UNUSABLE = "no busy figure or no time for CFP1"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (XML.replace(">20.3<", "><"), UNUSABLE),
        (page().replace("20.3", "20.3.1"), UNUSABLE),
        (page().replace("030", "000"), UNUSABLE),
        (XML[:-40], "the XML is not well formed"),
        (page().replace("20.3", "120.3"), "120.3 % busy"),
        (page(date="45/45/2025"), "a figure of the report cannot be read"),
    ],
    ids=["empty value", "no number", "no time", "cut", "busier than busy", "no date"],
)
def test_a_report_without_a_value_or_with_an_impossible_one_is_refused(
    tmp_path: Path, text: str, problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        read_text(tmp_path, text)


def test_a_facility_without_a_busy_figure_gives_no_rows_and_is_reported(tmp_path: Path) -> None:
    read = read_text(tmp_path, PAGE.format(cf="CFP3", date="03/10/2025") + page())
    assert read.summary.record_count == 1
    assert "CFP3" in read.summary.problems[0]


def samples() -> list[Path]:
    if SHARED is None:
        return []
    return [SHARED / "data" / "smf" / "cf_inputs" / f"cf_report.{form}" for form in ("txt", "xml")]


@pytest.mark.parametrize("path", shared_cases(samples()), ids=lambda path: path.name)
def test_sample_reports_agree_with_the_records_of_that_interval(path: Path) -> None:
    assert facts(read_all(path, ZONES)) == EXPECTED


MORE = """                                                     SHARED    1   AVG WEIGHT  10.0
   COUPLING FACILITY     3931    MODEL A01   CFLEVEL  25   DYNDISP {word}
"""


VARIABLES = (
    "<var><name>Logical Processors Shared</name><value>0</value></var>"
    "<var><name>DYNDISP</name><value>THIN</value></var></var-list>"
)


@pytest.mark.parametrize(
    ("text", "types", "flags"),
    [
        (page() + MORE.format(word="OFF"), [0x80, 0x00], 0x00),
        (page() + MORE.format(word="ON"), [0x80, 0x00], 0x10),
        (page() + MORE.format(word="THIN"), [0x80, 0x00], 0x18),
        (XML.replace("</var-list>", VARIABLES), [0x80, 0x80], 0x18),
    ],
)
def test_a_report_shows_shared_engines_and_dyndisp(
    tmp_path: Path, text: str, types: list[int], flags: int
) -> None:
    tables = read_text(tmp_path, text).tables
    assert tables["section_r744p"]["r744ptyp"].to_pylist() == types
    assert tables["section_r744f"]["r744fflg"].to_pylist() == [flags]


@pytest.mark.parametrize(("last", "month"), [("13/10/2025", 10), ("03/13/2025", 3)])
def test_a_date_with_a_day_above_twelve_fixes_the_order_of_all_dates(
    tmp_path: Path, last: str, month: int
) -> None:
    read = read_text(tmp_path, page() + page(date=last))
    assert {day.month for day in read.summary.hour_dates} == {month}
