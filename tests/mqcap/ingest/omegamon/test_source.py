"""Lines and files of OMEGAMON Data Provider as samples."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.errors import InputError
from mqcap.ingest.omegamon.source import instant_us, samples_of
from tests.mqcap.ingest.reading import Rows, read_text

FIRST = datetime.fromisoformat("2026-07-09T00:05:00-05:00")
FIGURES: dict[str, dict[str, Any]] = {
    "qmlhbm": {"buffer_pool_id": 3, "number_of_buffers": 50_000, "available_buffers": 45_060},
    "qmps_lh": {"page_set_id": 4, "percent_pages_in_use": 22},
    "qmlhlm": {"current_active_log_percent_full": 7},
    "qmcurstat": {
        "maximum_channels": 800,
        "current_channel_connections": 100,
        "connection_count": 138,
    },
    "qmlhmm": {"mqputs_per_second": 40.5, "mqput1s_per_second": 2},
    "qmq_lh": {"queue_name": "APP.IN", "page_set_id": 4, "messages_put_per_second": 8},
    "lh_smds": {
        "cf_structure_name": "APPL1",
        "data_block_used_percent": 61,
        "buffers_in_use_percent": 30,
    },
    "qsg_cfstr": {
        "mq_manager_name": None,
        "qsg_name": "QSG1",
        "cf_structure_name": "APPL1",
        "percent_storage_used": 71,
        "percent_list_entries_used": 64,
    },
}


def row(table: str = "qmps_lh", number: int = 0, **changed: Any) -> dict[str, Any]:
    """The line of a table, every five minutes from midnight on; a field that is None is missing."""
    written = FIRST + timedelta(minutes=5 * number)
    made = {
        "write_time": written.strftime("%Y-%m-%dT%H:%M:%S.000000000-05:00"),
        "product_code": "kmq",
        "table_name": table,
        "interval_seconds": 300,
        "smf_id": "SYS1",
        "sysplex_name": "PLEX1",
        "mq_manager_name": "CSQ1",
        **FIGURES.get(table, {}),
        **changed,
    }
    return {name: value for name, value in made.items() if value is not None}


def text(*rows: dict[str, Any] | str) -> str:
    """Lines without blanks; a text is a line as it is."""
    lines = (
        row if isinstance(row, str) else json.dumps(row, separators=(",", ":")) for row in rows
    )
    return "".join(f"{line}\n" for line in lines)


def loaded(folder: Path, *rows: dict[str, Any] | str) -> Rows:
    return read_text(folder, text(*rows), name="kmq.jsonl")


def test_a_sample_is_of_the_step_of_its_series(tmp_path: Path) -> None:
    every_minute = [row("qmlhlm", number, interval_seconds=60) for number in range(5)]
    rows, summary = loaded(tmp_path, *every_minute, row())
    assert [row["step_seconds"] for row in rows] == [*[300.0] * 5, 300.0]
    assert (rows[0]["sysplex"], rows[0]["smfid"], rows[0]["qmgr"]) == ("PLEX1", "SYS1", "CSQ1")
    assert [str(day) for day in summary.hour_dates] == ["2026-07-09"]
    assert summary.rows_by_dataset == {"zos_sample": 6}
    assert summary.problems == ()


@pytest.mark.parametrize(("count", "step"), [(3, 60.0), (4, 300.0)])
def test_few_samples_have_the_interval_that_they_state(
    tmp_path: Path, count: int, step: float
) -> None:
    rows, _ = loaded(tmp_path, *(row(number=n, interval_seconds=60) for n in range(count)))
    assert {row["step_seconds"] for row in rows} == {step}


def test_lines_that_cannot_be_used_are_reported_and_the_others_count(tmp_path: Path) -> None:
    cut = text(row())[:40]
    rows, summary = loaded(
        tmp_path, row(), cut, row(number=1, page_set_id="x"), "[]", "", row(number=2)
    )
    assert len(rows) == 2
    left_out = "kmq.jsonl: 1 line left out:"
    assert summary.problems == (
        f"{left_out} it cannot be read (Invalid control character at) (first: line 2).",
        f"{left_out} page_set_id is no number from 0 to 99 (first: line 3).",
    )
    assert summary.content_bytes == summary.decoded_bytes + summary.skipped_bytes
    assert summary.content_bytes == (tmp_path / "kmq.jsonl").stat().st_size


UNKNOWN = "names that OMEGAMON for Messaging does not have left out"


@pytest.mark.parametrize(
    ("lines", "figures", "problem"),
    [
        (
            [row(), row("qmlhlm", interval_seconds=None)],
            ["page_set_used_pct"],
            "1 sample left out: alone in the file, and without interval_seconds.",
        ),
        (
            [row("ascpuutil", product_code="km5"), row("test", product_code=None), row()],
            ["page_set_used_pct"],
            "2 lines of other products left out: km5, none.",
        ),
        (
            [row(pages_gone=1), row("qmwhat"), row("qmlhlm")],
            ["page_set_used_pct", "active_log_used_pct"],
            f"{UNKNOWN}: qmps_lh.pages_gone, table qmwhat.",
        ),
        (
            [row(), row("qmcurstat", connection_count=1e300, maximum_channels=None)],
            ["page_set_used_pct"],
            "1 sample of impossible size left out.",
        ),
    ],
)
def test_what_is_left_out_is_told(
    tmp_path: Path, lines: list[dict[str, Any]], figures: list[str], problem: str
) -> None:
    rows, summary = loaded(tmp_path, *lines)
    assert [row["figure"] for row in rows] == figures
    assert summary.problems == (f"kmq.jsonl: {problem}",)


def test_a_file_without_figures_is_an_error_that_names_the_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 1: percent_pages_in_use is no number") as caught:
        loaded(tmp_path, row(percent_pages_in_use="full"))
    assert "kmq.jsonl" in str(caught.value)
    with pytest.raises(InputError, match="without any figure"):
        loaded(tmp_path, row("ascpuutil", product_code="km5"))


def figures(made: dict[str, Any]) -> dict[str, float]:
    return {f"{key.figure} {key.object}".strip(): value for key, _, value, _ in samples_of(made)}


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("qmlhbm", {"buffer_pool_used_pct BP03": 9.88}),
        ("qmps_lh", {"page_set_used_pct PS04": 22}),
        ("qmlhlm", {"active_log_used_pct": 7}),
        ("qmcurstat", {"channels_used_pct": 12.5, "connection_count": 138}),
        ("qmlhmm", {"messages_put_per_s": 42.5}),
        ("qmq_lh", {"private_queue_messages_per_s": 8}),
        ("lh_smds", {"smds_used_pct": 61, "smds_buffers_used_pct": 30}),
        (
            "qsg_cfstr",
            {
                "structure_storage_used_pct QSG1APPL1": 71,
                "structure_entries_used_pct QSG1APPL1": 64,
            },
        ),
        ("qmq_qu_st", {}),
        ("of_another_agent", {}),
    ],
)
def test_each_table_has_its_figures(table: str, expected: dict[str, float]) -> None:
    assert figures(row(table)) == pytest.approx(expected)


def test_any_field_may_be_missing() -> None:
    assert figures(row("qmlhbm", available_buffers=None)) == {}
    assert figures(row("qmlhbm", number_of_buffers=0)) == {}
    assert figures(row("qmps_lh", percent_pages_in_use=None)) == {}
    assert figures(row("qmlhlm", current_active_log_percent_full=None)) == {}
    assert figures(row("qmcurstat", connection_count=None, maximum_channels=None)) == {}
    assert figures(row("qmlhmm", mqput1s_per_second=None)) == {"messages_put_per_s": 40.5}
    assert figures(row("qmlhmm", mqputs_per_second=None)) == {}
    assert figures(row("lh_smds", data_block_used_percent=None)) == {"smds_buffers_used_pct": 30}
    one = figures(row("qsg_cfstr", percent_storage_used=None))
    assert one == {"structure_entries_used_pct QSG1APPL1": 64}
    none: dict[str, Any] = {"percent_storage_used": None, "percent_list_entries_used": None}
    assert figures(row("qsg_cfstr", **none)) == {}
    [(key, *_)] = samples_of(row(sysplex_name=None, smf_id=None, system_name="SYS2"))
    assert (key.sysplex, key.smfid) == ("", "SYS2")


def test_the_per_cent_of_channels_counts_where_the_numbers_are_missing() -> None:
    stated: dict[str, Any] = {"percent_maximum_channels": 13, "connection_count": None}
    assert figures(row("qmcurstat", maximum_channels=None, **stated)) == {"channels_used_pct": 13}
    assert figures(row("qmcurstat", **stated)) == {"channels_used_pct": 12.5}


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"percent_pages_in_use": 100.5}, "between 0 and 100"),
        ({"percent_pages_in_use": -1}, "no number from 0 on"),
        ({"percent_pages_in_use": "22"}, "no number from 0 on"),
        ({"percent_pages_in_use": True}, "no number from 0 on"),
        ({"page_set_id": None}, "page_set_id is no number from 0 to 99"),
        ({"page_set_id": 100}, "page_set_id is no number from 0 to 99"),
        ({"page_set_id": "../1"}, "page_set_id is no number from 0 to 99"),
        ({"mq_manager_name": "PAY.QM"}, "mq_manager_name is no such name of z/OS"),
        ({"mq_manager_name": None}, "mq_manager_name is no such name of z/OS"),
        ({"sysplex_name": "PLEX/1"}, "sysplex_name is no such name of z/OS"),
        ({"smf_id": 7}, "smf_id is no such name of z/OS"),
        ({"write_time": "2026-07-09T00:05:00"}, "has no offset"),
        ({"write_time": "yesterday"}, "is no time of ISO 8601"),
        ({"write_time": "2026-07-09T00:05:00+99:00"}, "offset that no time zone has"),
        ({"table": "qmlhbm", "available_buffers": 50_001}, "available_buffers gives no share"),
        ({"table": "lh_smds", "data_block_used_percent": 101}, "data_block_used_percent gives no"),
        ({"table": "qsg_cfstr", "qsg_name": None}, "qsg_name is no such name"),
        ({"table": "qsg_cfstr", "qsg_name": "QSG10"}, "qsg_name is no such name"),
        ({"table": "qsg_cfstr", "cf_structure_name": "THIRTEENLETTR"}, "cf_structure_name is no"),
        ({"table": "qsg_cfstr", "percent_list_entries_used": 101}, "entries_used gives no share"),
        ({"table": "qsg_cfstr", "percent_storage_used": -1}, "percent_storage_used is no number"),
    ],
)
def test_a_line_that_cannot_be_used_says_why(changed: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        figures(row(**changed))


def test_a_share_is_at_most_everything() -> None:
    assert figures(row("qmlhbm", available_buffers=50_000)) == {"buffer_pool_used_pct BP03": 0}
    assert figures(row("lh_smds", data_block_used_percent=100))["smds_used_pct"] == 100


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2021-06-23T00:18:28.999999001-04:00", "2021-06-23T04:18:28.999999+00:00"),
        ("2021-06-23T00:18:28.999999999-0400", "2021-06-23T04:18:29+00:00"),
        ("2021-06-23T00:18:28Z", "2021-06-23T00:18:28+00:00"),
        ("2021-06-23T05:48:28.5+05:30", "2021-06-23T00:18:28.500000+00:00"),
    ],
)
def test_times_have_up_to_nine_digits_and_an_offset(text: str, utc: str) -> None:
    assert instant_us(text) == round(datetime.fromisoformat(utc).timestamp() * 1_000_000)


@pytest.mark.parametrize(
    ("structure", "page_set", "expected"),
    [
        ("APPL1", None, {"shared_queue_depth_count": 70}),
        ("APPL1", 4, {"shared_queue_depth_count": 70}),
        (" ", 4, {"private_queue_messages_per_s": 8}),
        (None, None, {}),
    ],
)
def test_a_queue_is_shared_by_its_structure_and_private_by_its_page_set(
    structure: str | None, page_set: int | None, expected: dict[str, float]
) -> None:
    made = row("qmq_lh", cf_structure_name=structure, page_set_id=page_set, highest_depth=70)
    assert figures(made) == expected


@pytest.mark.parametrize(
    ("group", "structure", "name"),
    [
        ("QSG1", "APPL1", "QSG1APPL1"),
        ("QS ", "CSQ_ADMIN ", "QS@@CSQ_ADMIN"),
        ("Q", "TWELVELETTER", "Q@@@TWELVELETTER"),
    ],
)
def test_a_structure_has_the_name_that_z_os_gives_it(group: str, structure: str, name: str) -> None:
    made = row("qsg_cfstr", qsg_name=group, cf_structure_name=structure)
    assert {(key.qmgr, key.object) for key, *_ in samples_of(made)} == {("", name)}
