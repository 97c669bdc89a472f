from collections import Counter
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from sqlalchemy import Engine

from mqcap.domain.estate import Estate
from mqcap.domain.estate.places import Place
from mqcap.domain.finding import Severity
from mqcap.domain.plan import Incident
from mqcap.judging.ledger import read_ledger
from mqcap.presentation.ledger_text import ledger_lines
from mqcap.rulebook.explain import explain
from mqcap.settings import Settings, load_settings
from mqcap.steps.daily_roll_up import daily_observations, lowest_hours, without_low_queues
from mqcap.steps.evaluate import evaluate_rules
from mqcap.steps.notify import alert
from mqcap.store.console_states import read_states
from mqcap.store.findings import read_findings
from mqcap.store.outbox import read_deliveries
from mqcap.store.plans import read_plans
from sizing.rulebook.registry import all_rules
from tests.mqcap.builders import hours, utc
from tests.mqcap.steps.logs import decoded_states, land_log
from tests.summary_budget import mail_text

DAY = date(2026, 6, 10)
FULL = "2026-06-10T18:30:02.481Z AMQ7463E: Le journal est plein. [CommentInsert1(BROKER.A)]"
ROLLED_BACK = "2026-06-10T18:30:02.009Z AMQ7469W: x"
STARTED = "2026-06-10T23:26:52.070Z AMQ8003I: x [CommentInsert3(BROKER.A)]"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.delenv("MQCAP_SETTINGS_FILE", raising=False)
    site = {"site": "WEST", "timezone": "America/Chicago", "qmgrs": [{"name": "BROKER.A"}]}
    alerts = {"mail_to": ["planners@example.com"], "mail_folder": tmp_path / "mail"}
    return load_settings(
        lake=str(tmp_path / "lake"), estate=(Place.model_validate(site),), alerts=alerts
    )


def recorded(
    settings: Settings,
    engine: Engine,
    *lines: str,
    qmgr: str = "BROKER.A",
    name: str = "a.log",
    root: str = "",
) -> dict[str, int]:
    file = Path(settings.lake).parent / name
    file.write_text("\n".join([f"# mqcap errorlog QMGR({qmgr}) HOST(mq1)", *lines, ""]), "utf-8")
    land_log(settings, engine, "error_log", DAY, file, root)
    return decoded_states(settings, engine, DAY)


def test_a_full_log_is_first_in_findings_plans_and_mail(settings: Settings, engine: Engine) -> None:
    counts = recorded(settings, engine, ROLLED_BACK, FULL, STARTED)
    assert counts == {"console_states": 2, "console_unplaced": 0}
    evaluate_rules(settings, engine, DAY)
    alert(settings, engine, DAY)
    [found] = [one for one in read_findings(engine, DAY) if one.rule_id == "DST-ERRORLOG-LOG"]
    assert (found.subject, found.severity, found.is_event) == ("WEST/BROKER.A", Severity.act, True)
    assert found.title == "Units of work rolled back to free log space"
    assert "log full at 13:30 (AMQ7463; until 18:26 by AMQ8003)" in found.summary
    line = "AMQ7463 line 3 of a.log: AMQ7463 CommentInsert1(BROKER.A)"
    assert line in found.arithmetic
    assert line in explain(engine, settings, found.rule_id, found.subject, DAY)
    [plan] = read_plans(engine, DAY)
    assert (plan.resource, isinstance(plan, Incident)) == ("WEST/BROKER.A/log", True)
    [delivery] = [one for one in read_deliveries(engine) if one.channel == "mail"]
    text = mail_text(delivery.content)
    assert text.startswith("BROKER.A log files: Units of work rolled back to free log")
    assert "console" not in text
    assert ledger_lines(read_ledger(settings, engine, DAY, DAY)) == [
        "1 event in the error log without an evaluated day 14 days before: not compared."
    ]


def test_a_state_of_the_day_before_is_over(settings: Settings, engine: Engine) -> None:
    recorded(settings, engine, FULL)
    [state] = read_states(engine, DAY, DAY)
    assert (state.last_date, state.ended_by, state.line_number) == (DAY, "", 2)
    assert read_states(engine, date(2026, 6, 11), date(2026, 6, 11)) == []


def test_the_same_log_under_two_names_is_one_state(settings: Settings, engine: Engine) -> None:
    recorded(settings, engine, FULL)
    assert recorded(settings, engine, "2026-06-09T00:00:00Z AMQ7490I: x", FULL, name="b.log") == {
        "console_states": 1,
        "console_unplaced": 0,
    }


