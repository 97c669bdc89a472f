"""Every number of an explanation can be computed again from what it prints."""

import re
from typing import Final

import pytest

from mqcap.domain.finding import Finding
from mqcap.domain.metric import SubjectKind
from mqcap.rulebook.explain import explain
from mqcap.settings import Settings
from mqcap.steps.evaluate import evaluate_rules
from mqcap.store.database import Store
from mqcap.store.findings import require_findings
from sizing.rulebook.judge import judge
from sizing.rulebook.registry import all_rules
from tests.mqcap.rulebook.builders import DAY, days, new_store, observe, settings_of
from tests.mqcap.whatif.builders import MEASURED
from tests.sizing.builders import Policy

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


def test_many_findings_are_explained(judged: tuple[Store, Settings]) -> None:
    assert len({item.rule_id for item in known(judged)}) >= 12


def test_the_rule_gives_the_printed_figures_for_the_printed_inputs(
    judged: tuple[Store, Settings],
) -> None:
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


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("limit = 1,024 MiB / 1800 s = 0.5689 MiB/s", 0.5689),
        ("fill time = 1,024 MiB / 1.4 MiB/s = 12.2 min", 732),
        ("capacity = (8 - 1) x 2,048 MiB = 14,336 MiB", 14_336),
    ],
)
def test_sums_are_read_as_they_are_printed(line: str, value: float) -> None:
    result = computed(line)
    assert result is not None
    assert result[0] == pytest.approx(value, rel=1e-2)
    assert result[1] == pytest.approx(value)
