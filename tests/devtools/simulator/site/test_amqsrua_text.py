"""Text of amqsrua: a run for each class, begun anew after a restart."""

from __future__ import annotations

from devtools.simulator.site.manager_inputs import amqsrua_text
from devtools.simulator.site.site_figures import FigureSlice
from mqcap.ingest.amqsrua.source import HEADER
from tests.devtools.simulator.site.builders import figures


def test_each_class_is_a_run_that_begins_with_the_scrape_before() -> None:
    text = amqsrua_text(FigureSlice(figures(), 10, 12))
    runs = text.split(f"{HEADER} QMGR(PAY.QM) HOST(ham-mq1)\n")
    assert runs[0] == ""
    assert [run.count("Publication received PutDate:20261017") for run in runs[1:]] == [3] * 4
    assert runs[1].startswith(
        "Publication received PutDate:20261017 PutTime:03000000 "
        "Interval:30 minutes,0.000 seconds\nLog - bytes in use "
    )


def test_a_restart_begins_a_run_of_its_own() -> None:
    made = figures()
    text = amqsrua_text(FigureSlice(made, len(made.grid) - 50, len(made.grid)))
    assert text.count(HEADER) == 2 * 4


def test_rates_are_those_of_the_interval() -> None:
    made = figures()
    text = amqsrua_text(FigureSlice(made, 20, 21))
    puts = int(made.puts[20])
    assert f"Interval total MQPUT/MQPUT1 count {puts} {puts // 1_800}/sec\n" in text
