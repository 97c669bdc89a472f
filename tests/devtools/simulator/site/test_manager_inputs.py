"""Every further input is read back with the figures that Prometheus would have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from devtools.simulator.site.manager_inputs import SUFFIXES, TEXT_OF_INPUT
from devtools.simulator.site.site_figures import FigureSlice, SiteFigures
from devtools.simulator.site.site_spec import SiteInput
from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from mqcap.domain.estate import qmgr_zone_key
from tests.devtools.simulator.site.builders import figures, rows_of

ZONES = {qmgr_zone_key("PAY.QM"): "Europe/Berlin"}
Read = Mapping[QmgrFigure, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def made() -> SiteFigures:
    return figures()


@pytest.fixture(scope="module")
def read(made: SiteFigures, tmp_path_factory: pytest.TempPathFactory) -> Mapping[SiteInput, Read]:
    """The last day, with an hour that a change of clocks repeats, by input and figure."""
    folder = tmp_path_factory.mktemp("inputs")
    part = FigureSlice(made, len(made.grid) - 50, len(made.grid))
    found: dict[SiteInput, dict[QmgrFigure, list[dict[str, Any]]]] = {}
    for kind in SiteInput:
        path = folder / f"{kind.value}.{SUFFIXES[kind]}"
        path.write_text(TEXT_OF_INPUT[kind](part), encoding="ascii")
        of_kind = found.setdefault(kind, {})
        for row in rows_of(path, ZONES)["qmgr_sample"]:
            assert row["qmgr"] == "PAY.QM"
            of_kind.setdefault(QmgrFigure(row["figure"]), []).append(row)
    return found


def values(read: Read, figure: QmgrFigure, made: SiteFigures) -> tuple[list[float], list[int]]:
    """Values in order of time, and the places of the scrapes that they are of."""
    rows = sorted(read[figure], key=lambda row: row["reported_utc"])
    seconds = [int(row["reported_utc"].timestamp()) for row in rows]
    return [row["value"] for row in rows], np.searchsorted(made.seconds, seconds).tolist()


@pytest.mark.parametrize(
    ("kind", "figure", "count", "tolerance"),
    [
        (SiteInput.amqsrua, QmgrFigure.log_primary_used_pct, 47, 0.005),
        (SiteInput.amqsrua, QmgrFigure.log_write_latency_us, 47, 0.5),
        (SiteInput.mq_json, QmgrFigure.log_primary_used_pct, 49, 0.005),
        (SiteInput.mq_json, QmgrFigure.connection_count, 49, 0),
        (SiteInput.mq_json, QmgrFigure.queue_depth_count, 49, 0),
        (SiteInput.amqsevt, QmgrFigure.connection_count, 48, 0),
        (SiteInput.amqsevt, QmgrFigure.queue_depth_count, 48, 0),
        (SiteInput.amqsmon, QmgrFigure.connection_count, 48, 0),
        (SiteInput.amqsmon, QmgrFigure.queue_depth_count, 48, 0),
        (SiteInput.display, QmgrFigure.log_primary_used_pct, 48, 0.5),
        (SiteInput.display, QmgrFigure.connection_count, 48, 0),
        (SiteInput.display, QmgrFigure.queue_depth_count, 48, 0),
    ],
)
def test_gauges_are_those_of_the_moment(
    made: SiteFigures,
    read: Mapping[SiteInput, Read],
    kind: SiteInput,
    figure: QmgrFigure,
    count: int,
    tolerance: float,
) -> None:
    """Two scrapes are during the restart; of amqsrua the first one after it does not count."""
    expected = {
        QmgrFigure.log_primary_used_pct: made.log_primary_pct,
        QmgrFigure.log_write_latency_us: made.log_write_latency_us,
        QmgrFigure.connection_count: made.connections,
        QmgrFigure.queue_depth_count: made.depths["APP/IN"],
    }[figure]
    found, places = values(read[kind], figure, made)
    assert found == pytest.approx(expected[places].tolist(), abs=tolerance + 1e-9)
    assert len(found) == count
    assert places[-1] == len(made.grid) - 1


@pytest.mark.parametrize(
    ("kind", "figure"),
    [
        (SiteInput.amqsrua, QmgrFigure.put_count),
        (SiteInput.amqsrua, QmgrFigure.log_written_bytes),
        (SiteInput.mq_json, QmgrFigure.put_count),
        (SiteInput.mq_json, QmgrFigure.log_written_bytes),
        (SiteInput.amqsevt, QmgrFigure.put_count),
        (SiteInput.amqsmon, QmgrFigure.put_count),
    ],
)
def test_amounts_are_those_of_the_time_before_the_moment(
    made: SiteFigures, read: Mapping[SiteInput, Read], kind: SiteInput, figure: QmgrFigure
) -> None:
    amounts = {
        QmgrFigure.put_count: made.puts,
        QmgrFigure.log_written_bytes: made.log_bytes,
    }[figure]
    found, places = values(read[kind], figure, made)
    assert found == amounts[places].tolist()
    assert {row["step_seconds"] for row in read[kind][figure]} == {1_800}


def test_displays_state_limits_and_queue_files(
    made: SiteFigures, read: Mapping[SiteInput, Read]
) -> None:
    displays = read[SiteInput.display]
    for figure, value in (
        (QmgrFigure.queue_depth_max_count, 1_000),
        (QmgrFigure.log_primary_files_count, 6),
        (QmgrFigure.log_secondary_files_count, 2),
        (QmgrFigure.queue_file_max_mib, 2_088_960),
    ):
        assert {row["value"] for row in displays[figure]} == {value}
    depth = max(made.depths["APP/IN"][-50:].tolist())
    assert max(row["value"] for row in displays[QmgrFigure.queue_file_mib]) == 1 + depth // 512


def test_nothing_is_told_of_the_restart(made: SiteFigures, read: Mapping[SiteInput, Read]) -> None:
    [restart] = made.restarts
    for of_kind in read.values():
        for rows in of_kind.values():
            for row in rows:
                at_us = row["reported_utc"].timestamp() * 1e6
                assert not restart.ended_us <= at_us <= restart.started_us
