"""Figures of the platform, as the database counts them."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Engine

from mqcap.domain.finding import Severity
from mqcap.store.exported.platform import (
    delivery_counts,
    failing_deliveries,
    feed_counts,
    file_sums,
    finding_counts,
    forecast_counts,
    newest_runs,
    problem_counts,
    step_counts,
    ticket_counts,
)
from mqcap.store.feeds import replace_feed_days, upsert_source_files
from mqcap.store.findings import replace_findings
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.outbox import save_delivery
from mqcap.store.problems import replace_problems
from mqcap.store.step_runs import save_step_run
from mqcap.store.tickets import save_ticket
from tests.factories import (
    DAY,
    NOON,
    delivery,
    feed_day,
    finding,
    forecast,
    problem_day,
    source_file,
    step_run,
    ticket,
)

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
    assert step_counts(engine) == {("land",): 1, ("size",): 2}


def test_a_delivery_fails_while_it_waits_with_an_error(engine: Engine) -> None:
    stages = (("pending", "refused"), ("pending", None), ("sent", None), ("merged", "refused"))
    for number, (stage, error) in enumerate(stages):
        save_delivery(engine, delivery(delivery_id=f"{number}" * 64, stage=stage, error=error))
    assert delivery_counts(engine) == {
        ("mail", "merged"): 1,
        ("mail", "pending"): 2,
        ("mail", "sent"): 1,
    }
    assert failing_deliveries(engine) == {("mail",): 1}


def test_only_the_newest_day_counts(engine: Engine) -> None:
    for day, severity in ((BEFORE, Severity.act), (DAY, Severity.watch)):
        replace_findings(engine, day, [finding(site_date=day, severity=severity)])
        replace_problems(engine, day, [problem_day(site_date=day, severity=severity)])
        replace_feed_days(engine, day, day, [feed_day(site_date=day)])
        replace_forecasts(engine, day, [forecast(cutoff_date=day)])
    assert finding_counts(engine) == {("watch",): 1}
    assert problem_counts(engine) == {("new", "watch"): 1}
    assert feed_counts(engine) == {("statistics", "partial"): 1}
    assert forecast_counts(engine) == {("made",): 1, ("refused",): 0}


def test_a_refused_forecast_is_none_that_was_made(engine: Engine) -> None:
    assert forecast_counts(engine) == {}
    refused = forecast("PLEX1/CSQ2", (), refusal="59 usable days")
    replace_forecasts(engine, DAY, [forecast(), refused])
    assert forecast_counts(engine) == {("made",): 1, ("refused",): 1}


def test_tickets_are_counted_by_state_and_severity(engine: Engine) -> None:
    save_ticket(engine, ticket(), "embedded")
    assert ticket_counts(engine) == {("open", "act"): 1}
