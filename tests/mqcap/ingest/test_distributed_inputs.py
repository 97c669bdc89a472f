"""Inputs about distributed queue managers: known by content; bad ones count in part or say why."""

import json
import random
import zlib
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.errors import InputError
from mqcap.domain.estate import zone_key
from mqcap.domain.source import SourceSummary
from mqcap.ingest.registry import source_for, sources
from spark_apps.metrics import distributed
from tests.many_values import for_each
from tests.mqcap.ingest.distributed_inputs import INPUTS, OTHER_SHAPES
from tests.mqcap.ingest.prometheus.answers import answer, series
from tests.mqcap.ingest.reading import Read, read_all
from tests.shared import shared_cases, shared_dir
from tests.spark_apps.rows import levels, samples

ZONES = {zone_key("qmgr", "QM1"): "UTC"}
CHANGES = 60
"""Changed copies of each input; what they hold follows from the seed."""


def summary_of(path: Path) -> SourceSummary:
    """The summary of a file that was read to its end."""
    reading = source_for(path, ZONES).read(path, "f" * 64)
    for _, table in reading.tables():
        assert table.num_rows > 0
    return reading.summary()


@pytest.mark.parametrize("name", INPUTS)
def test_each_kind_is_known_by_its_content_whatever_its_name(name: str, tmp_path: Path) -> None:
    for number, text in enumerate((INPUTS[name], *OTHER_SHAPES.get(name, ()))):
        path = tmp_path / f"{number}.smf"
        path.write_text(text, encoding="utf-8")
        accepting = [source.name for source in sources() if source.accepts(path)]
        assert accepting == [name]


@pytest.mark.thorough
@pytest.mark.parametrize("name", INPUTS)
def test_a_file_with_changed_bytes_is_read_in_part_or_refused(name: str, tmp_path: Path) -> None:
    draw = random.Random(name)  # noqa: S311 - figures of a test
    path = tmp_path / "changed.txt"
    for _ in range(CHANGES):
        content = bytearray(INPUTS[name].encode())
        for _ in range(draw.randrange(1, 6)):
            place = draw.randrange(len(content))
            content[place] = draw.choice(b'0"{}[](),: \n9eE-+\xff')
        path.write_bytes(content)
        try:
            summary_of(path)
        except InputError as error:
            assert "changed.txt" in str(error)


ALMOST = [
    ("exposition", "# HELP go_threads x\ngo_threads 4\n"),
    ("exposition", "see ibmmq_x 4\n"),
    ("prometheus", '{"status":"error"}'),
    ("prometheus", '[{"resultType":1}]'),
    ("prometheus", "resultType"),
    ("mq_json", '{"points":[]}'),
    ("mq_statistics", '{"eventType":{}}\nThe MonitoringType: x\n'),
    ("mq_display", "QMNAME was not working.\n"),
    ("mq_display", "AMQ9513E: x\n"),
    ("mq_display", "\x00QMNAME(A)"),
    ("amqsrua", "Publication received yesterday\n"),
    ("error_log", "AMQ7463 was said\n"),
    ("error_log", "----- a.c : 1 ----\n"),
    ("error_log", "{}\n"),
    ("omegamon", '{"table_name":"a","write_time":"b"}'),
    ("omegamon", "table_name write_time product_code"),
    ("omegamon", "[]"),
    ("ztpf", "MQSC commands\n"),
    ("ztpf", "time_utc,system\n"),
    ("ztpf", "NOW(x) SYSTEM(TPF1)\n"),
    ("qm_ini", "QueueManager:\n"),
    ("qm_ini", " QueueManager:\n   Name=QM1\n"),
]


@for_each("name, text", [*ALMOST, *((name, "") for name in INPUTS)], ids=str)
def test_what_only_looks_like_a_kind_is_none_of_it(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(text, encoding="utf-8")
    assert name not in {source.name for source in sources() if source.accepts(path)}


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
    zones = {zone_key("qmgr", f"BAD{number:02}"): "UTC" for number in range(1, 17)}
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
