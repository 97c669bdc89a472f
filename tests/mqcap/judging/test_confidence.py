from datetime import date, timedelta
from typing import Any

import pytest

from mqcap.domain.estate import CouplingFacility, Dyndisp, Estate
from mqcap.domain.finding import Finding, InputValue, Severity
from mqcap.domain.input_source import MeasuredDaySource, MeasuredWindowSource, WindowFigure
from mqcap.domain.metric import Statistic, SubjectKind, series_id
from mqcap.judging.confidence import with_confidence
from mqcap.judging.observed import Observed
from mqcap.store.models import WindowDay
from tests import factories

DAY = date(2026, 3, 4)
CF = "PLEX1/CF01"
STRUCTURE = f"{CF}/QSG1APPL1"
UNCERTAIN = {
    "structure_elements_used_pct": ("R744SCUE", "R744SMAE"),
    "log_dfw_bypass_pct": ("R745DFWB",),
}
FACILITY_KIND, STRUCTURE_KIND = SubjectKind.coupling_facility, SubjectKind.structure


def seen(metric: str, subject: str, value: float, mean: float | None = None) -> WindowDay:
    kind = STRUCTURE_KIND if subject.count("/") == 2 else FACILITY_KIND
    usual = value if mean is None else mean
    return WindowDay(metric, subject, kind, "", DAY, usual, value, value)


def observed(*days: WindowDay) -> Observed:
    return Observed(days, DAY, 35)


def engines(dedicated: int, of: int = 2) -> list[WindowDay]:
    return [seen("cf_dedicated_engine_count", CF, dedicated), seen("cf_engine_count", CF, of)]


def finding(metric: str, subject: str, value: float, **changed: Any) -> Finding:
    values: dict[str, Any] = {
        "site_date": DAY,
        "observed": value,
        "limit_value": 60.0,
        "unit": "%",
        "headroom_ratio": -0.5,
        "series_id": series_id(metric, subject),
        "statistic": None,
        "caveats": (),
        "inputs": (
            InputValue(
                name="busy_pct",
                value=value,
                origin=MeasuredDaySource(
                    metric=metric, subject=subject, statistic=Statistic.peak, site_date=DAY
                ),
            ),
        ),
    }
    return factories.finding(subject, **(values | changed))


def busy(
    value: float, *days: WindowDay, facility: CouplingFacility | None = None, **changed: Any
) -> Finding:
    cfs = () if facility is None else (facility.model_dump(exclude_none=True),)
    estate = Estate.model_validate({"sysplexes": [{"sysplex": "PLEX1", "cfs": cfs}]})
    made = finding("cf_busy_pct", CF, value, **changed)
    return with_confidence(made, FACILITY_KIND, observed(*days), estate, UNCERTAIN)


def elements(*days: WindowDay, **changed: Any) -> Finding:
    made = finding("structure_elements_used_pct", STRUCTURE, 92.0, **changed)
    return with_confidence(made, STRUCTURE_KIND, observed(*days), Estate(), UNCERTAIN)


def test_dedicated_engines_are_judged_and_reported() -> None:
    graded = busy(99.0, *engines(2), seen("cf_dyndisp_code", CF, 0))
    assert graded.severity is Severity.act
    assert graded.caveats[-1] == "All 2 engines are dedicated (R744PTYP)."


@pytest.mark.parametrize("severity", [Severity.ok, Severity.watch, Severity.act])
def test_shared_engines_with_dyndisp_off_say_why_they_cannot_be_judged(severity: Severity) -> None:
    days = [*engines(0), seen("cf_dyndisp_code", CF, 0)]
    graded = busy(100.0, *days, severity=severity)
    assert (graded.severity, graded.breach, graded.changes) == (Severity.unknown, None, ())
    assert "DYNDISP is OFF" in graded.summary
    assert "always looks 100 % busy" in graded.missing[0]


def test_shared_engines_with_thin_interrupts_are_judged_with_less_confidence() -> None:
    graded = busy(70.0, *engines(1), seen("cf_dyndisp_code", CF, 2))
    assert graded.severity is Severity.act
    assert "engines are shared, DYNDISP is THIN" in graded.caveats[-1]


def test_a_full_look_that_nobody_explains_is_not_an_alert() -> None:
    assert busy(99.9).severity is Severity.unknown
    assert busy(70.0).severity is Severity.act
    assert "DYNDISP is not known" in busy(70.0).caveats[-1]


