"""Planted growth is found: a queue, an application, a channel, and a user of the CF beside MQ."""

from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from devtools.simulator import SimulationResult, generate
from devtools.simulator.events import LoadChange
from devtools.simulator.spec import ChannelGroup, EstateSpec, Sender, Structure, small_spec
from devtools.simulator.workload import GrowthKind, Load
from mqcap.completeness.days import differing_sources
from mqcap.domain.attribution import Attribution, PartKind
from mqcap.domain.units import MIB_BYTES
from mqcap.queries.why import growth_of_series
from mqcap.settings.analysis import AttributionSettings
from mqcap.settings.loader import FILE_VARIABLE
from spark_apps import decode_and_aggregate
from tests.spark_apps.lakes import land

pytestmark = pytest.mark.spark
LAST = date(2026, 3, 19)
SINCE = LAST - timedelta(days=15)
WINDOW_DAYS = 2
POINTS = 5.0
LOG, CHANNELS, BUSY = "log_growth_mib_per_s", "channels_current_count", "cf_busy_pct"
ENTRIES, ELEMENTS = "structure_entries_used_pct", "structure_elements_used_pct"
ABOVE_BAR = "chinit_64bit_used_mib"
SUBJECTS = {
    LOG: "PLEXA/MQA1",
    CHANNELS: "PLEXA/MQA1/CHINIT",
    ABOVE_BAR: "PLEXA/MQA1/CHINIT",
    BUSY: "PLEXA/CFA1",
    ENTRIES: "PLEXA/CFA1/QSGAAPPL1",
    ELEMENTS: "PLEXA/CFA1/QSGAAPPL1",
}
LATER = LoadChange(day_offset=-8, before=0.0)


def planted() -> EstateSpec:
    """The small estate with one queue manager that writes its queues, tasks and channels."""
    spec = small_spec()
    plex = spec.sysplexes[0]
    growing = {"growth": GrowthKind.compounding, "growth_ratio_per_year": 4.0}
    qmgr = plex.qmgrs[0].model_copy(
        update={
            "upgrade": None,
            "log_mib_per_s": Load(at_anchor=0.8, **growing),
            "channels": Load(at_anchor=400, **growing),
            "senders": (
                Sender(
                    queue="PAY.IN", application="PAYAPP", weight=4,
                    change=LoadChange(day_offset=-8, before=0.3),
                ),
                Sender(queue="ORDER.IN", application="ORDERAPP", weight=3, message_bytes=9_000),
                Sender(queue="NEW.IN", application="NEWAPP", weight=1, change=LATER),
                Sender(queue="CSQ.", application="REPLYAPP", weight=1, is_dynamic=True),
                Sender(
                    queue="PAY.SHARED", structure="APPL1", application="PAYCICS", weight=0.1,
                    held=60_000, held_change=LoadChange(day_offset=-8, before=0.25),
                ),
                Sender(
                    queue="ORDER.SHARED", structure="APPL1", application="ORDCICS", weight=0.1,
                    message_bytes=300, held=30_000,
                    held_change=LoadChange(day_offset=-16, before=0.2, gradual=True),
                ),
            ),
            # messages of 1 MB take buffers of 1 MiB above the bar, two for one conversation
            "chinit": plex.qmgrs[0].chinit.model_copy(
                update={"kib_per_channel_64bit": 2_048, "scavenge_at_ratio": 0}
            ),
            "channel_groups": (
                ChannelGroup(
                    name="TO.BRANCH", weight=2, message_bytes=1_000_000,
                    change=LoadChange(day_offset=-16, before=0.6, gradual=True),
                ),
                ChannelGroup(name="APP.SVRCONN", weight=3, message_bytes=1_000_000),
            ),
        }
    )  # fmt: skip
    lock = Structure(
        name="DSNA_LOCK1",
        kind="lock",
        requests_per_s=500,
        entries_used_pct=Load(at_anchor=20),
        change=LoadChange(day_offset=-8, before=0.25),
    )
    cf = plex.cfs[0].model_copy(update={"structures": (*plex.cfs[0].structures, lock)})
    changed = plex.model_copy(update={"qmgrs": (qmgr,), "cfs": (cf,)})
    return spec.model_copy(
        update={"sysplexes": (changed,), "anchor_date": LAST, "history_days": 20}
    )


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[SimulationResult]:
    """The first and the last days of the span; those between are not needed."""
    spec, length = planted(), timedelta(days=WINDOW_DAYS - 1)
    return [
        generate(spec, tmp_path_factory.mktemp(name), first_date=first, last_date=first + length)
        for name, first in (("then", SINCE), ("now", LAST - length))
    ]


@pytest.fixture(scope="module")
def planted_lake(results: list[SimulationResult], tmp_path_factory: pytest.TempPathFactory) -> Path:
    lake = tmp_path_factory.mktemp("planted")
    land(lake, [dump for result in results for dump in result.dumps])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FILE_VARIABLE, str(results[0].settings_file))
        decode_and_aggregate.main(["--lake", str(lake)])
    return lake


def found(lake: Path, metric: str, breakdown: PartKind | None = None) -> Attribution:
    growth = growth_of_series(
        lake,
        metric,
        SUBJECTS[metric],
        since=SINCE,
        last=LAST,
        settings=AttributionSettings(window_days=WINDOW_DAYS, least_growth_pct=0),
        breakdown=breakdown,
    )
    return growth.attribution


