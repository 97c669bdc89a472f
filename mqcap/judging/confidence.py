"""Confidence in figures of fields of uncertain position, or of engines that are shared."""

from collections.abc import Mapping
from typing import Final

from mqcap.domain.estate import CouplingFacility, Dyndisp, Estate
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.input_source import RulebookSource
from mqcap.domain.metric import Statistic, SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.subject import Subject
from mqcap.judging.facility_share import structures_in
from mqcap.judging.observed import Observed
from sizing.rulebook.entry import Rule

SYNC_US: Final = "structure_sync_us"
PLAUSIBLE_US: Final = (1.0, 1_000.0)
"""Plausible mean service time of synchronous requests: shows that the layout of R744S fits."""
LOOKS_FULL_PCT: Final = 95.0
"""From here on busy may be that of polling engines, where DYNDISP is not known (ours)."""
BUSY: Final = "cf_busy_pct"
DEDICATED: Final = "cf_dedicated_engine_count"
ENGINES: Final = "cf_engine_count"
DYNDISP: Final = "cf_dyndisp_code"
DUPLEX_ROLE: Final = "structure_duplex_role"
DYNDISP_CODES: Final = (Dyndisp.off, Dyndisp.on, Dyndisp.thin)
_ROLES: Final = {1: "primary", 2: "secondary", 3: "duplexed"}

Uncertain = Mapping[str, tuple[str, ...]]
"""Metrics with the fields of uncertain position that they are computed from."""


def with_confidence(
    finding: Finding, kind: SubjectKind, observed: Observed, estate: Estate, uncertain: Uncertain
) -> Finding:
    """Return the finding with caveats on its figure, and no severity above what they allow."""
    if finding.severity is Severity.unknown:
        return finding
    metrics = finding.measured_metrics
    if kind is SubjectKind.coupling_facility and BUSY in metrics:
        return _of_busy(finding, observed, estate)
    if kind is SubjectKind.structure:
        finding = finding.with_caveats(_duplexing(finding.subject, observed))
    if not metrics or not metrics <= uncertain.keys():
        return finding
    fields = ", ".join(sorted({field for metric in metrics for field in uncertain[metric]}))
    if kind not in {SubjectKind.coupling_facility, SubjectKind.structure}:
        return _unconfirmed(finding, fields, "no other source confirms it")
    return _of_certainty(finding, fields, observed)


def with_assumptions(finding: Finding, rule: Rule) -> Finding:
    """Return the finding at Watch at most, and no breach, where a figure of it is assumed."""
    assumed = [given for given in finding.inputs if isinstance(given.origin, RulebookSource)]
    is_capped = rule.traits.breach_severity is Severity.act and finding.breach
    if not assumed or not is_capped:
        return finding
    severity = min(finding.severity, Severity.watch, key=lambda one: one.rank)
    return finding.model_copy(update={"severity": severity, "breach": None, "title": rule.title})


def _of_certainty(finding: Finding, fields: str, observed: Observed) -> Finding:
    low, high = PLAUSIBLE_US
    range_words = f"{figure(low)} to {figure(high)} us"
    place = finding.subject.owner
    times = [
        day.value(statistic)
        for subject in structures_in(observed, place)
        for day in observed.days(SYNC_US, subject)
        for statistic in (Statistic.mean, Statistic.peak)
    ]
    if not times:
        nothing = "neither service times nor another source confirm it"
        return _unconfirmed(finding, fields, nothing)
    ends = dict.fromkeys(figure(end) for end in (min(times), max(times)))
    measured = " to ".join(ends)
    if low <= min(times) and max(times) <= high:
        return finding.with_caveats(
            f"The position of {fields} in the record is not certain; synchronous service times of "
            f"{place} of {measured} us ({range_words} expected) confirm it."
        )
    return _not_evaluated(
        finding,
        f"{fields} is not plausible: the record's layout does not fit, since synchronous service "
        f"times of {place} would be {measured} us ({range_words} expected).",
    )


def _unconfirmed(finding: Finding, fields: str, nothing: str) -> Finding:
    """Cap figures of fields of uncertain position alone; ``nothing`` tells what is missing."""
    capped = finding.severity if finding.severity is not Severity.act else Severity.watch
    return finding.model_copy(update={"severity": capped}).with_caveats(
        f"Computed only from {fields}, whose position in the record is not certain; {nothing}: at "
        "most watch."
    )


