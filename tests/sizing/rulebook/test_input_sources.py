from __future__ import annotations

from mqcap.domain.metric import Statistic
from sizing.rulebook.input_sources import FromAsk, FromEstate, FromMetric, FromRecords


def test_each_source_says_how_to_supply_a_value() -> None:
    assert FromAsk("how many buffers?").remedy == "answer: how many buffers?"
    assert "(see DISPLAY LOG)" in FromEstate("active_logs", "DISPLAY LOG").remedy
    assert FromMetric("cf_busy_pct").remedy == "no cf_busy_pct (peak) was observed in the window"
    assert FromRecords("mq_version").remedy == "no record of this subject stated its mq_version"
    assert "comes from SMF 74" in FromMetric("cf_busy_pct", record="SMF 74").remedy


def test_the_remedy_of_a_metric_names_its_statistic() -> None:
    assert "cf_busy_pct (p95)" in FromMetric("cf_busy_pct", Statistic.p95).remedy


def test_a_key_without_a_display_is_only_to_be_configured() -> None:
    assert FromEstate("maxarch").remedy == "set maxarch of this subject in the estate"
