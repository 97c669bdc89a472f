"""How far a figure of a coupling facility can be believed.

What rests on an uncertain place in a record, or on engines that are not the facility's own, says
so and does not drive an alert by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from mqcap.domain.estate import CouplingFacility, Dyndisp, Estate
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import SERIES_SEPARATOR, Statistic, SubjectKind
from mqcap.judging.inputs import Observed

SYNC_US: Final = "structure_sync_us"
BELIEVABLE_US: Final = (1.0, 1_000.0)
"""Mean service time of synchronous requests when the places of R744S fit (smf-records 8)."""
LOOKS_FULL_PCT: Final = 95.0
"""From here on busy may only be the look of polling engines, where nobody told (ours)."""
BUSY: Final = "cf_busy_pct"
DEDICATED: Final = "cf_dedicated_engine_count"
ENGINES: Final = "cf_engine_count"
DYNDISP: Final = "cf_dyndisp_code"
DUPLEX_ROLE: Final = "structure_duplex_role"
_CODES: Final = (Dyndisp.off, Dyndisp.on, Dyndisp.thin)
_ROLES: Final = {1: "primary", 2: "secondary", 3: "duplexed"}

Uncertain = Mapping[str, tuple[str, ...]]
"""Metrics with the fields of uncertain place that they rest on."""


def with_confidence(
    finding: Finding, kind: SubjectKind, observed: Observed, estate: Estate, uncertain: Uncertain
) -> Finding:
    """The finding with what must be said about its figure, and not graver than that allows."""
    if kind not in {SubjectKind.coupling_facility, SubjectKind.structure}:
        return finding
    if finding.severity is Severity.unknown:
        return finding
    metrics = finding.measured_metrics
    if kind is SubjectKind.coupling_facility and BUSY in metrics:
        return _of_busy(finding, observed, estate)
    if kind is SubjectKind.structure:
        finding = _with_caveat(finding, _duplexing(finding.subject, observed))
    return _of_certainty(finding, metrics, observed, uncertain)


def _of_certainty(
    finding: Finding, metrics: AbstractSet[str], observed: Observed, uncertain: Uncertain
) -> Finding:
    """Cap what rests on fields of uncertain place alone, unless the service times confirm them."""
    if not metrics or not metrics <= uncertain.keys():
        return finding
    fields = ", ".join(sorted({field for metric in metrics for field in uncertain[metric]}))
    low, high = BELIEVABLE_US
    range_words = f"{low:g} to {high:,.0f} us"
    place = SERIES_SEPARATOR.join(finding.subject.split(SERIES_SEPARATOR)[:2])
    times = _service_times(place, observed)
    found = _range(times)
    if times and low <= min(times) and max(times) <= high:
        return _with_caveat(
            finding,
            f"The place of {fields} in the record is not certain; synchronous service times of "
            f"{place} of {found} us ({range_words} expected) confirm it.",
        )
    if times:
        return _unknown(
            finding,
            f"{fields} cannot be believed: the record's layout does not fit, since synchronous "
            f"service times of {place} would be {found} us ({range_words} expected).",
        )
    why = (
        f"Rests only on {fields}, whose place in the record is not certain, and neither service "
        "times nor another source confirm it: at most watch."
    )
    capped = finding.severity if finding.severity is not Severity.act else Severity.watch
    return _with_caveat(finding.model_copy(update={"severity": capped}), why)


def _range(values: list[float]) -> str:
    """``9``, or ``8 to 12``, in three digits."""
    ends = [f"{end:.3g}" for end in (min(values), max(values))] if values else []
    return " to ".join(dict.fromkeys(ends))


def _service_times(place: str, observed: Observed) -> list[float]:
    """Mean and peak synchronous service times of all structures of a facility in the window."""
    structures = (
        subject
        for subject in observed.subjects(SubjectKind.structure)
        if subject.startswith(f"{place}{SERIES_SEPARATOR}")
    )
    return [
        day.value(statistic)
        for subject in structures
        for day in observed.days(SYNC_US, subject)
        for statistic in (Statistic.mean, Statistic.peak)
    ]


def _of_busy(finding: Finding, observed: Observed, estate: Estate) -> Finding:
    """What busy means here: engines of its own, or shared ones and how they are dispatched."""
    sysplex, name, *_ = finding.subject.split(SERIES_SEPARATOR)
    configured = estate.coupling_facility(sysplex, name)
    dedicated, engines = _engines(finding.subject, observed, configured)
    dyndisp = _dyndisp(finding.subject, observed, configured)
    finding = _with_caveat(finding, _duplexed_pairs(finding.subject, observed))
    if dedicated is not None and engines is not None and dedicated >= engines:
        whose = f"All {engines} engines are" if engines > 1 else "The one engine is"
        return _with_caveat(finding, f"{whose} dedicated (R744PTYP).")
    shared = "engines are shared" if dedicated is not None else "nobody told whose engines they are"
    if dyndisp is Dyndisp.off and dedicated is not None:
        return _unknown(
            finding,
            "Busy says nothing here: engines are shared and DYNDISP is OFF, so the facility polls "
            "and always looks 100 % busy. Set DYNDISP=THIN, or dedicate its engines.",
        )
    told = dyndisp.value.upper() if dyndisp else "not told"
    looks_full = finding.observed is not None and finding.observed >= LOOKS_FULL_PCT
    if looks_full and dyndisp not in {Dyndisp.on, Dyndisp.thin}:
        return _unknown(
            finding,
            f"Busy cannot be read here: {shared}, DYNDISP is {told}, and a polling facility always "
            "looks 100 % busy. Set dyndisp and dedicated_engines of this facility in the estate.",
        )
    return _with_caveat(
        finding,
        f"Confidence is lower: {shared}, DYNDISP is {told}; busy is a share of dispatched time.",
    )


def _engines(
    subject: str, observed: Observed, configured: CouplingFacility | None
) -> tuple[int | None, int | None]:
    """Dedicated and all engines: the estate's, else those of the last day measured."""
    dedicated = configured.dedicated_engines if configured else None
    engines = configured.engines if configured else None
    if dedicated is None:
        dedicated = _last(DEDICATED, subject, observed)
    if engines is None:
        engines = _last(ENGINES, subject, observed)
    return dedicated, engines


