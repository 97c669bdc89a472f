"""Growth that the sample plants in a log and in channel storage is found by queue and channel."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Final

import pytest

from devtools.simulator import SimulationResult, generate, sample_spec
from mqcap.domain.attribution import Attribution, PartKind
from mqcap.queries.why import begin_of_month_before, growth_of_series
from mqcap.settings.loader import FILE_VARIABLE
from mqcap.unit_costs.channel_cost import ChannelCost
from spark_apps import decode_and_aggregate
from tests.spark_apps.lakes import land

pytestmark = pytest.mark.spark
LAST: Final = date(2026, 11, 22)
SINCE: Final = begin_of_month_before(LAST)
WEEK: Final = timedelta(days=6)
POINTS: Final = 5.0
LOG, STORAGE, CHANNELS = "log_growth_mib_per_s", "chinit_31bit_used_mib", "channels_current_count"
OF_CSQ2, OF_CSQ3 = "PLEX1/CSQ2", "PLEX1/CSQ3/CHINIT"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[SimulationResult]:
    """The first and the last week of the span; those between are not needed."""
    spec = sample_spec()
    plex = spec.sysplexes[0]
    qmgrs = tuple(qmgr for qmgr in plex.qmgrs if qmgr.name in {"CSQ2", "CSQ3"})
    alone = spec.model_copy(
        update={
            "sysplexes": (plex.model_copy(update={"qmgrs": qmgrs, "cfs": ()}),),
            "sites": (),
            "anchor_date": LAST,
        }
    )
    return [
        generate(alone, tmp_path_factory.mktemp(name), first_date=first, last_date=first + WEEK)
        for name, first in (("then", SINCE), ("now", LAST - WEEK))
    ]


@pytest.fixture(scope="module")
def lake(results: list[SimulationResult], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample")
    land(folder, [dump for result in results for dump in result.dumps])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FILE_VARIABLE, str(results[0].settings_file))
        decode_and_aggregate.main(["--lake", str(folder)])
    return folder


def planted_cost(metric: str, _subject: str, _day: date) -> ChannelCost | None:
    """Return what the sample plants; that it is learnt has a test of its own."""
    [kib] = [
        qmgr.chinit.kib_per_channel_31bit
        for qmgr in sample_spec().sysplexes[0].qmgrs
        if qmgr.name == "CSQ3"
    ]
    return ChannelCost(kib, "", None, None) if metric == STORAGE else None


def planted_shares(results: list[SimulationResult], metric: str, subject: str) -> dict[str, float]:
    """Return the planted shares in the growth, in per cent."""
    then, now = (
        {
            part.part: sum(part.by_day.values())
            for part in result.truth.parts
            if (part.metric, part.subject) == (metric, subject)
        }
        for result in results
    )
    growth = now.pop("") - then.pop("")
    return {name: 100 * (now[name] - then[name]) / growth for name in now}


def found(lake: Path, metric: str, subject: str) -> Attribution:
    return growth_of_series(lake, metric, subject, last=LAST, cost_of=planted_cost).attribution


@pytest.mark.parametrize(
    ("metric", "subject", "kind", "first"),
    [
        (LOG, OF_CSQ2, PartKind.queue, "PAY.OUT"),
        (STORAGE, OF_CSQ3, PartKind.channel, "CARD.STORE.SVRCONN"),
        (CHANNELS, OF_CSQ3, PartKind.channel, "CARD.STORE.SVRCONN"),
    ],
)
def test_the_growth_that_the_sample_plants_is_found(
    lake: Path,
    results: list[SimulationResult],
    metric: str,
    subject: str,
    kind: PartKind,
    first: str,
) -> None:
    answer = found(lake, metric, subject)
    shares = {part.part: part.share_of_growth_pct for part in answer.parts if part.kind is kind}
    planted = planted_shares(results, metric, subject)
    assert shares == pytest.approx(planted, abs=POINTS)
    assert planted[first] > 50
    assert answer.parts[0].part == first


def test_without_task_accounting_the_log_is_divided_by_queue_alone(lake: Path) -> None:
    assert found(lake, LOG, OF_CSQ2).breakdowns == (PartKind.queue,)


def test_storage_of_the_channel_initiator_itself_stays_unexplained(lake: Path) -> None:
    rest = found(lake, STORAGE, OF_CSQ3).parts[-1]
    assert rest.kind is PartKind.unexplained
    assert rest.now == pytest.approx(160, rel=0.1)
