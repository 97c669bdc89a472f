"""All inputs about distributed queue managers: known by content, and none fails in its own way."""

import random
from pathlib import Path

import pytest

from mqcap.domain.errors import InputError
from mqcap.domain.estate import qmgr_zone_key
from mqcap.domain.source import SourceSummary
from mqcap.ingest.registry import source_for, sources
from tests.many_values import for_each
from tests.mqcap.ingest.distributed_inputs import INPUTS, OTHER_SHAPES

ZONES = {qmgr_zone_key("QM1"): "UTC"}
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
