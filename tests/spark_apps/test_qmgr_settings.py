"""Settings of distributed queue managers and the time they hold."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from mqcap.lake.manifest import Manifest, SettingFact
from spark_apps.qmgr_settings import (
    EPOCH,
    FOREVER,
    SettingPeriod,
    in_force_on,
    setting_facts,
    setting_periods,
)

MARCH = datetime(2026, 3, 14, tzinfo=UTC)
JUNE = datetime(2026, 6, 1, 12, tzinfo=UTC)


def row(stanza: str, key: str, value: str) -> dict[str, object]:
    return {"qmgr": "QM1", "from_utc": MARCH, "stanza": stanza, "key": key, "value": value}


def facts(*rows: dict[str, object]) -> dict[str, str]:
    return {fact.key: fact.value for fact in setting_facts(rows)}


def source(moment: datetime, **values: int) -> Manifest:
    keys = {"primary": "log.logprimaryfiles", "secondary": "log.logsecondaryfiles"}
    settings = tuple(
        SettingFact(qmgr="QM1", from_utc=moment, key=keys[name], value=str(value))
        for name, value in values.items()
    )
    return Manifest(
        sha256=moment.isoformat(),
        source="qm_ini",
        name="qm.ini",
        received_date=date(2026, 7, 1),
        decoder_version="1",
        settings=settings,
    )


def test_the_settings_that_enter_figures_are_taken() -> None:
    rows = [row("log", "logprimaryfiles", "10"), row("log", "logpath", "/x"), row("x", "y", "1")]
    assert facts(*rows) == {
        "log.logprimaryfiles": "10",
        "log.logsecondaryfiles": "2",
        "log.logfilepages": "4096",
    }


def test_a_missing_key_of_the_log_stanza_has_the_default_of_mq() -> None:
    assert facts(row("log", "logpath", "/x")) == {
        "log.logprimaryfiles": "3",
        "log.logsecondaryfiles": "2",
        "log.logfilepages": "4096",
    }
    assert facts(row("channels", "maxchannels", "400")) == {"channels.maxchannels": "400"}
    active = facts(row("channels", "maxactivechannels", "90"))
    assert active == {"channels.maxactivechannels": "90"}


@pytest.mark.parametrize("value", ["0", "-1", "many", ""])
def test_what_is_no_number_above_zero_is_no_setting(value: str) -> None:
    assert facts(row("channels", "maxchannels", value)) == {}


def site_of(root: str, _qmgr: str) -> str:
    return root or "EAST"


def test_the_first_capture_holds_for_the_time_before_it_too() -> None:
    assert setting_periods([source(MARCH, primary=3, secondary=2)], site_of) == (
        SettingPeriod("EAST", "QM1", EPOCH, FOREVER, 3, 2, None),
    )


def test_a_later_capture_holds_from_its_time_on_and_an_equal_one_changes_nothing() -> None:
    same, raised = source(JUNE, primary=3, secondary=2), source(JUNE, primary=9, secondary=2)
    first = source(MARCH, primary=3, secondary=2)
    assert len(setting_periods([same, first], site_of)) == 1
    assert setting_periods([raised, first], site_of) == (
        SettingPeriod("EAST", "QM1", EPOCH, JUNE, 3, 2, None),
        SettingPeriod("EAST", "QM1", JUNE, FOREVER, 9, 2, None),
    )


def test_captures_of_two_sites_are_of_two_queue_managers() -> None:
    west = source(JUNE, primary=9, secondary=2).model_copy(update={"root": "WEST"})
    assert setting_periods([west, source(MARCH, primary=3, secondary=2)], site_of) == (
        SettingPeriod("EAST", "QM1", EPOCH, FOREVER, 3, 2, None),
        SettingPeriod("WEST", "QM1", EPOCH, FOREVER, 9, 2, None),
    )


@pytest.mark.parametrize(
    ("day", "is_in_force"),
    [
        (date(2026, 3, 13), False),
        (date(2026, 3, 14), True),
        (date(2026, 6, 1), True),
        (date(2026, 6, 2), False),
    ],
)
def test_a_period_is_in_force_on_the_dates_it_touches(day: date, is_in_force: bool) -> None:
    assert in_force_on(SettingPeriod("EAST", "QM1", MARCH, JUNE, 3, 2, None), day) is is_in_force