def test_a_queue_manager_that_no_site_lists_is_told_with_file_and_line(
    settings: Settings, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    counts = recorded(settings, engine, FULL, STARTED, qmgr="OTHER")
    assert counts == {"console_states": 0, "console_unplaced": 1}
    assert caplog.messages == [
        "a.log: line 2: AMQ7463 of queue manager OTHER, which no site lists."
    ]


def test_a_queue_manager_of_two_sites_is_that_of_the_input_and_without_one_is_told(
    settings: Settings, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    east = Place.model_validate({"site": "EAST", "qmgrs": [{"name": "BROKER.A"}]})
    both = settings.model_copy(update={"estate": (*settings.estate, east)})
    for root, lines in (("EAST", [FULL]), ("WEST", [ROLLED_BACK, FULL])):
        counts = recorded(both, engine, *lines, name=f"{root}.log", root=root)
        assert counts["console_unplaced"] == 0
    found = [str(state.subject) for state in read_states(engine, DAY, DAY)]
    assert found.count("EAST/BROKER.A") == 1
    assert set(found) == {"EAST/BROKER.A", "WEST/BROKER.A"}
    assert recorded(both, engine, STARTED, FULL)["console_unplaced"] == 1
    assert caplog.messages[-1].endswith("which the sites WEST EAST list.")


DEPTH, FILE = "mq_queue_depth_used_pct", "mq_queue_file_used_pct"
PUTS, COUNT = "mq_queue_put_per_s", "mq_queue_depth_count"
KINDS = {
    **dict.fromkeys((DEPTH, FILE, PUTS, COUNT), "distributed_queue"),
    "mq_connection_count": "distributed_queue_manager",
}
FLOOR = {"used_pct": 5, "put_per_s": 2}


def estate(floor: Mapping[str, float] | None = None, **qmgr: Any) -> Estate:
    site = {"site": "EAST", "qmgrs": [{"name": "QM1", **qmgr}], "queue_floor": floor}
    return Estate.model_validate({"places": [site, {"site": "WEST"}]})


def kept(
    *rows: tuple[str, str, float],
    known: Estate | None = None,
    reached: frozenset[str] = frozenset(),
) -> tuple[list[str], list[str]]:
    daily = pd.DataFrame(
        [(metric, f"EAST/QM1/{queue}", peak) for metric, queue, peak in rows],
        columns=["metric", "subject", "peak"],
    )
    place = estate(FLOOR) if known is None else known
    stay, told = without_low_queues(daily, KINDS, place, lambda _: set(reached))
    return [subject.removeprefix("EAST/QM1/") for subject in stay["subject"]], told


@pytest.mark.parametrize(("metric", "least"), [(DEPTH, 5.0), (FILE, 5.0), (PUTS, 2.0)])
@pytest.mark.parametrize(("factor", "stays"), [(0.99, False), (1.0, True), (1.01, True)])
def test_a_queue_at_the_floor_stays(metric: str, least: float, factor: float, stays: bool) -> None:
    rows = ((metric, "A", least * factor), (COUNT, "A", 7.0))
    assert kept(*rows)[0] == (["A", "A"] if stays else [])


def test_what_stays_has_all_of_its_days() -> None:
    assert kept((DEPTH, "A", 1.0), (DEPTH, "A", 9.0), (DEPTH, "B", 1.0))[0] == ["A", "A"]


def test_a_queue_that_reached_the_floor_earlier_keeps_its_series() -> None:
    assert kept((DEPTH, "A", 1.0), reached=frozenset({"EAST/QM1/A"}))[0] == ["A"]


def test_a_listed_queue_has_its_series_whatever_it_holds() -> None:
    known = estate(FLOOR, queues=[{"name": "A/B"}])
    assert kept((DEPTH, "A%2FB", 1.0), (DEPTH, "A", 1.0), known=known)[0] == ["A%2FB"]


def test_of_what_is_not_known_nothing_is_left_out() -> None:
    assert kept((COUNT, "A", 7.0), ("mq_connection_count", "", 1.0)) == (["A", ""], [])
    only_share = estate({"used_pct": 5})
    assert kept((PUTS, "A", 0.0), known=only_share)[0] == ["A"]


@pytest.mark.parametrize("known", [estate(), Estate()])
def test_without_a_floor_every_queue_has_its_series(known: Estate) -> None:
    assert kept((DEPTH, "A", 0.0), known=known) == (["A"], [])


def test_what_is_left_out_is_counted_and_named() -> None:
    _, [sentence] = kept(*[(DEPTH, f"Q{number}", 1.0) for number in range(7)])
    assert sentence == (
        "EAST: 7 queues of 1 queue manager never reached queue_floor (5 % of MAXDEPTH or of the "
        "queue file or 2 puts/s) and have no series: QM1/Q0, QM1/Q1, QM1/Q2, QM1/Q3, QM1/Q4 and 2 "
        "more."
    )
    _, [sentence] = kept((PUTS, "A", 1.0), known=estate({"put_per_s": 2}))
    assert sentence.endswith("queue_floor (2 puts/s) and have no series: QM1/A.")


def test_a_floor_without_any_figure_is_refused() -> None:
    with pytest.raises(ValueError, match="expected used_pct, put_per_s or both"):
        estate({})


def daily(frame: pd.DataFrame, zone: str = "Europe/Copenhagen") -> list[dict[Any, Any]]:
    return daily_observations(frame, {"PLEX1": zone}, "UTC").to_dict(orient="records")


def test_a_day_is_cut_in_the_time_zone_of_the_sysplex() -> None:
    rows = daily(hours(utc(10, 22), [1.0, 2.0, 3.0]))
    assert [(row["site_date"], row["covered_hours"]) for row in rows] == [
        (date(2026, 3, 10), 1.0),
        (date(2026, 3, 11), 2.0),
    ]


def test_the_spring_day_has_23_hours_and_the_autumn_day_25() -> None:
    spring = daily(hours(utc(28, 23), [1.0] * 23))
    autumn = daily(hours(utc(24, 22, month=10), [1.0] * 25))
    assert [row["covered_hours"] for row in spring] == [23.0]
    assert [row["covered_hours"] for row in autumn] == [25.0]


@pytest.mark.parametrize(
    "zone", ["America/Havana", "Africa/Casablanca", "Atlantic/Azores", "Pacific/Apia", "UTC"]
)
def test_site_dates_are_those_of_the_time_zones_of_python(zone: str) -> None:
    begins = [utc(day, 0, month=month) for month in (3, 4, 9, 11) for day in (1, 29)]
    frame = pd.concat([hours(begin, [1.0] * 48) for begin in begins])
    counted = Counter(
        moment.to_pydatetime().astimezone(ZoneInfo(zone)).date() for moment in frame["hour_utc"]
    )
    found = {row["site_date"]: row["covered_hours"] for row in daily(frame, zone)}
    assert found == counted


def test_the_mean_weighs_hours_by_their_covered_time() -> None:
    full = hours(utc(10, 8), [4.0])
    short = hours(utc(10, 9), [1.0], covered_seconds=1_200.0)
    [row] = daily(pd.concat([full, short]))
    assert row["mean"] == pytest.approx((4.0 * 3_600 + 1.0 * 1_200) / 4_800)
    assert row["covered_hours"] == pytest.approx(4_800 / 3_600)


def test_peak_p95_total_and_the_busiest_hour_are_of_the_day() -> None:
    values = [float(number) for number in range(1, 22)]
    [row] = daily(hours(utc(10, 1), values))
    assert row["peak"] == 42.0
    assert row["p95"] == pytest.approx(20.0)
    assert row["total"] == pytest.approx(sum(values) * 3_600)
    assert row["busiest_hour_utc"] == pd.Timestamp(utc(10, 21))


LOWEST = {"ims_checkpoint_minutes": "ims_checkpoint_minutes_lowest"}


def lowest(*means: float) -> list[dict[Any, Any]]:
    """The lowest hours of a figure with these hourly means from 1 UTC on, beside another series."""
    frame = hours(utc(10, 1), list(means))
    measured = frame.assign(metric="ims_checkpoint_minutes")
    both = pd.concat([frame, measured])
    return lowest_hours(both, LOWEST, {"PLEX1": "UTC"}, "UTC").to_dict(orient="records")


@pytest.mark.parametrize(("least", "is_breach"), [(9.9, True), (10.0, False), (10.1, False)])
def test_the_lowest_hour_of_a_day_is_held_against_a_floor(least: float, is_breach: bool) -> None:
    [row] = lowest(20.0, least, 19.0)
    assert row["series_id"] == "ims_checkpoint_minutes_lowest/PLEX1/CSQ1"
    assert {row["mean"], row["p95"], row["peak"]} == {least}
    assert row["busiest_hour_utc"] == pd.Timestamp(utc(10, 2))
    assert pd.isna(row["total"])
    rule = all_rules()["IMS-CKPT"]
    assert rule.assess(rule.inputs.model_validate({"minutes": row["mean"]})).breach is is_breach


def test_a_gauge_has_no_total() -> None:
    [row] = daily(hours(utc(10, 1), [1.0, 2.0], total=float("nan")))
    assert pd.isna(row["total"])