def _of_busy(finding: Finding, observed: Observed, estate: Estate) -> Finding:
    sysplex, name, *_ = finding.subject.names
    configured = estate.coupling_facility(sysplex, name)
    dedicated, engines = _engines(finding.subject, observed, configured)
    dyndisp = _dyndisp(finding.subject, observed, configured)
    finding = finding.with_caveats(_duplexed_pairs(finding.subject, observed))
    if dedicated is not None and engines is not None and dedicated >= engines:
        whose = f"All {engines} engines are" if engines > 1 else "The one engine is"
        return finding.with_caveats(f"{whose} dedicated (R744PTYP).")
    shared = (
        "engines are shared"
        if dedicated is not None
        else "it is not known whether engines are dedicated"
    )
    if dyndisp is Dyndisp.off and dedicated is not None:
        return _not_evaluated(
            finding,
            "Busy has no meaning here: engines are shared and DYNDISP is OFF, so the facility "
            "polls and always looks 100 % busy. Set DYNDISP=THIN, or dedicate its engines.",
        )
    dispatching = dyndisp.value.upper() if dyndisp else "not known"
    looks_full = finding.observed is not None and finding.observed >= LOOKS_FULL_PCT
    if looks_full and dyndisp not in {Dyndisp.on, Dyndisp.thin}:
        return _not_evaluated(
            finding,
            f"Busy cannot be interpreted here: {shared}, DYNDISP is {dispatching}, and a polling "
            "facility always looks 100 % busy. Set dyndisp and dedicated_engines of this facility "
            "in the estate.",
        )
    return finding.with_caveats(
        f"Confidence is lower: {shared}, DYNDISP is {dispatching}; busy is a share of "
        "dispatched time."
    )


def _engines(
    subject: str, observed: Observed, configured: CouplingFacility | None
) -> tuple[int | None, int | None]:
    given = (configured.dedicated_engines, configured.engines) if configured else (None, None)
    dedicated, engines = (
        _last(metric, subject, observed) if stated is None else stated
        for metric, stated in zip((DEDICATED, ENGINES), given, strict=True)
    )
    return dedicated, engines


def _dyndisp(
    subject: str, observed: Observed, configured: CouplingFacility | None
) -> Dyndisp | None:
    code = _last(DYNDISP, subject, observed)
    if code is not None and 0 <= code < len(DYNDISP_CODES):
        return DYNDISP_CODES[code]
    return configured.dyndisp if configured else None


def _last(metric: str, subject: str, observed: Observed) -> int | None:
    days = observed.days(metric, subject)
    return round(days[-1].peak) if days else None


def _roles(observed: Observed) -> dict[str, int]:
    roles = {
        subject: _last(DUPLEX_ROLE, subject, observed)
        for subject in observed.subjects(SubjectKind.structure)
    }
    return {subject: role for subject, role in roles.items() if role}


def _partner(subject: str, roles: Mapping[str, int]) -> str | None:
    sysplex, facility, name = Subject(subject).names
    places = (Subject(other).names for other in sorted(roles))
    others = (other for plex, other, copy in places if (plex, copy) == (sysplex, name))
    return next((other for other in others if other != facility), None)


def _duplexing(subject: str, observed: Observed) -> str:
    roles = _roles(observed)
    if subject not in roles:
        return ""
    partner = _partner(subject, roles)
    other = f"the other copy is in {partner}" if partner else "no record of the other copy"
    return f"Duplexed: this is the {_ROLES[roles[subject]]} copy, {other} (R744SFLG, certain)."


def _duplexed_pairs(subject: str, observed: Observed) -> str:
    roles = _roles(observed)
    inside = [name for name in sorted(roles) if Subject(name).is_part_of(subject)]
    if not inside:
        return ""
    words = [
        f"{Subject(name).name} ({_ROLES[roles[name]]}, other copy in "
        f"{_partner(name, roles) or 'no facility in the records'})"
        for name in inside
    ]
    return f"Duplexed structures: {', '.join(words)}; their requests count in both facilities."


def _not_evaluated(finding: Finding, why: str) -> Finding:
    missing = f"a figure that can be evaluated. {why}".rstrip(".")
    return finding.as_unknown(f"not evaluated. {why}", missing)
