"""Why a figure grew, in words: a table for the terminal, one line for a mail."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

from mqcap.domain.attribution import (
    OTHERS,
    Attribution,
    GrowthPart,
    PartKind,
    Window,
)
from mqcap.domain.numbers import ABSENT, counted, percent
from mqcap.presentation.dates import near_day, short_day
from mqcap.presentation.labels import metric_label
from mqcap.presentation.listing import rows_in_lines
from mqcap.presentation.quantities import growth as grown
from mqcap.presentation.quantities import quantity

LISTED_MAX: Final = 10
"""Parts with a line of their own in a text; the others are added up (ours)."""
MOST_UNEXPLAINED_RATIO: Final = 0.5
"""Unexplained share of a figure above which its parts are not listed (ours)."""
NAME_WIDTH: Final = 28
WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
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
    "mq_put_per_s": {
        PartKind.queue: "puts (queue accounting, ACCTQ)",
        PartKind.application: "puts of the connections (MQI accounting, ACCTMQI)",
    },
    "mq_put_mib_per_s": {
        PartKind.queue: "bytes put (queue accounting, ACCTQ)",
        PartKind.application: "bytes put by the connections (MQI accounting, ACCTMQI)",
    },
    "mq_queue_put_per_s": {
        PartKind.application: "puts of the connections (queue accounting, ACCTQ)"
    },
    "mq_queue_put_mib_per_s": {
        PartKind.application: "bytes put by the connections (queue accounting, ACCTQ)"
    },
}
"""By metric and breakdown: what the parts are made of; other breakdowns as by application."""


class Asked(NamedTuple):
    """What a reader asked for."""

    metric: str
    since: date | None = None
    """First day of the span; ``None``: the default."""


def attribution_lines(
    answer: Attribution,
    metric: str,
    subject: str,
    unit: str,
    asked: Asked | None = None,
    each: str = "",
) -> list[str]:
    """Return the heading and the table of at most 80 columns, in the units of the reader.

    Args:
        answer: The parts at both ends.
        metric: Name of the metric.
        subject: Whose it is.
        unit: Its unit.
        asked: What was asked for; where the answer is about something else it is stated.
        each: What one channel takes, where the parts are channels.
    """
    now, growth = quantity(answer.now, unit), grown(answer.growth, unit)
    change = growth.text if growth.unit == now.unit else str(growth)
    first = (
        f"{metric_label(metric)} of {subject}: {now}, {change}{_by(answer)} since "
        f"{short_day(answer.then_days.first)}."
    )
    how = how_text(metric, answer.breakdown, each)
    ends = f"{window_text(answer.then_days)} and of {window_text(answer.now_days)}"
    others = [str(kind) for kind in answer.breakdowns if kind is not answer.breakdown]
    return [
        first,
        *_of_what_was_asked(answer, metric, asked),
        f"Means of {ends}, by {answer.breakdown}.",
        *filter(None, [weekdays_text(answer), f"Parts: {how}." if how else ""]),
        *_table(answer, unit),
        *(["", f"Also by {', '.join(others)}: --by {others[0]}."] if others else []),
    ]


def _table(answer: Attribution, unit: str) -> list[str]:
    without = unexplained_text(answer, unit)
    if without:
        return [without]
    rows = part_rows(answer, unit)
    cells = [[_shortened(text) for text in row.values()] for row in rows]
    return [*filter(None, [no_shares_text(answer)]), "", *rows_in_lines([list(rows[0]), *cells])]


def part_rows(answer: Attribution, unit: str) -> list[dict[str, str]]:
    """Return the listed parts by heading; without ``share`` where nothing has one."""
    rows = []
    for part in listed(answer):
        values = (quantity(part.then, unit), quantity(part.now, unit), grown(part.growth, unit))
        is_rest = part.kind is PartKind.unexplained
        row = {
            "part": "" if is_rest else part_label(part.part, part.kind),
            "kind": str(part.kind),
            **dict(zip(("then", "now", "change"), (each.text for each in values), strict=True)),
        }
        rows.append(row | ({"share": share_text(part)} if answer.has_shares else {}))
    return rows


def _of_what_was_asked(answer: Attribution, metric: str, asked: Asked | None) -> list[str]:
    if asked is None:
        return []
    lines = []
    if asked.metric != metric:
        lines.append(f"{metric_label(asked.metric)}, which was asked for, is a percentage of it.")
    if asked.since is not None and answer.then_days.first > asked.since:
        first = short_day(answer.then_days.first)
        lines.append(f"Parts are known from {first} on, not from {short_day(asked.since)}.")
    return lines


def weekdays_text(answer: Attribution) -> str:
    """Return which days of the week are compared; empty where it is all of them."""
    if len(answer.weekdays) == len(WEEKDAYS):
        return ""
    return (
        f"Compared are the days that both have: {', '.join(WEEKDAYS[d] for d in answer.weekdays)}."
    )


def no_shares_text(answer: Attribution) -> str:
    """Return why no part has a share in the growth; empty where parts have one."""
    if answer.has_shares:
        return ""
    return "It hardly changed, so parts have a change and no share in it."


def unexplained_text(answer: Attribution, unit: str) -> str:
    """Return why parts are not listed: most of the figure has none; empty where they are."""
    if answer.unexplained_ratio <= MOST_UNEXPLAINED_RATIO:
        return ""
    explained = quantity(answer.now - answer.unexplained, unit)
    return (
        f"No parts are listed: they add up to {explained} of {quantity(answer.now, unit)}, and the "
        "records do not show what the difference is."
    )


def _by(answer: Attribution) -> str:
    """Return the growth as a whole percentage in brackets; empty where it was nothing before."""
    ratio = answer.growth_ratio
    return "" if ratio is None else f" ({percent(round(100 * ratio) / 100, signed=True)})"


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


def _shortened(name: str) -> str:
    """Return a name cut in the middle where it is too long for its column."""
    if len(name) <= NAME_WIDTH:
        return name
    half = (NAME_WIDTH - 3) // 2
    return f"{name[: NAME_WIDTH - 3 - half]}...{name[-half:]}"