def shares(answer: Attribution) -> dict[str, float]:
    return {
        part.part: part.share_of_growth_pct or 0.0
        for part in answer.parts
        if part.kind is answer.breakdown
    }


def truth(results: list[SimulationResult], metric: str, breakdown: str) -> Mapping[str, float]:
    """Planted shares in the growth of the metric."""
    then, now = (
        {
            part.part: sum(part.by_day.values())
            for part in result.truth.parts
            if (part.metric, part.subject) == (metric, SUBJECTS[metric])
            and part.breakdown in {breakdown, ""}
        }
        for result in results
    )
    growth = now.pop("") - then.pop("")
    return {name: 100 * (now[name] - then[name]) / growth for name in now}


@pytest.mark.parametrize("breakdown", [PartKind.queue, PartKind.application])
def test_the_log_is_divided_as_planted(
    planted_lake: Path, results: list[SimulationResult], breakdown: PartKind
) -> None:
    answer = found(planted_lake, LOG, breakdown)
    written = [sum(result.truth.log_bytes["PLEXA/MQA1"].values()) for result in results]
    assert answer.now == pytest.approx(written[1] / MIB_BYTES / (86_400 * WINDOW_DAYS), rel=0.001)
    expected = truth(results, LOG, breakdown)
    assert shares(answer) == pytest.approx(expected, abs=POINTS)
    assert max(expected.values()) > 50


def test_a_queue_that_doubles_and_an_application_that_appears_are_named(planted_lake: Path) -> None:
    by_queue = {part.part: part for part in found(planted_lake, LOG).parts}
    assert {"PAY.IN", "ORDER.IN", "NEW.IN", "CSQ.*"} <= by_queue.keys()
    assert by_queue["PAY.IN"].now > 1.9 * by_queue["PAY.IN"].then
    by_application = {
        part.part: part for part in found(planted_lake, LOG, PartKind.application).parts
    }
    assert by_application["NEWAPP"].then == 0
    assert by_application["NEWAPP"].now > 0


def test_the_growth_of_a_channel_is_that_of_its_instances(
    planted_lake: Path, results: list[SimulationResult]
) -> None:
    answer = found(planted_lake, CHANNELS)
    assert answer.breakdown is PartKind.channel
    assert shares(answer) == pytest.approx(truth(results, CHANNELS, "channel"), abs=POINTS)


def test_a_user_of_the_facility_that_is_not_mq_is_a_part(
    planted_lake: Path, results: list[SimulationResult]
) -> None:
    answer = found(planted_lake, BUSY)
    assert shares(answer) == pytest.approx(truth(results, BUSY, "structure"), abs=POINTS)
    first = answer.parts[0]
    assert (first.part, first.kind) == ("DSNA_LOCK1", PartKind.structure)


@pytest.mark.parametrize("metric", [ENTRIES, ELEMENTS])
def test_a_shared_queue_that_fills_has_its_share_in_the_use_of_its_structure(
    planted_lake: Path, results: list[SimulationResult], metric: str
) -> None:
    answer = found(planted_lake, metric)
    expected = truth(results, metric, "queue")
    assert answer.breakdown is PartKind.queue
    assert shares(answer) == pytest.approx(expected, abs=POINTS)
    assert expected["PAY.SHARED"] > 50 and expected["ORDER.SHARED"] > 10
    assert answer.parts[0].part == "PAY.SHARED"
    rest = answer.parts[-1]
    assert rest.kind is PartKind.unexplained
    assert rest.then > 5


def test_storage_above_the_bar_grows_by_the_buffers_of_client_channels(
    planted_lake: Path, results: list[SimulationResult]
) -> None:
    answer = found(planted_lake, ABOVE_BAR)
    expected = truth(results, ABOVE_BAR, "channel")
    assert shares(answer) == pytest.approx(expected, abs=POINTS)
    assert answer.parts[0].part == "TO.BRANCH"
    base = answer.parts[-1]
    assert base.kind is PartKind.unexplained
    assert base.now == pytest.approx(80, abs=1)


def test_parts_add_up_to_the_metric_within_one_per_cent_or_the_rest_is_shown(
    planted_lake: Path,
) -> None:
    for metric in (LOG, CHANNELS, BUSY):
        answer = found(planted_lake, metric)
        for whole, total in (
            (answer.then, sum(part.then for part in answer.parts)),
            (answer.now, sum(part.now for part in answer.parts)),
        ):
            assert total == pytest.approx(whole, rel=0.01)


def test_no_temporary_queue_has_a_row(planted_lake: Path) -> None:
    files = sorted((planted_lake / "metric_part").glob("hour_date=*/*.parquet"))
    names = {
        name for file in files for name in pq.read_table(file)["part"].to_pylist() if "CSQ." in name
    }
    assert names == {"CSQ.*"}


def test_sources_of_the_same_figures_agree(planted_lake: Path) -> None:
    settings = AttributionSettings(source_tolerance_pct=3.0)
    assert (planted_lake / "source_pair").is_dir()
    assert differing_sources(planted_lake, SINCE, LAST, settings) == []