def _dyndisp(
    subject: str, observed: Observed, configured: CouplingFacility | None
) -> Dyndisp | None:
    """DYNDISP as the records or a report tell it, else the estate."""
    code = _last(DYNDISP, subject, observed)
    if code is not None and 0 <= code < len(_CODES):
        return _CODES[code]
    return configured.dyndisp if configured else None


def _last(metric: str, subject: str, observed: Observed) -> int | None:
    days = observed.days(metric, subject)
    return round(days[-1].peak) if days else None


def _roles(observed: Observed) -> dict[str, int]:
    """Duplexing role of each structure that has one, by subject."""
    found = {
        subject: _last(DUPLEX_ROLE, subject, observed)
        for subject in observed.subjects(SubjectKind.structure)
    }
    return {subject: role for subject, role in found.items() if role}


def _partner(subject: str, roles: Mapping[str, int]) -> str | None:
    """The facility that holds the other copy of a duplexed structure."""
    sysplex, facility, name = subject.split(SERIES_SEPARATOR)
    others = [
        parts[1]
        for other in sorted(roles)
        if (parts := other.split(SERIES_SEPARATOR))[0] == sysplex
        and parts[2] == name
        and parts[1] != facility
    ]
    return others[0] if others else None


def _duplexing(subject: str, observed: Observed) -> str:
    """A sentence on the other copy of a structure; empty for one that is not duplexed."""
    roles = _roles(observed)
    if subject not in roles:
        return ""
    partner = _partner(subject, roles)
    other = f"the other copy is in {partner}" if partner else "no record of the other copy"
    return f"Duplexed: this is the {_ROLES[roles[subject]]} copy, {other} (R744SFLG, certain)."


def _duplexed_pairs(subject: str, observed: Observed) -> str:
    """A sentence on the duplexed structures of a facility; empty when there are none."""
    roles = _roles(observed)
    inside = [one for one in sorted(roles) if one.startswith(f"{subject}{SERIES_SEPARATOR}")]
    if not inside:
        return ""
    words = [
        f"{one.rsplit(SERIES_SEPARATOR, 1)[1]} ({_ROLES[roles[one]]}, other copy in "
        f"{_partner(one, roles) or 'no facility seen'})"
        for one in inside
    ]
    return f"Duplexed structures: {', '.join(words)}; their requests count in both facilities."


def _unknown(finding: Finding, why: str) -> Finding:
    return finding.model_copy(
        update={
            "severity": Severity.unknown,
            "breach": None,
            "headroom_ratio": None,
            "summary": f"{finding.subject}: not judged. {why}",
            "advice": "",
            "changes": (),
            "missing": (f"a figure that can be judged. {why}".rstrip("."),),
        }
    )


def _with_caveat(finding: Finding, caveat: str) -> Finding:
    if not caveat:
        return finding
    return finding.model_copy(update={"caveats": (*finding.caveats, caveat)})
