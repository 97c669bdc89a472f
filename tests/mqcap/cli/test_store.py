"""``mqcap store``: consistency and retention."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest
from sqlalchemy import Engine

from mqcap.domain.delivery import Stage
from mqcap.domain.errors import InputError
from mqcap.progress.shown import show_on
from mqcap.settings import Settings
from mqcap.steps import runner
from mqcap.steps.notify import alert
from mqcap.store.outbox import read_deliveries, save_delivery
from tests.factories import DAY
from tests.mqcap.cli.command_line import invoked, output_of
from tests.mqcap.progress.displays import Noted
from tests.mqcap.steps.notify.builders import judge, over

pytestmark = pytest.mark.thorough

TEN_YEARS_LATER = ("--today", "2036-01-01")


def test_a_store_is_checked_and_old_data_are_deleted(notified: Settings, engine: Engine) -> None:
    assert output_of("store", "check") == "The store is consistent.\n"
    counted = output_of("store", "prune", "--dry-run", *TEN_YEARS_LATER)
    assert "finding: 2 rows would be deleted" in counted
    assert "finding: 0 rows deleted" in output_of("store", "prune")
    assert "finding: 2 rows deleted" in output_of("store", "prune", *TEN_YEARS_LATER)
    assert output_of("store", "prune") == "The store is empty.\n"
    assert read_deliveries(engine) == []


def test_a_store_is_copied_into_a_new_file(notified: Settings, tmp_path: Path) -> None:
    assert output_of("store", "backup", str(tmp_path / "copy.db")).startswith(
        f"{tmp_path / 'copy.db'}: 0."
    )
    assert invoked("store", "backup", str(tmp_path / "copy.db")).exit_code == 1


def test_an_inconsistent_store_fails_the_check(settings: Settings, engine: Engine) -> None:
    judge(engine, DAY, [over()])
    alert(settings, engine, DAY)
    [mail] = [delivery for delivery in read_deliveries(engine) if delivery.channel == "mail"]
    save_delivery(engine, mail.model_copy(update={"stage": Stage.unconfirmed}))
    result = invoked("store", "check")
    assert result.exit_code == 1
    assert "mqcap outbox resend" in result.output
    with pytest.raises(InputError) as raised:
        runner.check_store(settings)
    assert "mqcap outbox resend" in str(raised.value)


def test_counting_what_is_old_is_shown(notified: Settings) -> None:
    display = Noted()
    with patch("mqcap.cli.app.shown_on", lambda *_: show_on(display)):
        invoked("store", "prune", "--dry-run", *TEN_YEARS_LATER)
    assert display.calls[0] == "count what is old begun"
    parts = [call.split(" ") for call in display.calls if " of " in call and call[0].isdigit()]
    ends = [" ".join(words) for words in parts if words[0] == words[2]]
    assert [each.rpartition(" ")[2] for each in ends] == ["datasets", "tables"]
    assert display.calls[-3:] == ["old rows ended", "count what is old ended", "closed"]
