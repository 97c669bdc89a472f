"""The sample's site through all steps: what was planted is in findings, table and mail."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Final, TypeVar

import pytest
import yaml

from devtools.simulator import CrossingClass, PlantedTruth, sample_spec
from devtools.simulator.generate import periods_of
from devtools.simulator.queue_manager import simulated_period
from devtools.simulator.settings_file import write_settings
from devtools.simulator.site.site_figures import SiteFigures, site_figures
from devtools.simulator.site.site_files import write_sites
from devtools.simulator.timeline import day_number
from devtools.simulator.truth import PlantedEvent, planted_site_events, planted_site_truths
from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.distributed.mq_name import subject_of
from mqcap.domain.finding import Severity
from mqcap.store.crossings import read_crossings
from mqcap.store.database import open_store
from mqcap.store.findings import read_findings
from mqcap.store.observations import read_window
from mqcap.store.outbox import read_deliveries
from tests.end_to_end.estate import mqcap
from tests.plugins.web import a_reader, text_of
from tests.summary_budget import MAIL_WORDS, REPORT_LINES, mail_text

pytestmark = [pytest.mark.end_to_end, pytest.mark.airflow, pytest.mark.spark]

DAY: Final = date(2026, 10, 15)
HISTORY_DAYS: Final = 120
TOLERANCE: Final = timedelta(days=7)
SHORT_LIVED: Final = "HAMBURG/ORDERS/ORDERS.REPLY"
"""Beyond the earliest and latest date of a forecast, as for data with known crossings."""


_Read = TypeVar("_Read")


@dataclass(frozen=True)
class RanSite:
    environment: Mapping[str, str]
    truths: tuple[PlantedTruth, ...]
    events: tuple[PlantedEvent, ...]
    figures: tuple[SiteFigures, ...]

    def read(self, reader: Callable[..., list[_Read]], *about: date) -> list[_Read]:
        store = open_store(self.environment["MQCAP_STORE__URL"])
        try:
            return reader(store, *about)
        finally:
            store.dispose()

    def page(self, path: str, **query: str) -> str:
        with a_reader(self.environment) as reader:
            return text_of(reader.get(path, params=query))

    def of(self, *classes: CrossingClass) -> list[PlantedTruth]:
        return [truth for truth in self.truths if truth.crossing_class in classes]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory, spark: object) -> RanSite:
    """The site alone: nobody has told of a sysplex."""
    folder = tmp_path_factory.mktemp("site")
    first = DAY - timedelta(days=HISTORY_DAYS - 1)
    spec = sample_spec()
    span = simulated_period(spec, first, DAY)
    files = write_sites(spec.sites, span, periods_of(first, DAY, 1), folder)
    settings = folder / "platform.yaml"
    write_settings(spec, settings)
    document = yaml.safe_load(settings.read_text(encoding="utf-8"))
    document["estate"] = [part for part in document["estate"] if "site" in part]
    document["alerts"]["mail_to"] = ["planners@example.com"]
    settings.write_text(yaml.safe_dump(document), encoding="utf-8")
    environment = {
        "MQCAP_SETTINGS_FILE": str(settings),
        "MQCAP_LAKE": str(folder / "lake"),
        "MQCAP_STORE__URL": f"sqlite:///{folder}/store.db",
        "MQCAP_INGEST__INBOX": str(folder / "inbox"),
    }
    Path(environment["MQCAP_INGEST__INBOX"]).mkdir()
    mqcap(environment, "load", *map(str, files))
    mqcap(environment, "run", "--day", DAY.isoformat(), "--replay")
    return RanSite(
        environment,
        planted_site_truths(spec.sites, span),
        planted_site_events(spec.sites, span),
        site_figures(spec.sites[0], span),
    )


def _crossings(site: RanSite) -> dict[str, Crossing]:
    dated = {(item.rule_id, item.subject): item for item in site.read(read_crossings, DAY)}
    return {
        finding.series_id: dated[finding.rule_id, finding.subject]
        for finding in site.read(read_findings, DAY)
        if finding.series_id and (finding.rule_id, finding.subject) in dated
    }


def _mail(site: RanSite) -> str:
    [delivery] = [one for one in site.read(read_deliveries) if one.channel == "mail"]
    return mail_text(delivery.content)


def test_planted_crossings_are_within_the_dates_of_their_forecasts(ran: RanSite) -> None:
    crossings = _crossings(ran)
    soon = ran.of(CrossingClass.crosses_within_90_days)
    assert len(soon) == 4
    for truth in soon:
        crossing = crossings[f"{truth.metric}/{truth.subject}"]
        assert crossing.state is CrossingState.will_cross, truth.subject
        assert crossing.limit_value == pytest.approx(truth.limit)
        assert crossing.earliest_date is not None
        assert truth.first_crossing_date is not None
        assert truth.working_day_crossing_date is not None
        assert crossing.earliest_date - TOLERANCE <= truth.working_day_crossing_date
        if crossing.latest_date is not None:  # of a short history 90 % may be beyond a year
            assert truth.first_crossing_date <= crossing.latest_date + TOLERANCE


def test_the_queue_at_maxdepth_is_at_its_limit(ran: RanSite) -> None:
    [truth] = ran.of(CrossingClass.already_over)
    assert _crossings(ran)[f"{truth.metric}/{truth.subject}"].state is CrossingState.breached


def test_only_what_was_planted_is_to_act_on_or_to_watch(ran: RanSite) -> None:
    urgent = {
        finding.subject
        for finding in ran.read(read_findings, DAY)
        if finding.severity in {Severity.act, Severity.watch}
    }
    planted = ran.of(CrossingClass.crosses_within_90_days, CrossingClass.already_over)
    assert urgent == {truth.subject for truth in planted} | {SHORT_LIVED}


def test_a_queue_is_to_watch_that_is_full_minutes_after_its_consumer_stops(ran: RanSite) -> None:
    [spec] = [one for made in ran.figures for one in made.spec.queues if one.name == "ORDERS.REPLY"]
    [qmgr] = [made.spec for made in ran.figures if spec in made.spec.queues]
    every = ran.read(read_findings, DAY)
    found = {str(one.subject): one for one in every if one.rule_id == "DST-SURVIVE"}
    assert set(found) == {
        subject_of("HAMBURG", made.spec.name, queue.name)
        for made in ran.figures
        for queue in made.spec.queues
    }
    room = spec.max_depth * (1 - spec.depth_pct.at_anchor / 100)
    minutes = room / (spec.put_ratio * qmgr.puts_per_s.at_anchor) / 60
    assert found[SHORT_LIVED].observed == pytest.approx(minutes, rel=0.3)
    assert found[SHORT_LIVED].severity is Severity.watch


def test_a_planted_message_is_a_breach_of_its_day_beside_the_forecast(ran: RanSite) -> None:
    [event] = ran.events
    [found] = [one for one in ran.read(read_findings, DAY) if one.is_event]
    assert (found.rule_id, found.subject) == ("DST-ERRORLOG-CHANNELS", event.subject)
    assert (found.severity, found.breach) == (Severity.act, True)
    assert f"at 10:17 ({event.message[:-1]})" in found.summary
    place = f"{event.message[:-1]}, HAMBURG.PAY.QM.AMQERR01.{DAY}.LOG line "
    assert any(value.source.startswith(place) for value in found.inputs)
    crossing = _crossings(ran)[f"mq_connection_count/{event.subject}"]
    assert crossing.state is CrossingState.will_cross
    assert "forecast to pass a limit on " in found.summary
    for text in (_mail(ran), ran.page("/", day=DAY.isoformat())):
        assert "PAY.QM MaxChannels" in text
        assert "maximum number of channels reached" in text.lower()
    of_qmgr = ran.page("/subject", name=event.subject, day=DAY.isoformat())
    assert "maximum number of channels reached" in of_qmgr.lower()


def test_what_other_inputs_tell_is_what_prometheus_would_have_told(ran: RanSite) -> None:
    """Of TEST1 the last day comes from amqsrua, DISPLAY captures and statistics alone."""
    [made] = [one for one in ran.figures if one.spec.name == "TEST1"]
    window = ran.read(read_window, DAY, DAY)
    found = {one.metric: one for one in window if one.subject.startswith("HAMBURG/TEST1")}
    today = made.grid.local_day == day_number(DAY)
    per_second = today.sum() * 60 * made.site.step_minutes
    depths = made.depths["TEST.IN"][today]
    for metric, mean, peak, tolerance in (
        ("mq_connection_count", made.connections[today].mean(), made.connections[today].max(), 0),
        ("mq_queue_depth_count", depths.mean(), depths.max(), 0),
        ("mq_put_per_s", made.puts[today].sum() / per_second, None, 1e-6),
        ("mq_log_fs_used_pct", made.log_fs_pct[today].mean(), made.log_fs_pct[today].max(), 1e-6),
        ("mq_log_primary_used_pct", made.log_primary_pct[today].mean(), None, 0.5),
    ):
        assert found[metric].mean == pytest.approx(mean, abs=tolerance + 1e-9), metric
        if peak is not None:
            assert found[metric].peak == pytest.approx(peak, abs=tolerance + 1e-9), metric


def test_table_and_mail_name_them_without_a_word_of_coupling_facilities(ran: RanSite) -> None:
    table = mqcap(ran.environment, "report")
    mail = _mail(ran)
    for truth in ran.of(CrossingClass.crosses_within_90_days, CrossingClass.already_over):
        name = truth.subject.split("/")[1]
        assert f" {name} " in table
        assert f" {name} " in mail
    assert len(table.splitlines()) <= REPORT_LINES
    assert len(mail.split()) <= MAIL_WORDS
    for text in (table, mail):
        assert not any(word in text for word in ("coupling", "sysplex", "CF0", "SMF"))
