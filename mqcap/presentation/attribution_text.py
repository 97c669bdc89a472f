"""Why a figure grew, in words: a table for the terminal, one line for a mail."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from mqcap.domain.attribution import (
    OTHERS,
    Attribution,
    GrowthPart,
    PartKind,
    Window,
)
from mqcap.domain.numbers import ABSENT, counted, figure, percent, quantity
from mqcap.presentation.dates import near_day, short_day
from mqcap.presentation.labels import metric_label

LISTED_MAX: Final = 10
"""Parts with a line of their own in a text; the others are added up (ours)."""
LEAST_GROWTH_RATIO: Final = 0.01
"""Growth of a figure below which a mail does not explain it (ours)."""
LEAST_SHARE_PCT: Final = 10
"""Share of the growth below which a part is no explanation of it (ours)."""
NAME_WIDTH: Final = 35
_WIDTHS: Final = (NAME_WIDTH, 12, 10, 10, 9)
"""Columns of the table; with a blank between them a line has 80."""
HEADINGS: Final = ("part", "kind", "then", "now", "share")
HOW: Final = {
    "log_growth_mib_per_s": {
        PartKind.queue: "persistent messages put (115.216) and the log bytes of MP16 for them",
        PartKind.application: "log bytes of the tasks (116 class 3)",
    },
    "messages_put_per_s": {
        PartKind.queue: "puts (115.216)",
        PartKind.application: "puts of the tasks (116 class 3)",
    },
    "call_cpu_pct": {PartKind.application: "CPU of the calls of the tasks (116 class 3)"},
    "cf_busy_pct": {PartKind.structure: "divided by requests and their service time (74.4)"},
    "structure_entries_used_pct": {PartKind.queue: "depth of shared queues (115.216)"},
    "structure_elements_used_pct": {
        PartKind.queue: "depth of shared queues, by the mean length put (115.216)"
    },
    "buffer_pool_used_pct": {PartKind.queue: "divided by bytes put and got (115.216)"},
    "channels_current_count": {PartKind.channel: "instances (116.10)"},
    "chinit_31bit_used_mib": {PartKind.channel: "instances of channels (116.10)"},
    "chinit_64bit_used_mib": {PartKind.channel: "buffers of client channels, MP16 (116.10)"},
}
"""By metric and breakdown: what the parts are made of; other breakdowns as by application."""


def attribution_lines(
    answer: Attribution,
    metric: str,
    subject: str,
    unit: str,
    asked: date | None = None,
    each: str = "",
) -> list[str]:
    """Return the heading and the table of at most 80 columns.

    Args:
        answer: The parts at both ends.
        metric: Name of the metric.
        subject: Whose it is.
        unit: Its unit.
        asked: First day of the span that was asked for; a later first day with parts is stated.
        each: What one channel takes, where the parts are channels.
    """
    growth = figure(answer.growth, signed=True)
    first = (
        f"{metric_label(metric)} of {subject}: {quantity(answer.now, unit)}, {growth} since "
        f"{short_day(answer.then_days.first)}."
    )
    how = how_text(metric, answer.breakdown, each)
    ends = f"{window_text(answer.then_days)} and of {window_text(answer.now_days)}"
    others = [str(kind) for kind in answer.breakdowns if kind is not answer.breakdown]
    return [
        first,
        f"Means of {ends}, by {answer.breakdown}.",
        *_begun_later(answer, asked),
        *([f"Parts: {how}."] if how else []),
        "",
        _row(HEADINGS),
        *map(_part_row, listed(answer)),
        *(["", f"Also by {', '.join(others)}: --by {others[0]}."] if others else []),
    ]


def _begun_later(answer: Attribution, asked: date | None) -> list[str]:
    if asked is None or answer.then_days.first <= asked:
        return []
    first = short_day(answer.then_days.first)
    return [f"Parts are known from {first} on, not from {short_day(asked)}."]


def growth_line(answer: Attribution, unit: str) -> str:
    """Return the growth and the part with most of it: ``of +0.21 MiB/s since 1 Oct, PAY.IN 90 %``.

    Empty where the metric did not grow by ``LEAST_GROWTH_RATIO``, and where no named part has
    ``LEAST_SHARE_PCT`` of it.
    """
    named = [part for part in answer.parts if part.kind in answer.breakdowns]
    first = next(iter(named), None)
    share = first.share_of_growth_pct if first else None
    grew = answer.growth > LEAST_GROWTH_RATIO * abs(answer.then)
    if first is None or share is None or share < LEAST_SHARE_PCT or not grew:
        return ""
    since = near_day(answer.then_days.first, answer.now_days.last)
    growth = quantity(answer.growth, "points" if unit == "%" else unit, signed=True)
    return f"of {growth} since {since}, {first.part} {share_text(first)}"


def listed(answer: Attribution) -> list[GrowthPart]:
    """Return the parts that a text lists; the named ones beyond ``LISTED_MAX`` as one."""
    named = [part for part in answer.parts if part.kind in answer.breakdowns]
    rest = [part for part in answer.parts if part.kind not in answer.breakdowns]
    named.sort(key=lambda part: -abs(part.growth))
    kept, small = named[:LISTED_MAX], named[LISTED_MAX:]
    kept.sort(key=answer.parts.index)
    if small:
        rest.insert(0, _added(small))
    return [*kept, *rest]


def how_text(metric: str, breakdown: PartKind, each: str = "") -> str:
    """Return what the parts of a breakdown are made of; empty where nothing is known of it.

    ``each``: what one channel takes, instead of what is known without it.
    """
    if each:
        return f"instances of channels (116.10), {each}"
    by_kind = HOW.get(metric, {})
    return by_kind.get(breakdown) or by_kind.get(PartKind.application, "")


def sources_text(metric: str) -> str:
    """Return what the parts of a metric come from; empty for a metric that has none."""
    return " or ".join(HOW.get(metric, {}).values())


def window_text(days: Window) -> str:
    """Return ``1 Oct to 7 Oct 2026``; a single day as it is."""
    first, last = days
    return short_day(last) if first == last else f"{near_day(first, last)} to {short_day(last)}"


def share_text(part: GrowthPart) -> str:
    """Return the share of the growth as a whole percentage."""
    share = part.share_of_growth_pct
    return ABSENT if share is None else percent(round(share) / 100)


def _added(parts: Sequence[GrowthPart]) -> GrowthPart:
    shares = [part.share_of_growth_pct for part in parts]
    return GrowthPart(
        counted(len(parts), "smaller part"),
        PartKind.other,
        sum(part.now for part in parts),
        sum(part.then for part in parts),
        None if None in shares else sum(share for share in shares if share is not None),
    )


def part_label(part: str, kind: PartKind) -> str:
    """Return a part as it is named in tables and charts."""
    return "all others" if (kind, part) == (PartKind.other, OTHERS) else part


def _part_row(part: GrowthPart) -> str:
    is_rest = part.kind is PartKind.unexplained
    name = "" if is_rest else part_label(part.part, part.kind)
    return _row((name, str(part.kind), figure(part.then), figure(part.now), share_text(part)))


def _row(cells: Sequence[str]) -> str:
    shown = [_shortened(cells[0]), *cells[1:]]
    aligned = [
        cell.ljust(width) if place < 2 else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(shown, _WIDTHS, strict=True))
    ]
    return " ".join(aligned).rstrip()


def _shortened(name: str) -> str:
    """Return a name cut in the middle where it is too long for its column."""
    if len(name) <= NAME_WIDTH:
        return name
    half = (NAME_WIDTH - 3) // 2
    return f"{name[: NAME_WIDTH - 3 - half]}...{name[-half:]}"
