import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from mqcap.completeness.incomplete import DayCompleteness, with_completeness
from mqcap.domain.crossing import PROBABILITY_DAYS
from mqcap.domain.feed import FeedState
from mqcap.domain.finding import Finding, InputValue
from mqcap.domain.input_source import BusiestStart, MeasuredHoursSource
from mqcap.domain.metric import SubjectKind
from mqcap.domain.score import SiteCorrection
from mqcap.presentation import display_units
from mqcap.rulebook.explain import explain
from mqcap.settings import Settings
from mqcap.steps.evaluate import evaluate_rules
from mqcap.store.crossings import read_crossings, replace_crossings, replace_site_correction
from mqcap.store.database import Store
from mqcap.store.findings import replace_findings, require_finding, require_findings
from mqcap.store.forecasts import replace_forecasts
from sizing.rulebook.judge import judge
from sizing.rulebook.registry import all_rules
from tests.factories import feed_day, mix
from tests.mqcap.rulebook.builders import (
    DAY,
    LOG,
    QUEUE_MANAGER,
    days,
    landed,
    new_store,
    observe,
    rising,
    settings_of,
)
from tests.mqcap.whatif.builders import MEASURED
from tests.sizing.builders import Policy

RULE = "LOG-FILL-30MIN"
PROBABILITIES = [f"probability_{days}_days" for days in PROBABILITY_DAYS]


def evaluated(
    engine: Store, folder: Path, rule: str = RULE, subject: str = QUEUE_MANAGER, **qmgr: object
) -> str:
    """Evaluate the day, and explain one finding of it."""
    settings = settings_of(folder, **qmgr)
    evaluate_rules(settings, engine, DAY)
    return explain(engine, settings, rule, subject, DAY)


def sized(
    engine: Store, folder: Path, value: float, rise: float | None = None, **made: object
) -> str:
    observe(engine, "log_growth_mib_per_s", QUEUE_MANAGER, days(30, value))
    if rise is not None:
        forecast = rising(LOG, value, rise).model_copy(update={"mix": mix(), **made})
        replace_forecasts(engine, DAY, [forecast])
    return evaluated(engine, folder)


def test_inputs_arithmetic_and_source_of_the_limit_are_printed(
    engine: Store, tmp_path: Path
) -> None:
    text = sized(engine, tmp_path, 1.2345678)
    assert "log_rate_mib_per_s = 1.2345678 MiB/s" in text
    assert "source: settings, estate PLEX1/CSQ1: active_log_size_mib" in text
    assert "limit    = 30 min (breach when below it)" in text
    assert "How large should the active logs be?" in text
    assert "Crossing of 1.1377777777777778 MiB/s: over the limit since the data begins" in text


@pytest.mark.parametrize(("instances", "word"), [(9.0, "no"), (10.0, "yes"), (11.0, "yes")])
def test_a_limit_that_must_not_be_reached_says_so(
    engine: Store, tmp_path: Path, instances: float, word: str
) -> None:
    channel, kind = "EAST/QM1/CHANNEL/APP", SubjectKind.distributed_channel
    for metric, value in (
        ("mq_channel_instance_count", instances),
        ("mq_channel_instance_max_count", 10.0),
    ):
        observe(engine, metric, channel, days(30, value), kind=kind, unit="count")
    text = evaluated(engine, tmp_path, "DST-CHANNEL-INSTANCES", channel)
    assert "limit    = 10 count (breach when at or above it)" in text
    assert f"breach   = {word}" in text


def test_a_finding_on_incomplete_data_is_computed_again_without_breach_and_headroom(
    engine: Store, tmp_path: Path
) -> None:
    sized(engine, tmp_path, 0.4)
    stored = require_finding(require_findings(engine, DAY), RULE, QUEUE_MANAGER)
    missing = DayCompleteness((feed_day(state=FeedState.partial),))
    graded = with_completeness(stored, SubjectKind.queue_manager, missing)
    replace_findings(engine, DAY, [graded])
    text = explain(engine, settings_of(tmp_path), RULE, QUEUE_MANAGER, DAY)
    assert "computed again from the inputs above: the same" in text
    assert "breach   =" not in text


@pytest.mark.thorough
def test_a_date_shows_the_line_and_its_value_over_the_limit(engine: Store, tmp_path: Path) -> None:
    text = sized(engine, tmp_path, 1.0, rise=0.004)
    assert "expected: 2026-11-19, passed by then with a probability of 50 %; the lines" in text
    assert "model prophet, trained on 100 days" in text
    assert f"candidates: {mix().text}" in text
    assert "error on hold-out days (sMAPE): 4.5 %" in text


def test_the_files_of_the_busiest_hour_are_named(engine: Store, tmp_path: Path) -> None:
    ten = datetime(2026, 10, 15, 10, tzinfo=UTC)
    landed(engine, "with.smf", ten)
    landed(engine, "before.smf", ten - timedelta(hours=5))
    text = sized(engine, tmp_path, 1.2)
    assert "busiest hour begins 15 Oct 2026 10:00 UTC; files that hold it: 1" in text
    assert "with.smf" in text
    assert "before.smf" not in text


