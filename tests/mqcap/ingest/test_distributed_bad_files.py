"""Bad files about distributed queue managers: each is refused or counts in part, and says why."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.errors import InputError
from mqcap.domain.estate import qmgr_zone_key
from mqcap.ingest.amqsrua.source import HEADER
from spark_apps.metrics import distributed
from tests.mqcap.ingest.distributed_inputs import INPUTS, OTHER_SHAPES
from tests.mqcap.ingest.error_log.test_records import TEXT as ERROR_LOG
from tests.mqcap.ingest.mq_statistics.test_source import printed
from tests.mqcap.ingest.prometheus.answers import answer, series
from tests.mqcap.ingest.reading import Read, read_all
from tests.mqcap.ingest.ztpf.spooled import sweep
from tests.shared import shared_cases, shared_dir
from tests.spark_apps.rows import levels, samples

ZONES = {qmgr_zone_key("QM1"): "UTC"}
QUARTER_S = 900
COARSE = ["3"] * 4
REFUSED: Mapping[str, tuple[str, str]] = {
    "01 an answer that is cut": (INPUTS["prometheus"][:-40], "ends in the middle"),
    "02 prose": ("Dear team,\nQMNAME was not working.\nRegards\n", "no log or report known here"),
    "05 a capture without a stamp": (
        INPUTS["mq_display"].replace("NOW(", "THEN("),
        r"NOW\(",
    ),
    "09 an offset of 99 hours": (INPUTS["mq_display"].replace("+0000", "+9900"), "NOW"),
    "10 amqsrua without the name": (INPUTS["amqsrua"].partition("\n")[2], HEADER),
    "12 a console without a date": (sweep() * 2, "NOW"),
    "13 metrics without a time": (
        '# TYPE ibmmq_queue_depth gauge\nibmmq_queue_depth{qmgr="QM1",queue="A"} 7\n',
        "# captured",
    ),
    "14 an answer with an error": (
        '{"status":"error","errorType":"bad_data","error":"exceeded maximum resolution"}',
        "exceeded maximum resolution",
    ),
    "16 an empty file": ("", "empty"),
}
"""By number of the reference data and kind: the text, and what the error names."""
UNKNOWN = "ibmmq_qmgr_of_no_collector"
LAST_RECORD = INPUTS["mq_json"].splitlines()[-1]
WRONG_ZONE = [printed(), printed(epoch=1_783_557_000 + 420)]
IN_PART: Mapping[str, tuple[str, dict[str, int], str]] = {
    "03 an error log behind a capture": (
        INPUTS["mq_display"] + ERROR_LOG, {"qmgr_sample": 12},
        "begins an error log, which is left out",
    ),
    "06 names that nobody publishes": (
        json.dumps(answer(series(), series(UNKNOWN))), {"qmgr_sample": 4}, UNKNOWN,
    ),
    "07 a value of 1e300": (
        json.dumps(answer(series(values=[*COARSE, "1e300"]))),
        {"qmgr_sample": len(COARSE)}, "1 sample of impossible size left out",
    ),
    "08 intervals that end at no offset": (
        "\n".join(map(json.dumps, WRONG_ZONE)), {"qmgr_sample": 1}, "from a quarter of an hour",
    ),
    "15 a last line that is cut": (
        INPUTS["mq_json"][: -len(LAST_RECORD) // 2], {"qmgr_sample": 3},
        "record left out: it cannot be read (it ends in the middle)",
    ),
}  # fmt: skip
"""Rows by dataset, and what a problem of the summary names."""


def read(folder: Path, text: str) -> Read:
    path = folder / "bad.txt"
    path.write_text(text, encoding="utf-8")
    return read_all(path, ZONES)


@pytest.mark.parametrize("kind", REFUSED)
def test_a_file_without_a_figure_that_can_be_used_is_refused_with_the_reason(
    tmp_path: Path, kind: str
) -> None:
    text, reason = REFUSED[kind]
    with pytest.raises(InputError, match=reason) as error:
        read(tmp_path, text)
    assert "bad.txt" in str(error.value)


CREDENTIAL = "hunter2"
WITH_MORE_LINES = sorted(INPUTS.keys() - {"prometheus", "site_answers"})
"""Those of which more text behind the end makes the file no other one."""


@pytest.mark.parametrize(
    "line",
    [
        f"password={CREDENTIAL}\n",
        f"DEFINE AUTHINFO(A) LDAPPWD('{CREDENTIAL}')\n",
        f"# mqcap qm.ini PASSWORD({CREDENTIAL})\nLog:\n   LogPrimaryFiles=3\n",
        f"https://mqadmin:{CREDENTIAL}@prometheus/api\n",
    ],
)
def test_an_error_shows_no_credential_of_a_file(tmp_path: Path, line: str) -> None:
    """Its text is in mails about data, on the page and in the log."""
    with pytest.raises(InputError, match=r"\*\*\*\*") as error:
        read(tmp_path, line)
    assert CREDENTIAL not in f"{error.value} {error.value.found}"


@pytest.mark.parametrize("name", WITH_MORE_LINES)
def test_a_summary_shows_no_credential_of_a_file(tmp_path: Path, name: str) -> None:
    made = read(tmp_path, f"{INPUTS[name]}\nPASSWORD('{CREDENTIAL}')\ntoken={CREDENTIAL}\n")
    assert CREDENTIAL not in " ".join(made.summary.problems)
    assert CREDENTIAL not in str([table.to_pylist() for table in made.tables.values()])


@pytest.mark.parametrize("kind", IN_PART)
def test_a_file_with_some_figures_counts_in_part_and_says_what_does_not(
    tmp_path: Path, kind: str
) -> None:
    text, rows, problem = IN_PART[kind]
    made = read(tmp_path, text)
    assert made.summary.rows_by_dataset == rows
    assert problem in " ".join(made.summary.problems)


def test_04_amounts_of_a_step_above_that_of_the_scrapes_are_left_out(tmp_path: Path) -> None:
    names = ("ibmmq_qmgr_log_physical_written_bytes", "ibmmq_qmgr_connection_count")
    made = read(tmp_path, json.dumps(answer(*(series(name, COARSE, QUARTER_S) for name in names))))
    rows = made.tables["qmgr_sample"].to_pylist()
    assert {row["step_seconds"] for row in rows} == {QUARTER_S}
    placed = samples(*rows)  # scrape_seconds is 300
    assert levels(distributed.amounts_per_second(placed)) == {}
    gauges = levels(distributed.connections(placed))
    assert gauges["mq_connection_count", "EAST/QM1"] == [3.0] * len(COARSE)


def bad_files() -> list[Any]:
    """The reference files whose verdict does not depend on the settings."""
    folder = shared_dir()
    if folder is None:
        return []
    found = sorted((folder / "data" / "distributed" / "bad").iterdir())
    return [path for path in found if not path.name.startswith("11")]


@pytest.mark.parametrize("path", shared_cases(bad_files()), ids=lambda path: path.name)
def test_reference_files_are_refused_or_count_in_part(path: Path) -> None:
    zones = {qmgr_zone_key(f"BAD{number:02}"): "UTC" for number in range(1, 17)}
    if path.name.startswith(("03", "04", "06", "07", "08", "15")):
        assert read_all(path, zones).summary.record_count > 0
    else:
        with pytest.raises(InputError, match=path.name):
            read_all(path, zones)


@pytest.mark.parametrize("kind", ["mq_display", "amqsrua", "error_log", "mq_statistics", "ztpf"])
def test_a_packed_text_that_is_cut_counts_until_there_and_is_told(
    tmp_path: Path, kind: str
) -> None:
    text = OTHER_SHAPES[kind][0] if kind == "mq_statistics" else INPUTS[kind]
    path = tmp_path / "x.gz"
    packer = zlib.compressobj(wbits=31)
    packed = packer.compress(text.encode()) + packer.flush(zlib.Z_SYNC_FLUSH)
    path.write_bytes(packed)
    read = read_all(path, ZONES)
    assert sum(table.num_rows for table in read.tables.values()) > 0
    assert any("gzip file is truncated" in problem for problem in read.summary.problems)
