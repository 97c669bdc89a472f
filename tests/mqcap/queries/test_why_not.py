"""Why, and what an error about parts names: what has parts, of what, what is near."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mqcap.domain.attribution import PartDay, PartKind
from mqcap.domain.errors import ConfigurationError
from mqcap.lake.layout import hour_partition
from mqcap.queries.why import (
    begin_of_month_before,
    growth_if_known,
    growth_of_series,
    known_subject,
    require_subject,
    without_answer,
)
from mqcap.settings.analysis import AttributionSettings
from tests.mqcap.lake.parts import (
    CSQ1,
    FIRST,
    LAST,
    METRIC,
    growing_log,
    growing_part,
    row,
    write_parts,
)


def refusal(lake: Path, metric: str, subject: str) -> str:
    with pytest.raises(ConfigurationError) as error:
        known_subject(lake, metric, subject, LAST)
    return str(error.value)


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    """A lake in which the log of a queue manager grows."""
    growing_log(tmp_path)
    return tmp_path


def test_a_subject_without_parts_is_not_called_unknown_and_others_are_named(lake: Path) -> None:
    found = refusal(lake, METRIC, "PLEX1/CSQ9")
    assert found.startswith(
        f"PLEX1/CSQ9 has no parts of {METRIC} from 26 Sep 2026 to 30 Oct 2026; found parts of "
        f"{CSQ1}."
    )
    assert "116 class 3" in found
    assert "expected" not in found


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("structure_elements_used_pct", ["115.216"]),
        ("chinit_64bit_used_mib", ["116.10", "Before MQ 9.4 "]),
        (
            "mq_put_per_s",
            [
                "Parts: puts (queue accounting, ACCTQ) or puts of the connections",
                "is a series of its own, mq_queue_put_per_s of EAST/QM1/QUEUE",
            ],
        ),
    ],
)
def test_a_metric_without_parts_at_the_site_names_the_records_or_the_series(
    lake: Path, metric: str, words: list[str]
) -> None:
    found = refusal(lake, metric, CSQ1)
    assert found.startswith(f"no subject has parts of {metric} from 26 Sep 2026 to 30 Oct 2026")
    assert all(text in found for text in words)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [("log_growth", METRIC), ("lgo_growth_mib_per_s", METRIC), ("trace", "one of these")],
)
def test_a_metric_that_never_has_parts_names_those_that_have(
    lake: Path, metric: str, expected: str
) -> None:
    assert refusal(lake, metric, CSQ1) == (
        f"no parts are made of {metric}; found parts of {METRIC}; expected {expected}."
    )


@pytest.mark.parametrize(
    ("metric", "answer"),
    [
        ("mq_connection_count", "DISPLAY CONN (APPLTAG, CHANNEL, CONNAME) would give parts"),
        ("mq_queue_depth_count", "mq_queue_put_per_s has parts by application"),
        ("tpf_mqm_in_use_blocks", "tpf_queue_mqm_blocks of EAST/TPF1/QUEUE"),
        ("host_cpu_busy_pct", "No input of distributed queue managers, hosts and z/TPF systems"),
    ],
)
def test_a_figure_of_a_site_names_the_input_that_says_what_it_is_made_of(
    lake: Path, metric: str, answer: str
) -> None:
    found = refusal(lake, metric, CSQ1)
    assert found.startswith(f"no parts are made of {metric}; found {CSQ1}.")
    assert answer in found


def test_a_part_of_several_paths_names_all_of_them(tmp_path: Path) -> None:
    subjects = [f"PLEX1/CSQ{number}" for number in range(2, 6)]
    write_parts(tmp_path, [row(LAST, subject=name) for name in subjects])
    assert refusal(tmp_path, METRIC, "plex1") == (
        f"several subjects of {METRIC} have plex1 in their path; found {', '.join(subjects)}."
    )
    assert "expected PLEX1/CSQ2 or" in refusal(tmp_path, METRIC, "PLEX2/CSQ2")


def whole(*ago: int) -> list[PartDay]:
    return [PartDay(LAST - timedelta(days=count), "", "whole", "", 1.0, 86_400.0) for count in ago]


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        ((), "no parts of .* from 1 Oct 2026 to 30 Oct 2026; found no measured day"),
        ((0,), "no answer yet: .*found 30 Oct 2026; .*after 6 Nov 2026"),
        ((2, 1, 0), "no answer yet: .*found 28 Oct 2026 to 30 Oct 2026; .*after 4 Nov 2026"),
        ((6, 0), "no answer yet"),
    ],
)
def test_days_that_cannot_be_compared_are_no_answer_yet(ago: tuple[int, ...], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        raise without_answer(METRIC, whole(*ago), FIRST, LAST, None, None)


def test_parts_at_one_end_have_the_days_of_each_breakdown() -> None:
    first, last = whole(7, 0)
    rows = [first, last, first._replace(breakdown="queue"), last._replace(breakdown="user")]
    words = "at one end of the span only; found by queue 23 Oct 2026; by user 30 Oct 2026; exp"
    with pytest.raises(ConfigurationError, match=words):
        raise without_answer(METRIC, rows, FIRST, LAST, None, None)


def test_a_subject_that_does_not_exist_is_not_one_without_parts(lake: Path) -> None:
    for subject, day in ((CSQ1, LAST), ("PLEX1/CSQ9", LAST - timedelta(days=30))):
        folder = hour_partition(lake, "metric_hourly", day)
        folder.mkdir(parents=True)
        pq.write_table(pa.table({"subject": [subject, subject]}), folder / "part-0.parquet")
    assert refusal(lake, METRIC, "CSQ77").startswith("there is no subject CSQ77; found figures")
    assert refusal(lake, METRIC, "CSQ9").startswith(f"CSQ9 has no parts of {METRIC}")


SUBJECTS = ("PLEX1/CSQ1/BP01", "PLEX1/CSQ2", "PLEX2/CSQ9/CHINIT")


def test_what_a_path_of_a_subject_has_exists_and_without_figures_everything_does() -> None:
    require_subject("PLEX1", ())
    for wanted in ("PLEX1", "plex1/csq2", "CSQ9", "PLEX2/CSQ9", "CHINIT", "PLEX1/CSQ1/BP01"):
        require_subject(wanted, SUBJECTS)


@pytest.mark.parametrize(
    ("wanted", "near"),
    [
        ("PLEX1/CSQ3", "PLEX1/CSQ1 or PLEX1/CSQ2 or PLEX2/CSQ9"),
        ("CSQ7", "CSQ1 or CSQ2 or CSQ9"),
        ("PLEX7", "PLEX1 or PLEX2"),
        ("HAMBURG", "one of these"),
        ("", "one of these"),
    ],
)
def test_what_no_path_has_is_an_error_that_names_what_is_near(wanted: str, near: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        require_subject(wanted, SUBJECTS)
    assert str(error.value) == (
        f"there is no subject {wanted}; found figures of PLEX1/CSQ1, PLEX1/CSQ2, PLEX2/CSQ9; "
        f"expected {near}."
    )


def test_by_default_the_span_begins_with_the_month_before(lake: Path) -> None:
    growth = growth_of_series(lake, METRIC, CSQ1)
    assert growth.unit == "MiB/s"
    assert growth.attribution.then_days.first == FIRST
    assert growth.attribution.now_days.last == LAST


@pytest.mark.parametrize("storage", ["31bit", "64bit"])
def test_a_percentage_has_the_parts_of_what_is_measured(tmp_path: Path, storage: str) -> None:
    used, chinit = f"chinit_{storage}_used_mib", f"{CSQ1}/CHINIT"
    growing_part(tmp_path, used, chinit, "A.TO.B", "channel", rest=80.0)
    growth = growth_of_series(tmp_path, f"chinit_{storage}_used_pct", chinit)
    assert (growth.metric, growth.unit) == (used, "MiB")


@pytest.mark.parametrize("subject", ["CSQ1", "csq1", "plex1/csq1", "PLEX1"])
def test_a_part_of_the_path_is_enough_where_one_subject_has_it(lake: Path, subject: str) -> None:
    assert growth_of_series(lake, METRIC, subject).subject == CSQ1


def test_the_cost_of_a_channel_is_asked_for_the_subject_that_was_found(tmp_path: Path) -> None:
    metric, chinit = "chinit_31bit_used_mib", f"{CSQ1}/CHINIT"
    growing_part(tmp_path, metric, chinit, "A.TO.B", "channel", rest=0.0)
    asked: list[tuple[str, str]] = []

    def cost_of(of: str, subject: str, _day: date) -> None:
        asked.append((of, subject))

    growth = growth_of_series(tmp_path, "chinit_31bit_used_pct", "csq1", cost_of=cost_of)
    assert growth.subject == chinit
    assert asked == [(metric, chinit)]


@pytest.mark.parametrize(
    ("since", "last", "by", "words"),
    [
        (date(2026, 10, 30), date(2026, 10, 30), None, "the span has no length"),
        (date(2025, 1, 1), date(2025, 1, 9), None, "no subject has parts"),
        (FIRST, LAST, PartKind.user, "no parts by user at both ends.*--by queue or application"),
        (None, None, PartKind.user, "found parts by queue, application; expected --by"),
        (LAST - timedelta(days=7), LAST + timedelta(days=9), None, None),
        (LAST - timedelta(days=6), LAST, None, "no answer yet.*Ask again after 31 Oct 2026"),
    ],
)
def test_a_span_without_parts_is_an_error_with_a_hint(
    lake: Path, since: date | None, last: date | None, by: PartKind | None, words: str | None
) -> None:
    if words is None:
        assert growth_of_series(lake, METRIC, CSQ1, since=since, last=last).unit == "MiB/s"
        return
    with pytest.raises(ConfigurationError, match=words):
        growth_of_series(lake, METRIC, CSQ1, since=since, last=last, breakdown=by)


def test_an_empty_lake_says_how_parts_come_into_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="mqcap load"):
        growth_of_series(tmp_path, METRIC, CSQ1)
    span: dict[str, Any] = {"since": FIRST, "last": LAST}
    assert growth_if_known(tmp_path, METRIC, CSQ1, **span) is None


@pytest.mark.parametrize("days_before", [0, 1, 40])
def test_where_the_first_days_were_not_measured_the_span_begins_later(
    lake: Path, days_before: int
) -> None:
    since = FIRST - timedelta(days=days_before)
    growth = growth_if_known(lake, METRIC, CSQ1, since=since, last=LAST)
    assert growth == growth_of_series(lake, METRIC, CSQ1, since=since, last=LAST)


def test_a_figure_that_hardly_changed_has_no_shares_by_the_setting_of_the_site(lake: Path) -> None:
    for least, share in ((20.0, 100.0), (20.1, None)):
        settings = AttributionSettings(least_growth_pct=least)
        [first, *_] = growth_of_series(lake, METRIC, CSQ1, settings=settings).attribution.parts
        assert first.share_of_growth_pct == (None if share is None else pytest.approx(share))


@pytest.mark.parametrize("last", [date(2026, 11, 30), date(2026, 12, 1), date(2026, 10, 30)])
def test_command_page_and_mail_have_the_same_span(tmp_path: Path, last: date) -> None:
    """Also where the newest UTC date of the lake is in another month than the last site date."""
    growing_log(tmp_path, last=last)
    later = last + timedelta(days=1)
    write_parts(tmp_path, [row(last, hour_date=later, value=0.0, covered_seconds=0.0)])
    shown = growth_if_known(tmp_path, METRIC, CSQ1, since=begin_of_month_before(last), last=last)
    assert growth_of_series(tmp_path, METRIC, CSQ1) == shown
