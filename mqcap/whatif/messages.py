"""Effects of added messages on log, CF busy, page sets, structures and host CPU."""

from collections.abc import Iterator
from typing import Final

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.numbers import figure
from mqcap.domain.subject import Subject
from mqcap.domain.unit_cost import UnitCostKind
from mqcap.domain.units import KIB_BYTES, MIB_BYTES, SECONDS_PER_MINUTE
from mqcap.judging.evaluate import DayFacts
from mqcap.unit_costs.channel_cost import learnt_line
from mqcap.whatif.effects import (
    USED,
    CalculatorResult,
    DerivedFigure,
    Outcomes,
    SeriesEffect,
    calculate,
    copies_of,
    effect,
    engines_of,
    last_day,
    number,
    peak_of,
    total_of,
)
from mqcap.whatif.learnt_costs import learnt_log_bytes
from mqcap.whatif.parts import AddedWorkload
from sizing.rulebook.registry import get

_ROLE: Final = {"sent": "sender", "received": "receiver"}
_LARGE_BATCH: Final = 50
_RATE: Final = "log_growth_mib_per_s"
_LOGGER: Final = "log_task_busy_pct"


def messages_of(facts: DayFacts, workload: AddedWorkload) -> Outcomes:
    """Yield the effects of the messages of a workload; none without a rate."""
    if workload.messages_per_s is not None:
        yield from _log(facts, workload)
        yield from _facilities(facts, workload)
        yield from _waiting(facts, workload)
        yield from _host_cpu(workload)
        yield from _new_copy(facts, workload)


def _rate(workload: AddedWorkload) -> float:
    return number(workload.messages_per_s or 0)


def _bytes(workload: AddedWorkload) -> int:
    return round(number(workload.message_bytes or 0))


def _log(facts: DayFacts, workload: AddedWorkload) -> Iterator[SeriesEffect]:
    if not workload.persistent:
        return
    each, steps = _learnt_bytes(facts, workload) or _book_bytes(workload)
    rate = _rate(workload)
    added = rate * each / MIB_BYTES
    line = (
        f"log = {figure(rate)} messages/s x {figure(each)} bytes / {figure(MIB_BYTES)} = "
        f"{figure(added)} MiB/s [{get('LOG-RATE-TXN').citation}]"
    )
    yield effect(_RATE, workload.subject, *steps, line, addition=added)
    if added and facts.observed.days(_LOGGER, workload.subject):
        peak = peak_of(facts, _RATE, workload.subject)
        factor = (peak + added) / peak if peak else 1.0
        line = (
            f"busy x ({figure(peak)} + {figure(added)}) / {figure(peak)} MiB/s = busy x "
            f"{figure(factor)}, in step with the log (first estimate, ours)"
        )
        yield effect(_LOGGER, workload.subject, line, factor=factor)


def _learnt_bytes(facts: DayFacts, workload: AddedWorkload) -> tuple[float, tuple[str, ...]] | None:
    """Return log bytes of one of today's messages at another size; ``None`` where MP16 decides."""
    cost = learnt_log_bytes(facts, workload)
    if cost is None or cost.unit_size_bytes is None:
        return None
    size = _bytes(workload)
    each = max(cost.value + size - cost.unit_size_bytes, float(size))
    line = (
        f"{figure(cost.value)} bytes + {figure(size)} - {figure(cost.unit_size_bytes)} bytes of "
        f"message = {figure(each)} bytes (a byte logs a byte; first estimate, ours)"
    )
    return each, (learnt_line(cost), line)


def _book_bytes(workload: AddedWorkload) -> tuple[float, tuple[str, ...]]:
    place = "SHARED" if workload.structure else "LOCAL"
    steps = [
        calculate(f"LOG-BYTES-{call}-{place}", message_bytes=_bytes(workload), pattern=pattern)
        for call, pattern in (("PUT", workload.put), ("GET", workload.get))
        if pattern != "none"
    ]
    each = sum(float(step.figures["log_bytes_per_message"]) for step in steps)
    if workload.moved != "no":
        batch = calculate(
            "LOG-BYTES-CHANNEL-BATCH",
            batch_size=max(1, round(number(workload.batch_size))),
            role=_ROLE[workload.moved],
        )
        steps.append(batch)
        each += float(batch.figures["log_kb_per_message"]) * KIB_BYTES
    return each, tuple(step.line for step in steps)


def _facilities(facts: DayFacts, workload: AddedWorkload) -> Iterator[SeriesEffect]:
    if workload.structure is None:
        return
    cost = calculate("CF-CF-COST", message_bytes=_bytes(workload), cflevel=workload.cflevel)
    each = float(cost.figures["us_per_message"])
    factors: dict[str, float] = {workload.structure.whole: 1.0}
    lines_of_copies: tuple[str, ...] = ()
    if workload.duplexed_in:
        size = "1KB" if _bytes(workload) <= KIB_BYTES else "32KB"
        duplex = calculate("CF-DUPLEX-APP", message_size=size, persistent=bool(workload.persistent))
        factors = {
            workload.structure.whole: float(duplex.figures["primary_cf_factor"]),
            workload.duplexed_in: float(duplex.figures["secondary_cf_factor"]),
        }
        lines_of_copies = (duplex.line,)
    costs = facts.observed.unit_costs
    why: tuple[str, ...] = ()
    if costs and (learnt := costs.find(UnitCostKind.cf_us_per_request, workload.structure)):
        words = (
            f"MP16, not the learnt {learnt.interval_text} a request: how many requests a message"
        )
        why = (f"{words} takes is not measured",)
    for facility, factor in factors.items():
        used = calculate(
            "CF-UTIL",
            messages_per_s=_rate(workload),
            cf_us_per_message=each * factor,
            engines=round(engines_of(facts, facility)),
        )
        points = float(used.figures["busy_pct"])
        lines = (cost.line, *lines_of_copies, used.line, *why)
        yield effect("cf_busy_pct", facility, *lines, addition=points)


