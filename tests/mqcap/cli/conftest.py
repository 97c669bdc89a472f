"""A site whose settings the command line reads from the environment, with an empty store."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Engine

from mqcap.settings import Settings, load_settings
from mqcap.steps import runner
from mqcap.store.feeds import replace_feed_days, upsert_source_files
from mqcap.store.findings import replace_findings
from tests.factories import DAY, feed_day, finding, source_file
from tests.mqcap.steps.notify.builders import fine, judge, over


@pytest.fixture(autouse=True)
def no_settings_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a file of the environment nor that of a local run of this checkout."""
    monkeypatch.setenv("MQCAP_SETTINGS_FILE", "")


@pytest.fixture
def settings(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Store, lake, inbox and mail folder in one scratch folder."""
    monkeypatch.setenv("MQCAP_STORE__URL", str(engine.url))
    monkeypatch.setenv("MQCAP_ALERTS__MAIL_FOLDER", str(tmp_path / "mail"))
    monkeypatch.setenv("MQCAP_LAKE", str(tmp_path / "lake"))
    monkeypatch.setenv("MQCAP_INGEST__INBOX", str(tmp_path / "inbox"))
    monkeypatch.setenv("MQCAP_INGEST__SETTLE_SECONDS", "0")
    return load_settings()


@pytest.fixture
def evaluated(settings: Settings, engine: Engine) -> Settings:
    """A day with one breach of the log."""
    replace_findings(engine, DAY, [finding()])
    return settings


@pytest.fixture
def notified(settings: Settings, engine: Engine) -> Settings:
    """A day with one problem and one missing feed, after the step that notifies."""
    replace_feed_days(engine, DAY, DAY, [feed_day("PLEX1/CSQ7")])
    noon = datetime(2026, 3, 2, 12, tzinfo=UTC)
    file = source_file(name="SYS1.smf", first_interval_utc=noon, last_interval_utc=noon)
    upsert_source_files(engine, [file])
    judge(engine, DAY, [over(), fine("PLEX1/CSQ2")])
    runner.alert(settings, DAY)
    return settings
