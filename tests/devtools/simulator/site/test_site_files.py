"""Files of a site: an answer per period, every scrape once, names that tell the last day."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from devtools.simulator.generate import periods_of
from devtools.simulator.site.site_figures import site_figures, ztpf_figures
from devtools.simulator.site.site_files import write_sites
from devtools.simulator.site.site_spec import SiteInput
from mqcap.domain.estate import ztpf_zone_key
from mqcap.domain.sampled.ztpf_figure import ZtpfFigure
from tests.devtools.simulator.site.builders import (
    FIRST,
    LAST,
    container_spec,
    qmgr_spec,
    rows_of,
    site_spec,
    span,
)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    periods = list(periods_of(FIRST - timedelta(days=40), LAST, 2))
    return write_sites([site_spec()], span(), periods, tmp_path_factory.mktemp("estate"))


def test_a_site_has_an_answer_per_period_and_the_texts_of_its_queue_managers(
    files: list[Path],
) -> None:
    names = [path.name for path in files]
    assert [name for name in names if "TPF1" not in name] == [
        "HAMBURG.PAY.QM.qm.ini",
        "HAMBURG.PAY.QM.AMQERR01.2026-10-25.LOG",
        "HAMBURG.qm_web.qm.ini",
        "HAMBURG.qm_web.AMQERR01.2026-10-25.LOG",
        "HAMBURG.2026-10.json",
        "HAMBURG.2026-10-24.json",
        "HAMBURG.2026-10-25.json",
    ]
    assert {path.parent.name for path in files} == {"sites"}


def test_displays_and_console_of_a_system_are_read_with_every_capture_and_sweep(
    files: list[Path],
) -> None:
    names = [path.name for path in files if "TPF1" in path.name]
    assert names == [
        f"HAMBURG.TPF1.{kind}.{period}.txt"
        for period in ("2026-10", "2026-10-24", "2026-10-25")
        for kind in ("zmqsc", "console")
    ]
    [made] = ztpf_figures(site_spec(), span())
    zones = {ztpf_zone_key("TPF1"): "Europe/Berlin"}
    read = [rows_of(path, zones) for path in files if "TPF1" in path.name]
    samples = [row for rows in read for row in rows["ztpf_sample"]]
    in_use = [row["value"] for row in samples if row["figure"] == ZtpfFigure.mqm_in_use_blocks]
    assert in_use == made.in_use_blocks.tolist()
    levels = {row["value"] for row in samples if row["figure"] == ZtpfFigure.sweep_level_pct}
    assert levels == {80}
    sweeps = [row for rows in read for row in rows["ztpf_sweep"]]
    assert len(sweeps) == made.sweeps.sum() > 0
    assert {row["local_date"] for row in sweeps} == {
        (FIRST + timedelta(days=number)).isoformat() for number in range(9)
    }


@pytest.mark.thorough
def test_the_answers_hold_every_scrape_once(files: list[Path]) -> None:
    [made, _] = site_figures(site_spec(), span())
    rows = [row for path in files if path.suffix == ".json" for row in rows_of(path)["qmgr_sample"]]
    times = [
        int(row["reported_utc"].timestamp())
        for row in rows
        if (row["qmgr"], row["figure"]) == ("PAY.QM", "connection_count")
    ]
    assert times == made.seconds[made.is_up].tolist()


def test_inputs_come_on_the_days_of_daily_files_instead_of_answers_where_asked(
    tmp_path: Path,
) -> None:
    told = qmgr_spec(inputs=tuple(SiteInput), is_scraped_to_the_end=False)
    site = site_spec(qmgrs=(told, container_spec()), ztpf=())
    paths = write_sites([site], span(), periods_of(FIRST, LAST, 1), tmp_path)
    days = {path.name for path in paths if "2026-10-25" in path.name and "AMQERR" not in path.name}
    assert days == {
        "HAMBURG.2026-10-25.json",
        "HAMBURG.PAY.QM.amqsrua.2026-10-25.txt",
        "HAMBURG.PAY.QM.mq_json.2026-10-25.jsonl",
        "HAMBURG.PAY.QM.amqsevt.2026-10-25.jsonl",
        "HAMBURG.PAY.QM.amqsmon.2026-10-25.txt",
        "HAMBURG.PAY.QM.display.2026-10-25.txt",
    }
    answers = {path.name: path.read_text("ascii") for path in paths if path.suffix == ".json"}
    assert "PAY.QM" in answers["HAMBURG.2026-10.json"]
    assert "PAY.QM" not in answers["HAMBURG.2026-10-25.json"]


def test_without_any_scraped_queue_manager_a_day_has_no_answer(tmp_path: Path) -> None:
    site = site_spec(qmgrs=(qmgr_spec(is_scraped_to_the_end=False),), ztpf=())
    paths = write_sites([site], span(), periods_of(LAST, LAST, 1), tmp_path)
    assert [path.suffix for path in paths] == [".ini", ".LOG"]
