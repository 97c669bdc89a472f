"""Effects of other hardware, log copies and offload under the same load."""

from collections.abc import Iterator
from typing import Any, Final

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.numbers import figure
from mqcap.domain.subject import Subject
from mqcap.judging.evaluate import DayFacts
from mqcap.whatif.effects import (
    DerivedFigure,
    PartEffects,
    SeriesChange,
    SeriesEffect,
    SlopeChange,
    calculate,
    engines_of,
    last_day,
    number,
    peak_of,
)
from mqcap.whatif.parts import ConfigurationChange, HardwareChange
from sizing.rulebook.registry import get

_LOG: Final = "log_growth_mib_per_s"
_TIERS_PCT: Final = (70, 80, 90)
_OFFLOADED_ELEMENTS: Final = 2


def hardware_of(facts: DayFacts, change: HardwareChange) -> PartEffects:
    """Return the effects of other hardware on the series and figures of its subject.

    Raises:
        ConfigurationError: the subject is not measured, or MP16 has no such hardware.
    """
    effects = [*_engines(facts, change), *_speed(facts, change), *_cfcc(facts, change)]
    return PartEffects(tuple(effects), tuple(_dasd(facts, change)))


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


def settings_of(facts: DayFacts, change: ConfigurationChange) -> PartEffects:
    """Return the effects of log copies and offload; ``overlay`` applies the keys of the estate.

    Raises:
        ConfigurationError: the subject is not measured.
    """
    return PartEffects(tuple(_offload(facts, change)), tuple(_copies(facts, change)))


def _engines(facts: DayFacts, change: HardwareChange) -> Iterator[SeriesEffect]:
    if change.engines is not None:
        yield from engines_effects(facts, change.subject, number(change.engines))


def engines_effects(facts: DayFacts, subject: str, engines: float) -> Iterator[SeriesEffect]:
    """Yield the effects of more or fewer engines (first estimate, ours: load spreads evenly).

    Their measured number changes too: rules multiply the busy time of another facility by it.
    """
    before = engines_of(facts, subject)
    last_day(facts, "cf_busy_pct", subject)
    line = (
        f"busy x {figure(before)} / {figure(engines)} engines = busy x {figure(before / engines)} "
        f"(first estimate, ours; limits: {get('CF-BUSY-N').citation})"
    )
    yield SeriesEffect("cf_busy_pct", subject, SeriesChange(factor=before / engines), (line,))
    if facts.observed.days("cf_engine_count", subject):
        change = SeriesChange(factor=engines / before)
        yield SeriesEffect("cf_engine_count", subject, change, (f"{figure(engines)} engines",))


def _speed(facts: DayFacts, change: HardwareChange) -> Iterator[SeriesEffect]:
    """Scale CF busy by the CPU-LSPR ratio of the engines."""
    if change.lspr_ratio is None or not Subject(change.subject).in_sysplex:
        return
    ratio = number(change.lspr_ratio)
    last_day(facts, "cf_busy_pct", change.subject)
    line = (
        f"busy x {figure(ratio)}, the ratio of one engine's power before and after "
        f"[CPU-LSPR, {get('CPU-LSPR').citation}; that it holds for CF engines is ours]"
    )
    yield SeriesEffect("cf_busy_pct", change.subject, SeriesChange(factor=ratio), (line,))


def _cfcc(facts: DayFacts, change: HardwareChange) -> Iterator[SeriesEffect]:
    """Scale structure usage for a CFCC level that needs more of each structure itself."""
    if change.cfcc_level is None or change.cfcc_level_from is None:
        return
    taken = calculate("CFS-CFCC-ADJ", from_level=change.cfcc_level_from, to_level=change.cfcc_level)
    mib = float(taken.figures["mb"])
    usages = {
        (day.metric, day.subject)
        for day in facts.observed.every_day()
        if day.metric in {"structure_entries_used_pct", "structure_elements_used_pct"}
        and Subject(day.subject).whole == change.subject
    }
    for metric, structure in sorted(usages):
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
        yield SeriesEffect(metric, structure, SeriesChange(factor=factor), (taken.line, line))


def _dasd(facts: DayFacts, change: HardwareChange) -> Iterator[DerivedFigure]:
    """Yield the peak log rate as a share of the maximum rate of the DASD."""
    if change.dasd_class is None:
        return
    size = number(change.message_bytes or 0)
    rate = peak_of(facts, _LOG, change.subject)
    before = _share(change.dasd_class_from, size, rate) if change.dasd_class_from else None
    share, lines = _share(change.dasd_class, size, rate)
    yield DerivedFigure(
        change.subject,
        "log rate as a share of the maximum rate of the DASD (limit 50 %)",
        "%",
        before[0] if before else None,
        share,
        (*(before[1] if before else ()), *lines),
    )


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
    sysplex, name = Subject(change.subject).names
    manager = facts.estate.queue_manager(sysplex, name)
    now = manager.dual_logging if manager else None
    before = None if now is None else _written(rate, dual=now)
    after, line = _written(rate, dual=change.dual_logging)
    yield DerivedFigure(
        change.subject,
        "log written to active logs, all copies",
        "MiB/s",
        before[0] if before else None,
        after,
        ((before[1], line) if before else (line,)),
    )


def _written(rate: float, *, dual: bool) -> tuple[float, str]:
    written = calculate(
        "LOG-IO-AMPLIFY",
        put_mb_per_s=rate,
        active_copies=2 if dual else 1,
        archive_copies=0,
        mirrored=False,
    )
    return float(written.figures["io_mb_per_s"]), written.line


def _offload(facts: DayFacts, change: ConfigurationChange) -> Iterator[SeriesEffect]:
    """Reduce the growth of elements above the offload tier of the message size.

    There, a message keeps one entry and two elements in the structure.
    """
    if change.offload is None:
        return
    size = round(number(change.message_bytes or 0))
    each = calculate("CFS-ELEMENTS", message_bytes=size)
    elements = float(each.figures["elements"])
    tier = next((pct for pct in (0, *_TIERS_PCT) if _offloaded(pct, size)), None)
    last_day(facts, "structure_elements_used_pct", change.subject)
    if tier is None or elements <= _OFFLOADED_ELEMENTS:
        return
    rule = calculate("CFS-OFFLOAD-TIER", used_pct=tier, message_bytes_incl_headers=size)
    slope = _OFFLOADED_ELEMENTS / elements
    line = (
        f"above {tier} % in use elements grow only by {_OFFLOADED_ELEMENTS} / {figure(elements)} "
        f"= {figure(slope)} of the rate before [{get('CFS-OFFLOAD-CAPACITY').citation}]"
    )
    yield SeriesEffect(
        "structure_elements_used_pct",
        change.subject,
        SeriesChange(slope=SlopeChange(tier, slope)),
        (each.line, rule.line, line),
    )


def _offloaded(used_pct: int, size: int) -> bool:
    result = get("CFS-OFFLOAD-TIER").answer(
        {"used_pct": used_pct, "message_bytes_incl_headers": size}
    )
    return bool(result["offloaded"])


def cost_on(ratio: float, computed: DerivedFigure) -> DerivedFigure:
    """Return a CPU figure converted to the other machine."""
    after = computed.after * ratio
    line = (
        f"{figure(computed.after)} ms/s x {figure(ratio)} = {figure(after)} ms/s on the other "
        f"machine [CPU-LSPR, {get('CPU-LSPR').citation}]"
    )
    return computed._replace(before=computed.after, after=after, lines=(*computed.lines, line))
