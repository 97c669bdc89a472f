"""A small store: one queue manager over its limit, one coupling facility that will be."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Engine

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.delivery import Delivery
from mqcap.domain.feed import FeedDay, FeedKind, FeedState, Gap, GapCause
from mqcap.domain.finding import Change, Citation, Finding, InputValue, Severity
from mqcap.domain.forecast import Forecast
from mqcap.domain.input_source import EstateSource
from mqcap.domain.metric import SubjectKind, split_series_id
from mqcap.domain.plan import ChangePlan, Incident, Plan, PlanCost, PlanEnd, PlanRule, PlanTier
from mqcap.domain.ticket import Ticket
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.store.crossings import replace_crossings
from mqcap.store.feeds import replace_feed_days, upsert_source_files
from mqcap.store.findings import replace_findings
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.models import Observation, SeriesFacts, SourceFileFacts
from mqcap.store.observations import replace_observations
from mqcap.store.outbox import save_delivery
from mqcap.store.plans import replace_plans
from mqcap.store.series import upsert_series
from mqcap.store.tickets import save_ticket
from tests import factories, plan_factories
from tests.stores import new_store

STORE_FILE: Final = "store.db"
DAY: Final = date(2026, 1, 31)
HISTORY_DAYS: Final = 60
LOG: Final = "log_growth_mib_per_s/PLEX1/CSQ1"
LOG_TEST: Final = "log_growth_mib_per_s/PLEX2/TST1"
CF: Final = "cf_busy_pct/PLEX1/CF01"
QUIET: Final = "structure_size_mib/PLEX1/CF01/QSG1APPL1"

SETTINGS: Final = """
site: {name: Test site, timezone: Europe/Copenhagen}
store: {url: "sqlite:///%s"}
estate:
  - sysplex: PLEX1
    timezone: Europe/Copenhagen
    qmgrs: [{name: CSQ1}]
  - sysplex: PLEX2
    timezone: America/New_York
    qmgrs: [{name: TST1, class: test}]
