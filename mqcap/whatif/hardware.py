"""Effects of other hardware, log copies and offload under the same load."""

from collections.abc import Iterator
from typing import Any, Final

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.numbers import figure
from mqcap.domain.subject import Subject
from mqcap.judging.evaluate import DayFacts
from mqcap.whatif.effects import (
    USED,
    DerivedFigure,
    Outcomes,
    SeriesEffect,
    SlopeChange,
    calculate,
    effect,
    effects_on,
    engines_of,
    last_day,
    number,
    peak_of,
)
from mqcap.whatif.parts import ConfigurationChange, HardwareChange
from sizing.rulebook.registry import get

_LOG: Final = "log_growth_mib_per_s"
_BUSY: Final = "cf_busy_pct"
_ENGINES: Final = "cf_engine_count"
_ELEMENTS: Final = "structure_elements_used_pct"
_TIERS_PCT: Final = (0, 70, 80, 90)
_OFFLOADED_ELEMENTS: Final = 2


def hardware_of(facts: DayFacts, change: HardwareChange) -> Outcomes:
    """Yield the effects of other hardware on the series and figures of its subject."""
    if change.engines is not None:
        yield from _engines(facts, change.subject, number(change.engines))
    yield from _speed(facts, change)
    yield from _cfcc(facts, change)
    yield from _dasd(facts, change)


def estate_values(change: HardwareChange) -> dict[str, Any]:
    """Return the keys of the estate that the hardware determines: engines, maximum log rate."""
    values: dict[str, Any] = {}
    if change.engines is not None:
        values["engines"] = change.engines
    if change.dasd_class is not None:
        size = number(change.message_bytes or 0)
        ceiling = calculate("LOG-DASD-CEILING", dasd_type=change.dasd_class, message_bytes=size)
        values["log_ceiling_mib_per_s"] = ceiling.figures["max_mb_per_s"]
    return values


def settings_of(facts: DayFacts, change: ConfigurationChange) -> Outcomes:
    """Yield the effects of engines, log copies and offload."""
    if change.engines is not None:
        yield from _engines(facts, change.subject, number(change.engines))
    yield from _offload(facts, change)
    yield from _copies(facts, change)


def _engines(facts: DayFacts, subject: str, engines: float) -> Iterator[SeriesEffect]:
    """Yield busy and number of engines (first estimate, ours: load spreads evenly)."""
    before = engines_of(facts, subject)
    last_day(facts, _BUSY, subject)
    line = (
        f"busy x {figure(before)} / {figure(engines)} engines = busy x {figure(before / engines)} "
        f"(first estimate, ours; limits: {get('CF-BUSY-N').citation})"
    )
    yield effect(_BUSY, subject, line, factor=before / engines)
    line = f"{figure(engines)} engines"
    yield from effects_on(facts, (_ENGINES,), subject, line, factor=engines / before)


def _speed(facts: DayFacts, change: HardwareChange) -> Iterator[SeriesEffect]:
    if change.lspr_ratio is None or not change.subject.in_sysplex:
        return
    ratio = number(change.lspr_ratio)
    last_day(facts, _BUSY, change.subject)
    line = (
        f"busy x {figure(ratio)}, the ratio of one engine's power before and after "
        f"[CPU-LSPR, {get('CPU-LSPR').citation}; that it holds for CF engines is ours]"
    )
    yield effect(_BUSY, change.subject, line, factor=ratio)


def _cfcc(facts: DayFacts, change: HardwareChange) -> Iterator[SeriesEffect]:
    """Scale structure usage for a CFCC level that needs more of each structure itself."""
    if change.cfcc_level is None or change.cfcc_level_from is None:
        return
    taken = calculate("CFS-CFCC-ADJ", from_level=change.cfcc_level_from, to_level=change.cfcc_level)
    mib = float(taken.figures["mb"])
    for metric, structure in sorted(facts.observed.series):
        if metric not in USED or Subject(structure).whole != change.subject:
            continue
        size = last_day(facts, "structure_size_mib", structure).peak
        if size <= mib:
            raise ConfigurationError(
                f"{structure} is too small for CFCC level {change.cfcc_level}",
                found=f"{figure(size)} MiB",
                expected=f"more than {figure(mib)} MiB",
            )
        factor = size / (size - mib)
        line = (
            f"used x {figure(size)} / ({figure(size)} - {figure(mib)}) MiB = used x "
            f"{figure(factor)} with the same SIZE (first estimate, ours)"
        )
        yield effect(metric, structure, taken.line, line, factor=factor)


