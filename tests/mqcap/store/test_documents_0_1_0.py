from __future__ import annotations

import json
from datetime import UTC, date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.busiest_hours import BusiestHours
from mqcap.domain.finding import Finding, InputValue
from mqcap.domain.input_source import (
    ConsoleSource,
    EstateSource,
    ForecastSource,
    InputSource,
    LearntSource,
    LossSource,
    MeasuredDaySource,
    MeasuredWindowSource,
    RecordSource,
    RulebookSource,
    TextSource,
    WindowFigure,
)
from mqcap.domain.metric import Statistic
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.store.documents import as_document, dump_json, parse_finding
from mqcap.store.documents_0_1_0 import (
    input_source,
    is_as_written_now,
    typed_amount,
    upgraded,
)

LOG = {"metric": "log_growth_mib_per_s", "subject": "PLEX1/CSQ1"}
SPAN = {"first_date": date(2026, 9, 1), "last_date": date(2026, 9, 30)}
SOURCES: list[tuple[str, InputSource]] = [
    (
        "log_growth_mib_per_s/PLEX1/CSQ1, peak of 2026-10-01",
        MeasuredDaySource(**LOG, statistic=Statistic.peak, site_date=date(2026, 10, 1)),
    ),
    (
        "log_growth_mib_per_s/PLEX1/CSQ1, 95th percentile of 2026-10-01",
        MeasuredDaySource(**LOG, statistic=Statistic.p95, site_date=date(2026, 10, 1)),
    ),
    (
        "log_growth_mib_per_s/PLEX1/CSQ1, mean of 2026-10-01",
        MeasuredDaySource(**LOG, statistic=Statistic.mean, site_date=date(2026, 10, 1)),
    ),
    (
        "log_growth_mib_per_s/PLEX1/CSQ1, median of the daily mean, 2026-09-01 to 2026-09-30",
        MeasuredWindowSource(**LOG, **SPAN, figure=WindowFigure.median, statistic=Statistic.mean),
    ),
    (
        "log_growth_mib_per_s/PLEX1/CSQ1, mean of the daily peak, 2026-09-01 to 2026-09-30",
        MeasuredWindowSource(**LOG, **SPAN, figure=WindowFigure.mean, statistic=Statistic.peak),
    ),
    (
        "log_growth_mib_per_s/PLEX1/CSQ1, 2026-09-01 to 2026-09-30",
        MeasuredWindowSource(**LOG, **SPAN, figure=WindowFigure.day_count),
    ),
    (
        "settings, estate PLEX1/CSQ1: active_logs",
        EstateSource(place="PLEX1/CSQ1", key="active_logs"),
    ),
    (
        "settings, estate PLEX1, group QSG1: group_queue_managers",
        EstateSource(place="PLEX1, group QSG1", key="group_queue_managers"),
    ),
]
AMOUNTS = [
    ("CYL(4883)", TypedAmount.of(TypedKind.cylinders, 4_883)),
    ("25 x CYL(5825)", TypedAmount.of(TypedKind.more_data_sets, 5_825, 25)),
    ("BUFFERS(60000)", TypedAmount.of(TypedKind.buffers, 60_000)),
    ("SIZE(4194304K)", TypedAmount.of(TypedKind.structure_kib, 4_194_304)),
    ("MEMLIMIT=3G", TypedAmount.of(TypedKind.memlimit_gib, 3)),
    ("MAXCHL(9999)", TypedAmount.of(TypedKind.maxchl, 9_999)),
    ("OUTBUFF=4000", TypedAmount.of(TypedKind.outbuff_kb, 4_000)),
    ("COMPLOG=RLE", TypedAmount.of(TypedKind.log_compression)),
    ("ICF engines: 2", TypedAmount.of(TypedKind.engines, 2)),
    ("1 channel", TypedAmount.of(TypedKind.channels, 1)),
    ("3 queue managers", TypedAmount.of(TypedKind.queue_managers, 3)),
]


@pytest.mark.parametrize(("text", "source"), SOURCES, ids=[text for text, _ in SOURCES])
def test_a_source_of_known_form_is_read_and_rendered_as_it_was(
    text: str, source: InputSource
) -> None:
    assert input_source(text) == source
    assert source.describe() == text


@pytest.mark.parametrize(
    "text",
    [
        "made up",
        "in step with it",
        "log_growth_mib_per_s/PLEX1/CSQ1, peak on 2026-10-01",
        "log_growth_mib_per_s/PLEX1/CSQ1, peak of 2026-02-30",
        "log_growth_mib_per_s/PLEX1/CSQ1, peak of 2026-10-01 and later",
    ],
)
def test_a_source_of_no_known_form_is_kept_as_text(text: str) -> None:
    assert input_source(text) == TextSource(text=text)


@given(st.text(min_size=1))
def test_any_source_is_rendered_as_it_was_stored(text: str) -> None:
    assert input_source(text).describe() == text


@pytest.mark.parametrize(("text", "amount"), AMOUNTS, ids=[text for text, _ in AMOUNTS])
def test_an_amount_of_known_form_is_read_and_rendered_as_it_was(
    text: str, amount: TypedAmount
) -> None:
    assert typed_amount(text) == amount
    assert amount.text == text


