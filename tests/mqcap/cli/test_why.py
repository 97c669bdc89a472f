"""Command ``why``: a table for people, a document for programs, and hints for wrong names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from mqcap.cli.app import main
from mqcap.domain.errors import ConfigurationError
from mqcap.presentation.labels import use_metric_labels
from mqcap.settings import Settings
from tests.mqcap.cli.command_line import invoked, output_of
from tests.mqcap.lake.parts import CSQ1, METRIC, growing_log, growing_part


@pytest.fixture
def grown(settings: Settings, tmp_path: Path) -> Iterator[Settings]:
    """A lake in which the log of CSQ1 has grown by one queue; labels are as before afterwards."""
    growing_log(Path(settings.lake))
    yield settings
    use_metric_labels(tmp_path / "without catalogue")


def test_the_table_begins_with_the_label_of_the_metric(grown: Settings) -> None:
    lines = output_of("why", METRIC, CSQ1, "--since", "2026-10-01").splitlines()
    assert lines[0] == (
        "Log write rate of PLEX1/CSQ1: 4,320 MB/hour, +720 (+20 %) since 1 Oct 2026."
    )
    assert max(map(len, lines)) <= 80


def test_programs_get_parts_with_then_now_and_share(grown: Settings) -> None:
    document = json.loads(
        output_of("why", METRIC, CSQ1, "--since", "2026-10-01", "--format", "json")
    )
    first = document["parts"][0]
    assert list(first) == ["part", "kind", "now", "then", "share_of_growth_pct"]
    assert (first["part"], first["kind"]) == ("PAY.IN", "queue")


def test_another_kind_of_part_can_be_chosen(grown: Settings) -> None:
    document = json.loads(output_of("why", METRIC, CSQ1, "--by", "application", "--format", "json"))
    assert document["breakdown"] == "application"


def test_a_name_that_is_nearly_right_is_proposed(grown: Settings) -> None:
    error = invoked("why", METRIC, "CSQ7").exception
    assert isinstance(error, ConfigurationError)
    assert CSQ1 in str(error)
    assert CSQ1 in output_of("why", METRIC, "CSQ1")


def test_without_data_the_command_ends_with_1_and_a_hint(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["mqcap", "why", METRIC, CSQ1])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert "mqcap load" in capsys.readouterr().err


def test_elements_of_a_structure_are_divided_by_shared_queue_with_the_rest_told(
    settings: Settings, tmp_path: Path
) -> None:
    elements, structure = "structure_elements_used_pct", "PLEX1/CF01/QSG1APPL1"
    growing_part(Path(settings.lake), elements, structure, "PAY.SHARED", "queue", rest=5.0)
    text = output_of("why", elements, structure, "--since", "2026-10-01")
    assert "Parts: depth of shared queues, by the mean length put (115.216)." in text
    document = json.loads(output_of("why", elements, structure, "--format", "json"))
    assert [(part["part"], part["share_of_growth_pct"]) for part in document["parts"]] == [
        ("PAY.SHARED", 100.0),
        ("unexplained", 0.0),
    ]
    use_metric_labels(tmp_path / "without catalogue")


def test_64_bit_storage_is_divided_by_channel_with_the_base_told(
    settings: Settings, tmp_path: Path
) -> None:
    share, chinit = "chinit_64bit_used_pct", f"{CSQ1}/CHINIT"
    used = "chinit_64bit_used_mib"
    growing_part(Path(settings.lake), used, chinit, "APP.SVRCONN", "channel", rest=30.0)
    lines = output_of("why", share, chinit, "--since", "2026-10-01").splitlines()
    assert lines[0].startswith("Chinit storage, 64-bit, used of PLEX1/CSQ1/CHINIT: 60 MiB, +20")
    assert lines[1].endswith(", which was asked for, is a percentage of it.")
    assert "Parts: buffers of client channels, MP16 (116.10)." in lines
    assert lines[-1].split() == ["unexplained", "30", "30", "+0", "0", "%"]
    assert "Compared are the days that both have: Fri." in lines
    use_metric_labels(tmp_path / "without catalogue")


def test_storage_of_channels_is_divided_at_the_cost_of_the_newest_day(
    settings: Settings, tmp_path: Path
) -> None:
    chinit = "PLEX1/CSQ1/CHINIT"
    growing_part(Path(settings.lake), "chinit_31bit_used_mib", chinit, "A.TO.B", "channel", rest=80)
    text = output_of("why", "chinit_31bit_used_mib", chinit, "--since", "2026-10-01")
    words = "Parts: instances of channels (116.10), 90 KiB each, by MP16 (CHI-FOOTPRINT-MCA)."
    assert words in text
    use_metric_labels(tmp_path / "without catalogue")