def _dasd(facts: DayFacts, change: HardwareChange) -> Iterator[DerivedFigure]:
    if change.dasd_class is None:
        return
    size = number(change.message_bytes or 0)
    rate = peak_of(facts, _LOG, change.subject)
    classes = (change.dasd_class_from, change.dasd_class)
    *before, (after, lines) = (_share(of_class, size, rate) for of_class in classes if of_class)
    share, earlier = before[0] if before else (None, ())
    name = "log rate as a share of the maximum rate of the DASD (limit 50 %)"
    yield DerivedFigure(change.subject, name, "%", share, after, (*earlier, *lines))


def _share(dasd_class: str, message_bytes: float, rate: float) -> tuple[float, tuple[str, ...]]:
    ceiling = calculate("LOG-DASD-CEILING", dasd_type=dasd_class, message_bytes=message_bytes)
    most = float(ceiling.figures["max_mb_per_s"])
    half = calculate("LOG-DASD-50PCT", max_mb_per_s=most, observed_mb_per_s=rate)
    return float(half.figures["used_pct"]), (ceiling.line, half.line)


def _copies(facts: DayFacts, change: ConfigurationChange) -> Iterator[DerivedFigure]:
    """Yield the rate written to all copies: dual logging doubles I/O, not the log rate."""
    if change.dual_logging is None:
        return
    rate = peak_of(facts, _LOG, change.subject)
    manager = facts.estate.queue_manager(*change.subject.names)
    now = manager.dual_logging if manager else None
    written = [
        calculate(
            "LOG-IO-AMPLIFY",
            put_mb_per_s=rate,
            active_copies=2 if is_dual else 1,
            archive_copies=0,
            mirrored=False,
        )
        for is_dual in (now, change.dual_logging)
        if is_dual is not None
    ]
    *before, after = (float(part.figures["io_mb_per_s"]) for part in written)
    yield DerivedFigure(
        change.subject,
        "log written to active logs, all copies",
        "MiB/s",
        before[0] if before else None,
        after,
        tuple(part.line for part in written),
    )


def _offload(facts: DayFacts, change: ConfigurationChange) -> Iterator[SeriesEffect]:
    """Above the offload tier of its size a message keeps one entry and two elements."""
    if change.offload is None:
        return
    size = round(number(change.message_bytes or 0))
    each = calculate("CFS-ELEMENTS", message_bytes=size)
    elements = float(each.figures["elements"])
    tier = get("CFS-OFFLOAD-TIER")
    offloaded = (
        pct
        for pct in _TIERS_PCT
        if tier.answer({"used_pct": pct, "message_bytes_incl_headers": size})["offloaded"]
    )
    first = next(offloaded, None)
    last_day(facts, _ELEMENTS, change.subject)
    if first is None or elements <= _OFFLOADED_ELEMENTS:
        return
    rule = calculate("CFS-OFFLOAD-TIER", used_pct=first, message_bytes_incl_headers=size)
    slope = _OFFLOADED_ELEMENTS / elements
    line = (
        f"above {first} % in use elements grow only by {_OFFLOADED_ELEMENTS} / {figure(elements)} "
        f"= {figure(slope)} of the rate before [{get('CFS-OFFLOAD-CAPACITY').citation}]"
    )
    bend = SlopeChange(first, slope)
    yield effect(_ELEMENTS, change.subject, each.line, rule.line, line, slope=bend)


def cost_on(ratio: float, computed: DerivedFigure) -> DerivedFigure:
    """Return a CPU figure converted to the other machine."""
    after = computed.after * ratio
    line = (
        f"{figure(computed.after)} ms/s x {figure(ratio)} = {figure(after)} ms/s on the other "
        f"machine [CPU-LSPR, {get('CPU-LSPR').citation}]"
    )
    return computed._replace(before=computed.after, after=after, lines=(*computed.lines, line))
