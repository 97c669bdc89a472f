"""Bad files about distributed queue managers: each is refused or counts in part, and says why."""

import json
import zlib
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.errors import InputError
from mqcap.domain.estate import qmgr_zone_key
from spark_apps.metrics import distributed
from tests.mqcap.ingest.distributed_inputs import INPUTS, OTHER_SHAPES
from tests.mqcap.ingest.prometheus.answers import answer, series
from tests.mqcap.ingest.reading import Read, read_all
from tests.shared import shared_cases, shared_dir
from tests.spark_apps.rows import levels, samples

ZONES = {qmgr_zone_key("QM1"): "UTC"}
QUARTER_S = 900
COARSE = ["3"] * 4


def read(folder: Path, text: str) -> Read:
    path = folder / "bad.txt"
    path.write_text(text, encoding="utf-8")
    return read_all(path, ZONES)


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