def test_a_missing_input_says_how_to_supply_it(engine: Store, tmp_path: Path) -> None:
    observe(engine, "log_growth_mib_per_s", QUEUE_MANAGER, days(30, 1.0))
    text = evaluated(engine, tmp_path, active_log_size_mib=None)
    assert "missing: log_size_mib: set active_log_size_mib" in text


@pytest.mark.thorough
def test_a_sustained_figure_names_the_files_of_its_complete_day(
    engine: Store, tmp_path: Path
) -> None:
    for number in range(8):
        landed(engine, f"{number}.smf", datetime(2026, 10, 15, number * 2, 30, tzinfo=UTC))
    observe(engine, "log_growth_mib_per_s", QUEUE_MANAGER, days(30, 1.0))
    text = evaluated(engine, tmp_path, "LOG-RUNWAY-12H")
    assert "95th percentile of 35 days, on 2026-10-15" in text
    assert "files that hold the day: 8" in text
    assert "and 2 more" in text


@pytest.mark.thorough
def test_the_busiest_hours_begin_on_the_clock_of_the_sysplex_as_all_other_times_do(
    engine: Store, tmp_path: Path
) -> None:
    sized(engine, tmp_path, 1.0)
    stored = require_finding(require_findings(engine, DAY), RULE, QUEUE_MANAGER)
    hours = MeasuredHoursSource(
        metric="log_growth_mib_per_s",
        subject=QUEUE_MANAGER,
        first_date=DAY,
        last_date=DAY,
        hour_count=24,
        starts=(BusiestStart(1, datetime(2026, 1, 31, 9, tzinfo=UTC)),),
    )
    value = InputValue(name="busiest_hours", value=3_600.0, unit="MiB", origin=hours)
    changed = stored.model_copy(update={"inputs": (*stored.inputs, value)})
    replace_findings(engine, DAY, [changed])
    display_units.use_zones_of(Settings.model_validate({"site": {"timezone": "Europe/Berlin"}}))
    text = explain(engine, settings_of(tmp_path), RULE, QUEUE_MANAGER, DAY)
    assert "begin, by their number: 1 h from 31 Jan 2026 10:00 CET" in text


def test_a_series_that_is_not_forecast_says_why_there_is_no_date(
    engine: Store, tmp_path: Path
) -> None:
    text = sized(engine, tmp_path, 1.0, 0.0, refusal="12 days only", points=())
    assert "because: 12 days only" in text
    assert "none: 12 days only" in text


@pytest.mark.thorough
def test_inputs_that_no_longer_give_the_stored_figures_are_exposed(
    engine: Store, tmp_path: Path
) -> None:
    sized(engine, tmp_path, 1.0)
    stored = require_finding(require_findings(engine, DAY), RULE, QUEUE_MANAGER)
    replace_findings(engine, DAY, [stored.model_copy(update={"observed": 9.0})])
    text = explain(engine, settings_of(tmp_path), RULE, QUEUE_MANAGER, DAY)
    assert "DIFFERENT, observed 34.13" in text
    by_rate = {"observed": 0.5, "limit_value": 1.1, "unit": "MiB/s"}
    replace_findings(engine, DAY, [stored.model_copy(update=by_rate)])
    text = explain(engine, settings_of(tmp_path), RULE, QUEUE_MANAGER, DAY)
    assert "computed again from the inputs above: the rule is in min now, observed 34.13" in text


def test_a_flag_of_mp16_is_shown_with_the_finding(engine: Store, tmp_path: Path) -> None:
    busy = days(5, 65.0)
    observe(engine, "cf_busy_pct", "PLEX1/CF01", busy, kind=SubjectKind.coupling_facility, unit="%")
    assert "flag F-38" in evaluated(engine, tmp_path, "CF-BUSY-N", "PLEX1/CF01")


@pytest.mark.parametrize(("shift", "is_said"), [(0.0, False), (0.2, True)])
def test_the_correction_by_the_sites_own_outcomes_is_named_where_it_acts(
    engine: Store, tmp_path: Path, shift: float, is_said: bool
) -> None:
    sized(engine, tmp_path, 1.0, rise=0.001)
    replace_site_correction(engine, SiteCorrection(cutoff_date=DAY, shift=shift, limit_count=60))
    words = "by the site's own outcomes, log odds times 1.00 +0.20"
    for probability, is_degree in ((0.3, True), (0.0, False)):
        stated = [
            crossing.model_copy(update=dict.fromkeys(PROBABILITIES, probability))
            for crossing in read_crossings(engine, DAY)
        ]
        replace_crossings(engine, DAY, stated)
        text = explain(engine, settings_of(tmp_path), RULE, QUEUE_MANAGER, DAY)
        assert (words in text) is (is_said and is_degree)


