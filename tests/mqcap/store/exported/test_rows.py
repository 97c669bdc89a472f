from datetime import timedelta

from sqlalchemy import Engine

from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import Severity
from mqcap.store.crossings import replace_crossings
from mqcap.store.exported import (
    FINDING_COLUMNS,
    OBSERVATION_COLUMNS,
    exported_findings,
    exported_observations,
    file_sums,
    newest_runs,
    row_counts,
)
from mqcap.store.feeds import replace_feed_days, upsert_source_files
from mqcap.store.findings import replace_findings
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.observations import replace_observations
from mqcap.store.outbox import save_delivery
from mqcap.store.problems import replace_problems
from mqcap.store.series import upsert_series
from mqcap.store.step_runs import save_step_run
from mqcap.store.tickets import save_ticket
from tests.factories import (
    DAY,
    NOON,
    crossing,
    delivery,
    feed_day,
    finding,
    forecast,
    observation,
    problem_day,
    series_facts,
    source_file,
    step_run,
    ticket,
)

SOON = DAY + timedelta(days=9)


def test_every_measured_day_is_a_row_with_its_covered_time(engine: Engine) -> None:
    upsert_series(engine, [series_facts(), series_facts("PLEX1/CSQ2")])
    days = [DAY, DAY - timedelta(days=1)]
    rows = [observation(day=day, covered_hours=23.5) for day in days]
    rows.append(observation("PLEX1/CSQ2"))
    replace_observations(engine, days, rows, {})
    made = list(exported_observations(engine))
    assert set(OBSERVATION_COLUMNS) <= made[0].keys()
    assert [(row["subject"], row["site_date"]) for row in made] == [
        ("PLEX1/CSQ1", days[1]),
        ("PLEX1/CSQ1", DAY),
        ("PLEX1/CSQ2", DAY),
    ]
    assert made[0]["covered_seconds"] == 84_600


def test_a_finding_has_the_dates_of_its_crossing(engine: Engine) -> None:
    replace_findings(engine, DAY, [finding("PLEX1/CSQ2"), finding()])
    replace_crossings(engine, DAY, [crossing(state=CrossingState.will_cross, expected_date=SOON)])
    first, second = exported_findings(engine, DAY)
    assert tuple(first) == tuple(FINDING_COLUMNS)
    assert (first["subject"], first["crossing_expected"]) == ("PLEX1/CSQ1", SOON)
    assert (second["subject"], second["crossing_state"]) == ("PLEX1/CSQ2", None)


def test_a_limit_that_is_passed_has_its_first_day_as_all_dates(engine: Engine) -> None:
    since = DAY - timedelta(days=3)
    replace_findings(engine, DAY, [finding()])
    passed = crossing(state=CrossingState.breached, breached_since=since)
    replace_crossings(engine, DAY, [passed])
    [row] = exported_findings(engine, DAY)
    dates = {row[f"crossing_{name}"] for name in ("earliest", "expected", "latest")}
    assert dates == {since}


def test_without_findings_there_is_no_row(engine: Engine) -> None:
    assert list(exported_findings(engine, DAY)) == []
    assert list(exported_observations(engine)) == []


BEFORE = DAY - timedelta(days=1)


def test_files_are_added_up_and_those_not_decoded_count_with_their_size(engine: Engine) -> None:
    assert set(file_sums(engine).values()) == {0}
    decoded = {"record_count": 5, "decoded_bytes": 90, "skipped_bytes": 8, "quarantined_bytes": 2}
    files = [source_file(bytes_count=50), source_file(sha256="b" * 64, problem="cut", **decoded)]
    upsert_source_files(engine, files)
    assert file_sums(engine) == {
        "files": 2,
        "problems": 1,
        "records": 5,
        "delivered": 4_146,
        "decoded": 90,
        "skipped": 8,
        "quarantined": 2,
    }


def test_the_newest_run_of_each_step_is_found_in_the_order_of_their_ends(engine: Engine) -> None:
    for hours, step in enumerate(("size", "land", "size")):
        save_step_run(engine, step_run(step=step, ended_at_utc=NOON + timedelta(hours=hours)))
    assert [(run.step, run.ended_at_utc.hour) for run in newest_runs(engine)] == [
        ("land", 13),
        ("size", 14),
    ]
    assert row_counts(engine)["step_runs"] == {("land",): 1, ("size",): 2}


def test_a_delivery_fails_while_it_waits_with_an_error(engine: Engine) -> None:
    stages = (("pending", "refused"), ("pending", None), ("sent", None), ("merged", "refused"))
    for number, (stage, error) in enumerate(stages):
        save_delivery(engine, delivery(delivery_id=f"{number}" * 64, stage=stage, error=error))
    assert row_counts(engine)["deliveries"] == {
        ("mail", "merged"): 1,
        ("mail", "pending"): 2,
        ("mail", "sent"): 1,
    }
    assert row_counts(engine)["deliveries_failing"] == {("mail",): 1}


def test_only_the_newest_day_counts(engine: Engine) -> None:
    for day, severity in ((BEFORE, Severity.act), (DAY, Severity.watch)):
        replace_findings(engine, day, [finding(site_date=day, severity=severity)])
        replace_problems(engine, day, [problem_day(site_date=day, severity=severity)])
        replace_feed_days(engine, day, day, [feed_day(site_date=day)])
        replace_forecasts(engine, day, [forecast(cutoff_date=day)])
    counts = row_counts(engine)
    assert counts["findings"] == {("watch",): 1}
    assert counts["problems"] == {("new", "watch"): 1}
    assert counts["feeds"] == {("statistics", "partial"): 1}
    assert counts["forecasts"] == {("made",): 1, ("refused",): 0}


def test_a_refused_forecast_is_none_that_was_made(engine: Engine) -> None:
    assert row_counts(engine)["forecasts"] == {}
    refused = forecast("PLEX1/CSQ2", (), refusal="59 usable days")
    replace_forecasts(engine, DAY, [forecast(), refused])
    assert row_counts(engine)["forecasts"] == {("made",): 1, ("refused",): 1}


def test_tickets_are_counted_by_state_and_severity(engine: Engine) -> None:
    save_ticket(engine, ticket(), "embedded")
    assert row_counts(engine)["tickets"] == {("open", "act"): 1}