def test_the_estate_supplies_what_no_record_has() -> None:
    stated = CouplingFacility(name="CF01", engines=2, dedicated_engines=0, dyndisp=Dyndisp.off)
    assert busy(100.0, facility=stated).severity is Severity.unknown
    own = CouplingFacility(name="CF01", engines=2, dedicated_engines=2)
    assert busy(99.0, facility=own).severity is Severity.act


def test_believable_service_times_confirm_the_layout() -> None:
    graded = elements(seen("structure_sync_us", f"{CF}/OTHER", 12.0, mean=8.0))
    assert graded.severity is Severity.act
    assert "8 to 12 us (1 to 1,000 us expected) confirm it" in graded.caveats[-1]


@pytest.mark.parametrize(("mean", "peak"), [(0.01, 9.0), (9.0, 4e6)])
def test_impossible_service_times_refute_it(mean: float, peak: float) -> None:
    graded = elements(seen("structure_sync_us", STRUCTURE, peak, mean=mean))
    assert graded.severity is Severity.unknown
    assert "the record's layout does not fit" in graded.summary


def test_service_times_of_another_facility_confirm_nothing() -> None:
    other = seen("structure_sync_us", "PLEX1/CF02/QSG1APPL1", 9.0)
    assert elements(other).severity is Severity.watch


@pytest.mark.parametrize(
    ("metric", "subject", "kind"),
    [
        ("structure_entries_used_pct", STRUCTURE, STRUCTURE_KIND),
        ("log_growth_mib_per_s", "PLEX1/CSQ1", SubjectKind.queue_manager),
    ],
)
def test_a_certain_field_is_not_capped(metric: str, subject: str, kind: SubjectKind) -> None:
    made = finding(metric, subject, 92.0)
    assert with_confidence(made, kind, observed(), Estate(), UNCERTAIN) == made


def test_a_rule_without_a_series_is_capped_when_all_its_measured_inputs_are_uncertain() -> None:
    made = finding("structure_elements_used_pct", STRUCTURE, 92.0, series_id=None)
    capped = with_confidence(made, STRUCTURE_KIND, observed(), Estate(), UNCERTAIN)
    assert capped.severity is Severity.watch
    origin = MeasuredWindowSource(
        metric="structure_entries_used_pct",
        subject=STRUCTURE,
        figure=WindowFigure.day_count,
        first_date=DAY - timedelta(days=2),
        last_date=DAY,
    )
    certain = InputValue(name="used", value=1, origin=origin)
    mixed = made.model_copy(update={"inputs": (*made.inputs, certain)})
    kept = with_confidence(mixed, STRUCTURE_KIND, observed(), Estate(), UNCERTAIN)
    assert kept.severity is Severity.act


def test_both_copies_of_a_duplexed_structure_are_named() -> None:
    roles = [
        seen("structure_duplex_role", STRUCTURE, 1),
        seen("structure_duplex_role", "PLEX1/CF02/QSG1APPL1", 2),
        seen("structure_duplex_role", f"{CF}/QSG1SIMPLE", 0),
    ]
    made = finding("structure_entries_used_pct", STRUCTURE, 92.0)
    graded = with_confidence(made, STRUCTURE_KIND, observed(*roles), Estate(), UNCERTAIN)
    assert "this is the primary copy, the other copy is in CF02" in graded.caveats[-1]
    of_facility = busy(50.0, *engines(2), *roles)
    assert any(
        "Duplexed structures: QSG1APPL1 (primary, other copy in CF02)" in note
        for note in of_facility.caveats
    )


@pytest.mark.parametrize(
    ("severity", "capped"),
    [
        (Severity.act, Severity.watch),
        (Severity.watch, Severity.watch),
        (Severity.ok, Severity.ok),
        (Severity.unknown, Severity.unknown),
    ],
)
def test_an_uncertain_field_alone_drives_no_alert(severity: Severity, capped: Severity) -> None:
    made = finding("log_dfw_bypass_pct", "PLEX1/CSQ1", 30.3, severity=severity)
    graded = with_confidence(made, SubjectKind.queue_manager, observed(), Estate(), UNCERTAIN)
    assert graded.severity is capped
    expected = (
        "Computed only from R745DFWB, whose position in the record is not certain; no other "
        "source confirms it: at most watch."
    )
    assert graded.caveats == (() if severity is Severity.unknown else (expected,))
