from __future__ import annotations

import pytest

from mqcap.change_pack.targets import RequestedChange, Target, amounts_of
from mqcap.domain.finding import Change
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from tests.mqcap.change_pack.builders import finding

AMOUNT = TypedAmount.of


@pytest.mark.parametrize(
    ("subject", "amount", "target"),
    [
        ("PLEX1/CSQ1", AMOUNT(TypedKind.cylinders, 700), ("PLEX1", ("CSQ1",), "logs")),
        ("PLEX1/CSQ1", AMOUNT(TypedKind.more_data_sets, 700, 2), ("PLEX1", ("CSQ1",), "logs")),
        (
            "PLEX1/CSQ1/PS03",
            AMOUNT(TypedKind.cylinders, 700),
            ("PLEX1", ("CSQ1", "PS03"), "page_set"),
        ),
        (
            "PLEX1/CF01/QSG1APPL1",
            AMOUNT(TypedKind.structure_kib, 4_096),
            ("PLEX1", ("QSG1APPL1",), "structure_kib"),
        ),
        (
            "PLEX1/CSQ1/CHINIT",
            AMOUNT(TypedKind.maxchl, 900),
            ("PLEX1", ("CSQ1", "CHINIT"), "maxchl"),
        ),
        ("PLEX1/CF01", AMOUNT(TypedKind.engines, 2), ("PLEX1", ("CF01",), "by_hand")),
        ("PLEX1/CSQ1", None, ("PLEX1", ("CSQ1",), "by_hand")),
        (
            "PLEX1/CSQ1",
            TypedAmount(kind=TypedKind.other, words="as it was"),
            ("PLEX1", ("CSQ1",), "by_hand"),
        ),
    ],
)
def test_subject_and_kind_of_amount_decide_what_is_changed(
    subject: str, amount: TypedAmount | None, target: tuple[str, tuple[str, ...], str]
) -> None:
    assert Target.of(subject, amount) == target


@pytest.mark.parametrize(
    ("names", "number"),
    [
        (("CSQ1", "BP01"), 1),
        (("CSQ1", "BP00"), 0),
        (("CSQ1", "PS12"), 12),
        (("CSQ1", "CHINIT"), None),
        (("CSQ1",), None),
    ],
)
def test_a_pool_or_page_set_is_numbered_by_its_name(
    names: tuple[str, ...], number: int | None
) -> None:
    assert Target("PLEX1", names, "buffers").number == number


def test_a_heading_names_sysplex_path_and_topic() -> None:
    assert Target("PLEX1", ("CSQ1", "BP01"), "buffers").heading == "PLEX1 CSQ1 BP01: buffer pool"
    assert Target("PLEX1", ("CF01",), "by_hand").heading == "PLEX1 CF01: by hand"


def test_changes_in_words_have_no_amount() -> None:
    made = finding("LOG-FILL-30MIN", "PLEX1/CSQ1", AMOUNT(TypedKind.cylinders, 700))
    target = Target.of("PLEX1/CSQ1", None)
    changes = [
        RequestedChange(target, made, Change(action="Look again.")),
        RequestedChange(target, made, made.changes[0]),
    ]
    assert amounts_of(changes) == (AMOUNT(TypedKind.cylinders, 700),)
