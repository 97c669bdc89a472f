"""The survivor that carries a loss best under a scenario, in words."""

from __future__ import annotations

from mqcap.losses.carried.carrier import Carrying, carried_text, marked

CF01, CF02, CF03 = "PLEX1/CF01", "PLEX1/CF02", "PLEX1/CF03"
CARRYING = Carrying(
    CF02, {CF03: "CF busy 48.62 %, limit 60 %", CF01: "CF busy 129.3 %, limit 30 %"}
)


def test_results_of_the_other_survivors_are_marked() -> None:
    assert marked(CF03, [CARRYING]) == CF03
    assert marked(CF01, [CARRYING]) == f"{CF01} *"
    assert marked(f"{CF01}/QSG1APPL1", [CARRYING]) == f"{CF01}/QSG1APPL1 *"
    assert marked("PLEX1/CF011", [CARRYING]) == "PLEX1/CF011"
    assert marked(CF01, []) == CF01


def test_every_survivor_is_named_with_what_it_carries_the_best_one_first() -> None:
    assert carried_text(CARRYING) == (
        "PLEX1/CF03 carries the loss of PLEX1/CF02 best (any one survivor is enough). PLEX1/CF03: "
        "CF busy 48.62 %, limit 60 %. PLEX1/CF01: CF busy 129.3 %, limit 30 %. Results of "
        "the others are marked *."
    )