def _waiting(facts: DayFacts, workload: AddedWorkload) -> Iterator[SeriesEffect]:
    if workload.outage_minutes is None:
        return
    if workload.structure:
        yield from _in_structure(facts, workload, workload.structure)
    elif workload.page_set:
        yield from _in_page_set(facts, workload, workload.page_set)
    else:
        raise ConfigurationError(
            "outage_minutes is given without the place where messages accumulate",
            found=workload.subject,
            expected="page_set or structure",
        )


def _in_page_set(facts: DayFacts, workload: AddedWorkload, page_set: str) -> Iterator[SeriesEffect]:
    each = calculate("PS-PAGES-PER-MSG", message_bytes_with_headers_except_mqmd=_bytes(workload))
    held = calculate(
        "PS-DEPTH-FORECAST",
        arrivals_per_s=_rate(workload),
        outage_s=number(workload.outage_minutes or 0) * SECONDS_PER_MINUTE,
        pages_per_message=each.figures["pages"],
    )
    pages = float(held.figures["pages"])
    lines = (each.line, held.line)
    last_day(facts, "page_set_used_pages", page_set)
    yield effect("page_set_used_pages", page_set, *lines, addition=pages)
    total = total_of(facts, page_set, "page_set_used_pages", "page_set_used_pct")
    if total:
        points = 100 * pages / total
        share = f"share = {figure(pages)} / {figure(total)} pages = {figure(points)} points"
        yield effect("page_set_used_pct", page_set, *lines, share, addition=points)


def _in_structure(
    facts: DayFacts, workload: AddedWorkload, structure: str
) -> Iterator[SeriesEffect]:
    """Yield the space by MP16's algorithm as a share of each copy (first estimate, ours)."""
    minutes = number(workload.outage_minutes or 0)
    messages = round(_rate(workload) * minutes * SECONDS_PER_MINUTE)
    full, empty = (
        calculate(
            "CFS-SIZE-ALG",
            messages=count,
            message_bytes_with_headers_except_mqmd=_bytes(workload),
            cfcc_level=workload.cfcc_level,
        )
        for count in (messages, 0)
    )
    mib = (float(full.figures["bytes"]) - float(empty.figures["bytes"])) / MIB_BYTES
    for copy in copies_of(facts.observed, structure, workload.duplexed_in):
        size = last_day(facts, "structure_size_mib", copy).peak
        points = 100 * mib / size
        share = (
            f"share = {figure(mib)} MiB / {figure(size)} MiB = {figure(points)} points of entries "
            "and elements (first estimate, ours)"
        )
        for metric in USED:
            if copy == structure or facts.observed.days(metric, copy):
                yield effect(metric, copy, full.line, share, addition=points)


def _new_copy(facts: DayFacts, workload: AddedWorkload) -> Iterator[DerivedFigure]:
    """Yield the CF storage of a copy that no record shows yet; it is as large as the first one."""
    structure, facility = workload.structure, workload.duplexed_in
    if structure is None or facility is None:
        return
    name = structure.name
    days = facts.observed.days("structure_size_mib", structure)
    if not days or Subject.of(facility, name) in copies_of(facts.observed, structure, facility):
        return
    size = days[-1].peak
    line = f"{figure(size)} MiB, the size of {structure}: the copy is as large"
    yield DerivedFigure(facility, f"CF storage of the copy of {name}", "MiB", None, size, (line,))


def _host_cpu(workload: AddedWorkload) -> Iterator[DerivedFigure]:
    size = _bytes(workload)
    if workload.structure:
        cost = calculate("CF-HOST-COST", message_bytes=size, cflevel=workload.cflevel)
        yield _cpu(workload, "host CPU of shared puts and gets", "us_per_message", cost)
    if workload.moved != "no":
        if workload.persistent:
            entry = "CH-COST-PM1"
        else:
            is_large = number(workload.batch_size) >= _LARGE_BATCH
            entry = "CH-COST-NPM50" if is_large else "CH-COST-NPM1"
        cost = calculate(entry, message_bytes=size)
        name = f"channel CPU of messages {workload.moved}"
        yield _cpu(workload, name, f"{_ROLE[workload.moved]}_us", cost)


def _cpu(workload: AddedWorkload, name: str, key: str, cost: CalculatorResult) -> DerivedFigure:
    rate, each = _rate(workload), float(cost.figures[key])
    after = rate * each / 1_000
    line = (
        f"{figure(rate)} messages/s x {figure(each)} us / 1000 = {figure(after)} ms of CPU per "
        "second on the machine of MP16 (z16)"
    )
    return DerivedFigure(workload.subject, name, "ms/s", None, after, (cost.line, line))
