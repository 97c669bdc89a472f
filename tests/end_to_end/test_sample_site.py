"""The sample's site through all steps: what was planted is in findings, table and mail."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from email import message_from_string
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Final

import pytest
import yaml

from devtools.simulator import CrossingClass, PlantedTruth, sample_spec
from devtools.simulator.generate import periods_of
from devtools.simulator.queue_manager import simulated_period
from devtools.simulator.settings_file import write_settings
from devtools.simulator.site.site_files import write_sites
from devtools.simulator.site.site_truth import planted_site_truths
from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.finding import Severity
from mqcap.store.crossings import read_crossings
from mqcap.store.database import Store, open_store
from mqcap.store.findings import read_findings
from mqcap.store.outbox import read_deliveries
from spark_apps.runtime.java import java_environment
from tests.end_to_end.estate import BIN, mqcap

pytestmark = [pytest.mark.end_to_end, pytest.mark.spark]

DAY: Final = date(2026, 10, 15)
HISTORY_DAYS: Final = 120
TOLERANCE: Final = timedelta(days=7)
"""Beyond the earliest and latest date of a forecast, as for data with known crossings."""


@dataclass(frozen=True)
class RanSite:
    """A site after the run of its last day."""

    environment: Mapping[str, str]
    truths: tuple[PlantedTruth, ...]

    def store(self) -> Store:
        return open_store(self.environment["MQCAP_STORE__URL"])

    def of(self, *classes: CrossingClass) -> list[PlantedTruth]:
        return [truth for truth in self.truths if truth.crossing_class in classes]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> RanSite:
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
        **os.environ,
        **java_environment(),
        "PATH": f"{BIN}{os.pathsep}/usr/bin{os.pathsep}/bin",
        "MQCAP_SETTINGS_FILE": str(settings),
        "MQCAP_LAKE": str(folder / "lake"),
        "MQCAP_STORE__URL": f"sqlite:///{folder}/store.db",
        "MQCAP_INGEST__INBOX": str(folder / "inbox"),
        "MQCAP_SPARK__MASTER": "local[2]",
    }
    Path(environment["MQCAP_INGEST__INBOX"]).mkdir()
    mqcap(environment, "load", *map(str, files))
    mqcap(environment, "run", "--day", DAY.isoformat(), "--replay")
    return RanSite(environment, planted_site_truths(spec.sites, span))


def _crossings(site: RanSite) -> dict[str, Crossing]:
    """Return the crossing of each series that a rule reads."""
    engine = site.store()
    dated = {(item.rule_id, item.subject): item for item in read_crossings(engine, DAY)}
    found = {
        finding.series_id: dated[finding.rule_id, finding.subject]
        for finding in read_findings(engine, DAY)
        if finding.series_id and (finding.rule_id, finding.subject) in dated
    }
    engine.dispose()
    return found


def test_planted_crossings_are_within_the_dates_of_their_forecasts(ran: RanSite) -> None:
    crossings = _crossings(ran)
    soon = ran.of(CrossingClass.crosses_within_90_days)
    assert len(soon) == 4
    for truth in soon:
        crossing = crossings[f"{truth.metric}/{truth.subject}"]
        assert crossing.state is CrossingState.will_cross, truth.subject
        assert crossing.limit_value == pytest.approx(truth.limit)
        assert crossing.earliest_date is not None
        assert crossing.latest_date is not None
        assert truth.first_crossing_date is not None
        assert truth.working_day_crossing_date is not None
        assert crossing.earliest_date - TOLERANCE <= truth.working_day_crossing_date
        assert truth.first_crossing_date <= crossing.latest_date + TOLERANCE


def test_the_queue_at_maxdepth_is_at_its_limit(ran: RanSite) -> None:
    [truth] = ran.of(CrossingClass.already_over)
    assert _crossings(ran)[f"{truth.metric}/{truth.subject}"].state is CrossingState.breached


def test_only_what_was_planted_is_to_act_on_or_to_watch(ran: RanSite) -> None:
    engine = ran.store()
    urgent = {
        finding.subject
        for finding in read_findings(engine, DAY)
        if finding.severity in {Severity.act, Severity.watch}
    }
    engine.dispose()
    planted = ran.of(CrossingClass.crosses_within_90_days, CrossingClass.already_over)
    assert urgent == {truth.subject for truth in planted}


def test_the_table_and_the_mail_name_them_without_a_word_of_coupling_facilities(
    ran: RanSite,
) -> None:
    table = mqcap(ran.environment, "report")
    engine = ran.store()
    [delivery] = [one for one in read_deliveries(engine) if one.channel == "mail"]
    engine.dispose()
    body = message_from_string(delivery.content, policy=default).get_body(("plain",))
    assert isinstance(body, EmailMessage)
    mail = body.get_content()
    for truth in ran.of(CrossingClass.crosses_within_90_days, CrossingClass.already_over):
        assert truth.subject in table
        name = truth.subject.split("/")[1]
        assert f"HAMBURG {name} " in mail
    for text in (table, mail):
        assert not any(word in text for word in ("coupling", "sysplex", "CF0", "SMF"))