@pytest.mark.parametrize(
    "kind", [kind for kind in TypedKind if kind is not TypedKind.other], ids=str
)
def test_every_kind_of_amount_is_read_from_its_own_text(kind: TypedKind) -> None:
    has_figure = kind is not TypedKind.log_compression
    sets = 7 if kind is TypedKind.more_data_sets else 1
    amount = TypedAmount.of(kind, 12 if has_figure else 0, sets)
    assert typed_amount(amount.text) == amount


@pytest.mark.parametrize("text", ["CYL(many)", "CYL(5) or so", "twice as much"])
def test_an_amount_of_no_known_form_is_kept_as_text(text: str) -> None:
    amount = typed_amount(text)
    assert amount.kind is TypedKind.other
    assert amount.text == text


def stored(**changed: Any) -> dict[str, Any]:
    """A finding as release 0.1.0 wrote it."""
    document = {
        "rule_id": "LOG-COUNT-MIN",
        "subject": "PLEX1/CSQ1",
        "site_date": "2026-10-01",
        "severity": "watch",
        "title": "Number of active logs",
        "summary": "PLEX1/CSQ1: 3 logs, below the limit of 4 logs.",
        "observed": 3.0,
        "limit_value": 4.0,
        "unit": "logs",
        "direction": "downward",
        "breach": True,
        "headroom_ratio": -0.25,
        "citation": {"document": "MP16", "edition": "14", "section": "How many"},
        "inputs": [
            {"name": "active_logs", "value": 3, "unit": "", "source": SOURCES[6][0]},
            {"name": "made_up", "value": None, "unit": "", "source": ""},
        ],
        "changes": [
            {
                "action": "Define 1 more active log.",
                "typed": "1 x CYL(5825)",
                "side_effects": "DASD",
                "effect": "enough",
            },
            {"action": "Look again.", "typed": "", "side_effects": "", "effect": "relief"},
        ],
    }
    return document | changed


def test_a_stored_finding_gets_its_parts_and_shows_the_same_text() -> None:
    document = stored()
    finding = Finding.model_validate(upgraded(document))
    assert [value.origin for value in finding.inputs] == [SOURCES[6][1], None]
    assert [change.amount for change in finding.changes] == [
        TypedAmount.of(TypedKind.more_data_sets, 5_825, 1),
        None,
    ]
    shown = finding.model_dump(mode="json")
    assert [item["source"] for item in shown["inputs"]] == [SOURCES[6][0], ""]
    assert [item["typed"] for item in shown["changes"]] == ["1 x CYL(5825)", ""]
    assert {key: shown[key] for key in document if key not in {"inputs", "changes"}} == {
        key: value for key, value in document.items() if key not in {"inputs", "changes"}
    }


def test_a_finding_of_today_is_read_back_as_it_was_written() -> None:
    finding = Finding.model_validate(upgraded(stored()))
    again = Finding.model_validate(upgraded(finding.model_dump(mode="json")))
    assert again == finding


FIGURES = st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.one_of(
    st.none(), st.integers(), FIGURES, st.text(),
    st.builds(BusiestHours.at_rate, st.floats(0, 1_000)),
)  # fmt: skip
ORIGINS = st.one_of(
    st.sampled_from([source for _, source in SOURCES]),
    st.builds(LearntSource, lower=FIGURES, upper=FIGURES),
    st.builds(ConsoleSource, at_utc=st.datetimes(timezones=st.just(UTC))),
    *(st.builds(kind) for kind in (RulebookSource, RecordSource, ForecastSource, LossSource)),
)


@given(st.lists(st.builds(InputValue, value=VALUES, origin=ORIGINS, instead_of=st.none())))
def test_a_finding_of_today_is_read_alike_with_and_without_the_look_at_its_parts(
    inputs: list[InputValue],
) -> None:
    finding = Finding.model_validate(upgraded(stored())).model_copy(
        update={"inputs": tuple(inputs)}
    )
    text = dump_json(as_document(finding))
    assert is_as_written_now(text)
    assert parse_finding(text) == Finding.model_validate(upgraded(json.loads(text)))


def test_words_in_a_finding_are_not_taken_for_its_flag() -> None:
    text = json.dumps(stored(summary='{"is_data_incomplete": true}'))
    assert not is_as_written_now(text)
    assert is_as_written_now(json.dumps(stored(is_data_incomplete=True)))


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        (["all records of the day: data are incomplete"], True),
        (["log_size_mib: set active_log_size_mib of CSQ1 in the estate"], False),
        ([], False),
    ],
)
def test_a_finding_that_only_lacked_records_is_marked_as_such(
    missing: list[str], expected: bool
) -> None:
    finding = Finding.model_validate(upgraded(stored(severity="unknown", missing=missing)))
    assert finding.is_data_incomplete is expected
    assert list(finding.missing) == missing


def test_a_finding_of_today_is_marked_by_its_flag_and_not_by_its_words() -> None:
    document = stored(
        missing=["all records of the day: data are incomplete"], is_data_incomplete=False
    )
    assert not Finding.model_validate(upgraded(document)).is_data_incomplete


def test_a_finding_without_inputs_and_changes_is_read() -> None:
    document = stored()
    del document["inputs"], document["changes"]
    assert Finding.model_validate(upgraded(document)).inputs == ()