CF: Final = SubjectKind.coupling_facility
INPUT: Final = re.compile(r"^  (\w+) = (\S+)(?: \S+)?$")
RESULT: Final = re.compile(r"^  (observed|limit   ) = (-?\d\S*)")
HEADROOM: Final = re.compile(r"^  headroom = .* = \((\S+) - (\S+)\) / (\S+) = (\S+)$")
BREACH: Final = re.compile(r"^  breach   = (yes|no)$")
NUMBER: Final = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?(?![\w])")
SUM: Final = re.compile(r"^[^=]*=\s*(?P<sum>[^=]*)=\s*(?P<result>[^=]*?)\s*[;.]?$")
WORDS: Final = re.compile(r"[a-zA-Z%]+(?:/[a-zA-Z]+)?")


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, Settings]:
    folder = tmp_path_factory.mktemp("explained")
    engine = new_store(folder)
    for metric, subject, kind, unit, value in MEASURED:
        observe(engine, metric, subject, days(30, value * 1.618), kind=kind, unit=unit)
    observe(engine, "cf_busy_pct", "PLEX1/CF03", days(3, 66.6), kind=CF, unit="%")
    observe(engine, "cf_engine_count", "PLEX1/CF03", days(3, 1), kind=CF, unit="count")
    settings = settings_of(folder, archive_minutes=14.3, dual_logging=True)
    evaluate_rules(settings, engine, DAY)
    return engine, settings


def known(judged: tuple[Store, Settings]) -> list[Finding]:
    return [finding for finding in require_findings(judged[0], DAY) if finding.observed is not None]


def lines(judged: tuple[Store, Settings], item: Finding) -> list[str]:
    return explain(*judged, item.rule_id, item.subject, DAY).splitlines()


def value_of(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def test_the_rule_gives_the_printed_figures_for_the_printed_inputs(
    judged: tuple[Store, Settings],
) -> None:
    assert len({item.rule_id for item in known(judged)}) >= 12
    for item in known(judged):
        text = lines(judged, item)
        start, end = text.index("Inputs"), text.index("Arithmetic")
        inputs = [match for line in text[start:end] if (match := INPUT.match(line))]
        given = [
            value.model_copy(update={"value": value_of(match[2])})
            for match in inputs
            for value in item.inputs
            if value.name == match[1]
        ]
        again = judge(all_rules()[item.rule_id], item.subject, DAY, given, Policy())
        printed = [match[2] for line in text if (match := RESULT.match(line))]
        assert [float(value) for value in printed] == [again.observed, again.limit_value], item
        [breach] = [match[1] for line in text if (match := BREACH.match(line))]
        assert (breach == "yes") is again.breach


def test_headroom_follows_from_the_printed_figures(judged: tuple[Store, Settings]) -> None:
    with_headroom = [item for item in known(judged) if item.headroom_ratio is not None]
    assert len({item.direction for item in with_headroom}) == 2
    for item in with_headroom:
        matches = (HEADROOM.match(line) for line in lines(judged, item))
        [match] = (match for match in matches if match is not None)
        first, second, limit, printed = (float(value) for value in match.groups())
        assert (first - second) / limit == pytest.approx(printed, abs=1e-12), match[0]
        assert printed == item.headroom_ratio


def test_every_sum_of_the_arithmetic_is_right_at_the_printed_precision(
    judged: tuple[Store, Settings],
) -> None:
    checked = 0
    for item in known(judged):
        for line in item.arithmetic:
            result = computed(line)
            if result is not None:
                checked += 1
                assert result[0] == pytest.approx(result[1], rel=6e-3, abs=_slack(line)), line
    assert checked >= 10


def computed(line: str) -> tuple[float, float] | None:
    """What the middle of ``name = a x b = c`` gives, and c, times in seconds; else ``None``."""
    match = SUM.match(line)
    if match is None or not re.search(r"[x/+-]", match["sum"]):
        return None
    sides = [TIME.sub(_in_seconds, match[name]) for name in ("sum", "result")]
    result = NUMBER.search(sides[1])
    value = _evaluated(sides[0])
    return (value, float(result[0].replace(",", ""))) if result and value is not None else None


TIME: Final = re.compile(r"(?P<number>\d[\d,.]*) (?P<unit>min|h)\b(?!/)")


def _slack(line: str) -> float:
    """Times are printed with one decimal."""
    unit = line.rstrip(" .;").rsplit(maxsplit=1)[-1]
    return {"min": 3.0, "h": 180.0, "s": 0.05}.get(unit, 0.0)


def _in_seconds(match: re.Match[str]) -> str:
    seconds = {"min": 60, "h": 3_600}[match["unit"]]
    return f"{float(match['number'].replace(',', '')) * seconds:.9g}"


def _evaluated(text: str) -> float | None:
    """Numbers, brackets and the four operations, units left out; ``None`` with words in it."""
    bare = WORDS.sub(lambda word: "*" if word[0] == "x" else " ", text.replace(",", ""))
    assert re.fullmatch(r"[\d.\s*/+()-]+", bare), text
    try:
        return float(eval(bare))  # noqa: S307 - digits and operators only, asserted above
    except SyntaxError:
        return None