"""


def settings_file(folder: Path) -> Path:
    """A settings file whose store is a SQLite file in the same folder."""
    path = folder / "platform.yaml"
    path.write_text(SETTINGS % (folder / STORE_FILE), encoding="utf-8")
    return path


def empty_store(folder: Path) -> Engine:
    """The store of ``settings_file``, migrated and empty."""
    return new_store(folder / STORE_FILE)


def filled_store(folder: Path) -> Engine:
    """The store of ``settings_file`` with one judged day."""
    engine = empty_store(folder)
    fill(engine)
    return engine


def fill(engine: Engine) -> None:
    """Put the judged day into an empty store of any kind."""
    upsert_series(engine, [facts(LOG), facts(LOG_TEST), facts(CF), facts(QUIET)])
    rows = [day for name in (LOG, LOG_TEST, CF) for day in history(name)]
    replace_observations(engine, {row.site_date for row in rows}, rows, {})
    replace_findings(engine, DAY, judged())
    replace_crossings(engine, DAY, dated())
    replace_plans(engine, DAY, plans())
    replace_forecasts(engine, DAY, [forecast(LOG), forecast(CF), refused(LOG_TEST)])
    save_ticket(engine, ticket(), "embedded")
    save_delivery(engine, delivery())
    upsert_source_files(engine, [source_file(), damaged_file()])
    replace_feed_days(engine, DAY - timedelta(days=1), DAY, feed_days())


def feed_days() -> list[FeedDay]:
    """One feed in each state, and the day before of one of them."""
    hours = {FeedState.partial: (9, 12), FeedState.stopped: (3, 4)}
    senders = {
        FeedState.complete: (FeedKind.coupling_facility, "PLEX1/CF01", ""),
        FeedState.partial: (FeedKind.statistics, "PLEX1/CSQ1", ""),
        FeedState.stopped: (FeedKind.channel_initiator, "PLEX1/CSQ1/CHINIT", ""),
        FeedState.absent: (FeedKind.member, "PLEX1/CF01", "SYS2"),
        FeedState.never_seen: (FeedKind.statistics, "PLEX2/TST1", ""),
    }
    made = []
    for state, (kind, subject, member) in senders.items():
        first, last = hours.get(state, (0, 24 if state.is_incomplete else 0))
        midnight = datetime(2026, 1, 30, 23, tzinfo=UTC)
        gap = Gap(
            start_utc=midnight + timedelta(hours=first),
            end_utc=midnight + timedelta(hours=last),
            cause=GapCause.stopped if state is FeedState.stopped else GapCause.unexplained,
        )
        made.append(
            factories.feed_day(
                subject,
                kind=kind,
                member=member,
                site_date=DAY,
                state=state,
                received_seconds=86_400.0 - 3_600 * (last - first),
                received_count=48 - 2 * (last - first),
                gaps=(gap,) if last > first else (),
                summary=f"{subject}: {state}.",
                remedy="Ask for the dump." if state.is_incomplete else "",
            )
        )
    return [*made, made[1].model_copy(update={"site_date": DAY - timedelta(days=1)})]


def judged() -> list[Finding]:
    """Findings of the day: one to act on, one of a test system, one to watch, one unknown."""
    return [
        finding(),
        finding(subject="PLEX2/TST1", series_id=LOG_TEST),
        finding(
            rule_id="CF-BUSY-1",
            subject="PLEX1/CF01",
            series_id=CF,
            severity=Severity.watch,
            title="Coupling facility busy, one engine",
            observed=27.5,
            limit_value=30.0,
            unit="%",
            breach=False,
            headroom_ratio=0.0833,
            changes=(),
        ),
        unknown_finding(),
    ]


def dated() -> list[Crossing]:
    """Crossings of the day: one passed, one expected."""
    return [
        crossing(),
        crossing(
            rule_id="CF-BUSY-1",
            subject="PLEX1/CF01",
            series_id=CF,
            limit_value=30.0,
            unit="%",
            state=CrossingState.will_cross,
            breached_since=None,
            earliest_date=date(2026, 2, 12),
            expected_date=date(2026, 3, 4),
            latest_date=None,
        ),
    ]


def plans() -> list[Plan]:
    """Plans of the day: one of logs to act on, one of a test system, one of a facility to watch."""
    return [
        plan(),
        plan(
            resource="PLEX2/TST1/active_log",
            label="TST1 active logs",
            owner_subject="PLEX2/TST1",
            is_production=False,
            worst_subject="PLEX2/TST1",
            rules=(plan_rule(subject="PLEX2/TST1"),),
            changes=(plan_factories.plan_change(subject="PLEX2/TST1"),),
        ),
        plan(
            resource="PLEX1/CF01",
            label="CF01 coupling facility",
            kind="coupling_facility",
            owner_subject="PLEX1/CF01",
            severity=Severity.watch,
            summary="27.5 % busy over 1 engine in the busiest interval; the limit is 30 %.",
            worst_rule="CF-BUSY-1",
            worst_subject="PLEX1/CF01",
            changes=(
                plan_factories.plan_change(
                    subject="PLEX1/CF01",
                    text="Give the coupling facility 2 engines instead of 1.",
                    typed="ICF engines: 2",
                    settings={"engines": 2},
                    before={"engines": 1},
                ),
            ),
            cost=PlanCost(engines=1, work_hours=2, weighted=100_800),
            due_date=date(2026, 2, 11),
            lasts_until=None,
            tiers=(),
            owner="",
            rules=(
                plan_rule(
                    rule_id="CF-BUSY-1",
                    subject="PLEX1/CF01",
                    title="Coupling facility busy, one engine",
                    before=Severity.watch,
                    before_text="27.5 % busy over 1 engine; the limit is 30 %.",
                    after_text="",
                ),
            ),
        ),
    ]


def plan(**changed: Any) -> ChangePlan:
    """The plan of the logs of ``finding``, with a larger tier for recommended rules."""
    return plan_factories.plan(**_of_logs() | changed)


def incident(**changed: Any) -> Incident:
    """What the console reported of the logs of ``finding``, with the changes of ``plan``."""
    return plan_factories.incident(**_of_logs() | changed)


def _of_logs() -> dict[str, Any]:
    return {
        "site_date": DAY,
        "summary": "at the peak of 2.5 MiB/s a log lasts 27 min of 30 min.",
        "worst_rule": "LOG-FILL-30MIN",
        "made_on": DAY,
        "earliest_date": date(2026, 2, 14),
        "due_date": date(2026, 2, 14),
        "horizon_date": date(2026, 7, 30),
        "lasts_until": date(2026, 8, 9),
        "rules": (plan_rule(),),
        "tiers": (
            PlanTier(
                changes=(
                    plan_factories.plan_change(
                        typed="20 x CYL(5825)", settings={"active_logs": 20}
                    ),
                ),
                cost=PlanCost(cylinders=186_392, dasd_mib=131_000, work_hours=12, weighted=191_192),
                lasts_until=date(2026, 9, 2),
                buys=(PlanEnd(rule_id="LOG-DAY-ACTIVE", level="limit 24 h"),),
            ),
        ),
    }


def plan_rule(**changed: Any) -> PlanRule:
    """The rule of ``finding`` with and without the plan."""
    values: dict[str, Any] = {
        "rule_id": "LOG-FILL-30MIN",
        "subject": "PLEX1/CSQ1",
        "title": "Time to fill one active log",
        "is_mandatory": True,
        "before": Severity.act,
        "after": Severity.ok,
        "before_text": "at the peak of 2.5 MiB/s a log lasts 27 min of 30 min.",
        "after_text": "at the peak of 2.5 MiB/s a log lasts 54 min of 30 min.",
        "kept_until": date(2026, 8, 9),
    }
    return PlanRule(**values | changed)


def facts(series_id: str) -> SeriesFacts:
    """A series as the catalogue declares it."""
    metric, subject = split_series_id(series_id)
    unit = {"log": "MiB/s", "cf_": "%", "str": "MiB"}[metric[:3]]
    kind = SubjectKind.queue_manager if unit == "MiB/s" else SubjectKind.coupling_facility
    return SeriesFacts(
        series_id=series_id,
        metric=metric,
        subject=subject,
        subject_kind=kind,
        unit=unit,
        description="A quantity that somebody watches.",
        forecast=unit != "MiB",
    )


def history(series_id: str, days: int = HISTORY_DAYS) -> list[Observation]:
    """A rising line that ends on ``DAY`` at 2.5; one day, 10 January, was not measured."""
    calendar = [DAY - timedelta(days=back) for back in range(days)]
    return [
        Observation(
            series_id=series_id,
            site_date=day,
            mean=1.0,
            p95=2.0 - 0.01 * (DAY - day).days,
            peak=2.5 - 0.01 * (DAY - day).days,
            busiest_hour_utc=datetime(day.year, day.month, day.day, 9, tzinfo=UTC),
            covered_hours=24.0,
        )
        for day in calendar
        if day != date(2026, 1, 10)
    ]


def finding(**changed: Any) -> Finding:
    """A log that fills too fast, with everything a finding can say."""
    values: dict[str, Any] = {
        "site_date": DAY,
        "title": "Time to fill one active log",
        "summary": "PLEX1/CSQ1: at the peak of 2.5 MiB/s a log lasts 27 min.",
        "observed": 2.5,
        "limit_value": 2.25,
        "headroom_ratio": -0.111,
        "arithmetic": ("limit = 4050 MiB / 1800 s = 2.25 MiB/s",),
        "advice": "Define larger active logs.",
        "changes": (
            Change(
                action="Define active logs of 4500 MiB.",
                amount=TypedAmount.of(TypedKind.cylinders, 6_400),
            ),
        ),
        "caveats": ("Every log switch takes a checkpoint.",),
        "citation": Citation(document="MP16", edition="14", section="Active logs"),
        "inputs": (
            InputValue(
                name="log_size_mib",
                value=4050.0,
                unit="MiB",
                origin=EstateSource(place="PLEX1/CSQ1", key="active_log_size_mib"),
            ),
        ),
    }
    return factories.finding(**values | changed)


def unknown_finding() -> Finding:
    """A rule that lacks an input."""
    return finding(
        rule_id="LOG-RUNWAY-12H",
        severity=Severity.unknown,
        title="All active logs, archiving stopped",
        summary="PLEX1/CSQ1: not checked, because active_logs is not known.",
        observed=None,
        limit_value=None,
        unit="",
        breach=None,
        headroom_ratio=None,
        series_id=None,
        statistic=None,
        arithmetic=(),
        changes=(),
        missing=("active_logs: set it in the estate (DISPLAY LOG)",),
        inputs=(),
    )


def crossing(**changed: Any) -> Crossing:
    """The limit of ``finding``, passed since the 20th."""
    values: dict[str, Any] = {
        "state": CrossingState.breached,
        "breached_since": date(2026, 1, 20),
        "earliest_date": None,
        "expected_date": None,
        "latest_date": None,
    }
    return factories.crossing(finding(), **values | changed)


def forecast(series_id: str, **changed: Any) -> Forecast:
    """Ninety days that go on rising inside a widening prediction interval."""
    lines = [
        (2.4 + 0.005 * ahead, 2.5 + 0.01 * ahead, 2.6 + 0.015 * ahead) for ahead in range(1, 91)
    ]
    values: dict[str, Any] = {
        "series_id": series_id,
        "cutoff_date": DAY,
        "points": factories.points(DAY, lines),
        "horizon_days": 90,
        "trained_days": 59,
        "smape_pct": 6.2,
        "coverage_ratio": 0.83,
        "removed_count": 2,
    }
    return factories.forecast(**values | changed)


def refused(series_id: str) -> Forecast:
    """No forecast, with its reason."""
    return forecast(series_id, points=(), refusal="only 12 days were measured; 60 are needed")


def ticket(**changed: Any) -> Ticket:
    """The open ticket of ``finding``."""
    values: dict[str, Any] = {
        "title": "CSQ1 fills a log in 27 min",
        "body": "Define active logs of 4500 MiB.",
        "first_seen_date": date(2026, 1, 20),
        "last_seen_date": DAY,
        "external_ref": "MQCAP-7",
        "due_date": None,
    }
    return factories.ticket(**values | changed)


def delivery(**changed: Any) -> Delivery:
    """A plain text mail that was sent."""
    values: dict[str, Any] = {
        "delivery_id": "d1",
        "site_date": DAY,
        "recipient": "planner@example.com",
        "digest_sha256": "0" * 64,
        "content": "One thing needs action.",
        "sent_at_utc": datetime(2026, 2, 1, 5, 0, tzinfo=UTC),
    }
    return factories.delivery(**values | changed)


def source_file(**changed: Any) -> SourceFileFacts:
    """A dump that was read without trouble."""
    values: dict[str, Any] = {
        "name": "SYS1.D260131.smf",
        "received_date": DAY,
        "landed_at_utc": datetime(2026, 2, 1, 1, 0, tzinfo=UTC),
        "bytes_count": 1_234_567,
        "framing": "rdw",
        "record_count": 4_321,
        "decoded_bytes": 1_200_000,
        "skipped_bytes": 34_567,
        "quarantined_bytes": 0,
    }
    return factories.source_file(**values | changed)


def damaged_file() -> SourceFileFacts:
    """A dump of which some bytes could not be read."""
    return source_file(
        sha256="b" * 64,
        name="SYS2.D260131.smf",
        quarantined_bytes=12,
        problem="12 bytes at byte 99 are no record",
    )
