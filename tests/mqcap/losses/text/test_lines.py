"""One line of each loss."""

from __future__ import annotations

from mqcap.domain.estate import Estate
from mqcap.domain.finding import Severity
from mqcap.losses.cell import LossQuantity
from mqcap.losses.text.tables import is_of_urgent_loss, one_of_each_loss
from mqcap.presentation.fleet import Facts, fleet_lines
from mqcap.settings import AlertSettings
from tests.factories import finding
from tests.plan_factories import loss, loss_cell, loss_finding

CSQ1, CSQ2 = "PLEX1/CSQ1", "PLEX1/CSQ2"
CELLS = (
    loss_cell(quantity=LossQuantity.cf_processor),
    loss_cell(quantity=LossQuantity.chinit_31bit),
    loss_cell(quantity=LossQuantity.channels, fails_before=True),
    loss_cell(quantity=LossQuantity.log_runway),
)


def test_a_loss_has_one_line_with_the_number_of_limits_that_its_headline_has() -> None:
    findings = [
        loss_finding("LOSS-LOG-FILL", CSQ1, headroom_ratio=-0.5),
        loss_finding("LOSS-LOG-RUNWAY", CSQ1, headroom_ratio=-0.9),
        loss_finding("LOSS-LOG-FILL", CSQ2, headroom_ratio=-0.4),
        loss_finding("LOSS-BUFFER-POOL", CSQ1, severity=Severity.ok, breach=False),
        finding(CSQ1),
    ]
    every = fleet_lines(Facts(findings, [], []), Estate(), AlertSettings())
    losses = [loss(lost=CSQ1, cells=CELLS), loss(lost=CSQ2)]
    lines = one_of_each_loss(every, losses)
    words = "3 limits passed, 1 of them over already"
    assert {line.key: line.rule_words for line in lines} == {
        ("LOSS-LOG-RUNWAY", CSQ1): f"LOSS-LOG-RUNWAY; {words}",
        ("LOSS-LOG-FILL", CSQ2): "LOSS-LOG-FILL",
        ("LOSS-BUFFER-POOL", CSQ1): "LOSS-BUFFER-POOL",
        ("LOG-FILL-30MIN", CSQ1): "LOG-FILL-30MIN",
    }
    keys = {each.key for each in lines}
    assert [line.key for line in lines] == [line.key for line in every if line.key in keys]
    assert [line.finding.subject for line in lines if is_of_urgent_loss(line)] == [CSQ1, CSQ2]
