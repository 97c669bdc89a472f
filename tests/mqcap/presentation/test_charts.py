"""Content of charts, and the keys of pictures that are drawn from it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mqcap.domain.crossing import CrossingState
from mqcap.presentation import charts
from mqcap.presentation.charts import (
    HISTORY_DAYS,
    KEY_NAME,
    ChartData,
    chart_data,
    key_of_picture,
    picture_key,
)
from tests.factories import DAY, crossing
from tests.mqcap.notifications import builders
from tests.mqcap.notifications.builders import cf_finding, problem


def data(**changed: object) -> ChartData:
    of = cf_finding()
    made = chart_data(problem(of, crossing(of)), builders.history(), builders.forecast(of))
    assert made is not None
    return made.model_copy(update=changed)


def test_history_is_sorted_and_ends_on_the_day() -> None:
    later = [(DAY + timedelta(days=1), 99.0)]
    of = cf_finding()
    made = chart_data(problem(of, crossing(of)), [*later, *builders.history(days=300)], None)
    assert made is not None
    assert made.history == tuple(sorted(made.history))
    assert made.history[-1][0] == DAY
    assert len(made.history) == HISTORY_DAYS + 1


def test_without_history_or_series_there_is_no_chart() -> None:
    of = cf_finding()
    assert chart_data(problem(of, crossing(of)), [], None) is None
    assert chart_data(problem(of), builders.history(), None) is None


def test_a_crossing_that_is_not_coming_has_no_range() -> None:
    of = cf_finding()
    far = crossing(of, state=CrossingState.not_within_horizon)
    made = chart_data(problem(of, far), builders.history(), builders.forecast(of))
    assert made is not None
    assert made.earliest_date is None


@pytest.mark.parametrize(
    "changed",
    [
        {"limit_value": 80.000001},
        {"history": ()},
        {"unit": "MiB"},
        {"latest_date": None},
    ],
)
def test_the_key_is_another_for_any_other_content(changed: dict[str, object]) -> None:
    assert picture_key(data()) == picture_key(data())
    assert picture_key(data(**changed)) != picture_key(data())


def test_the_key_is_another_for_another_version_of_a_library(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = picture_key(data())
    monkeypatch.setattr(charts, "version", lambda _name: "0.0.1")
    charts._drawn_by.cache_clear()
    assert picture_key(data()) != before
    charts._drawn_by.cache_clear()


def png(*parts: tuple[bytes, bytes]) -> bytes:
    chunks = [len(text).to_bytes(4, "big") + name + text + b"crc " for name, text in parts]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks) + bytes(4) + b"IEND\xaeB`\x82"


KEYED = (b"tEXt", f"{KEY_NAME}\0abc".encode())


@pytest.mark.parametrize(
    ("picture", "key"),
    [
        (png((b"IHDR", bytes(13)), KEYED), "abc"),
        (png((b"IHDR", bytes(13)), (b"tEXt", b"Software\0x")), None),
        (png((b"IHDR", bytes(13)), (b"IDAT", KEYED[1])), None),
        (png(KEYED)[:-1], None),
        (png(), None),
        (b"", None),
    ],
)
def test_the_key_of_a_picture_is_read_where_it_has_one(picture: bytes, key: str | None) -> None:
    assert key_of_picture(picture) == key
