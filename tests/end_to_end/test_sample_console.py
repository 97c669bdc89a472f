"""The sample dump with the sample console, through all steps: what happened comes first."""

from __future__ import annotations

import os
from datetime import date
from email import message_from_string
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest
import yaml

from mqcap.domain.finding import Severity
from mqcap.store.database import open_store
from mqcap.store.findings import read_findings
from mqcap.store.outbox import read_deliveries
from spark_apps.runtime.java import java_environment
from tests.end_to_end.estate import BIN, mqcap
from tests.shared import shared_cases, shared_dir

pytestmark = [pytest.mark.end_to_end, pytest.mark.spark]

DAY = date(2025, 3, 10)
ESTATE = {
    "sysplex": "PLEXP",
    "timezone": "Etc/GMT+5",
    "smfids": ["PRD1", "PRD2"],
    "qmgrs": [{"name": "MQP1", "qsg": "QSGP"}, {"name": "MQP2", "qsg": "QSGP"}, {"name": "MQL1"}],
}


def environment(folder: Path) -> dict[str, str]:
    """The environment of a new site with the estate of the sample."""
    settings = folder / "platform.yaml"
    alerts = {"mail_to": ["planners@example.com"]}
    settings.write_text(yaml.safe_dump({"estate": [ESTATE], "alerts": alerts}), encoding="utf-8")
    return {
        **os.environ,
        **java_environment(),
        "PATH": f"{BIN}{os.pathsep}/usr/bin{os.pathsep}/bin",
        "MQCAP_SETTINGS_FILE": str(settings),
        "MQCAP_LAKE": str(folder / "lake"),
        "MQCAP_STORE__URL": f"sqlite:///{folder}/store.db",
        "MQCAP_INGEST__INBOX": str(folder / "inbox"),
        "MQCAP_SPARK__MASTER": "local[2]",
    }


@pytest.mark.parametrize("folder", shared_cases([shared_dir()]))
def test_mqp1_ran_out_of_active_logs_and_that_is_the_first_line_of_the_mail(
    folder: Path, tmp_path: Path
) -> None:
    """Of two logs: the job log of the night, and SYSLOG with 08:58, both of the same day."""
    site = environment(tmp_path)
    samples = folder / "data" / "smf"
    Path(site["MQCAP_INGEST__INBOX"]).mkdir()
    mqcap(site, "load", str(samples / "mini.rdw.smf"), str(samples / "console"))
    mqcap(site, "run", "--day", DAY.isoformat(), "--replay")
    engine = open_store(site["MQCAP_STORE__URL"])
    [found] = [one for one in read_findings(engine, DAY) if one.rule_id == "CONSOLE-LOG"]
    assert (found.subject, found.severity, found.breach) == ("PLEXP/MQP1", Severity.act, True)
    [delivery] = [one for one in read_deliveries(engine) if one.channel == "mail"]
    body = message_from_string(delivery.content, policy=default).get_body(("plain",))
    assert isinstance(body, EmailMessage)
    text = body.get_content().replace("\r\n", "\n")
    first = text.splitlines()[0]
    assert first.startswith("MQP1 active logs: Out of active log space "), first
    assert any(line.startswith("Act  MQP1 active logs ") for line in text.splitlines()), text
    assert "08:58 (CSQJ111A)" in found.summary
    assert delivery.subject_line.startswith("ACT MQP1 active logs: Out of active log space")
    engine.dispose()
