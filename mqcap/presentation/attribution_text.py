"""Why a figure grew, in words: the same on the page and in the terminal."""

from datetime import date
from typing import Final, NamedTuple

from mqcap.domain.attribution import OTHERS, Attribution, GrowthPart, PartKind, Window
from mqcap.domain.estate.calendar import WEEK
from mqcap.domain.numbers import ABSENT, counted, percent
from mqcap.presentation.dates import near_day, short_day
from mqcap.presentation.labels import metric_label
from mqcap.presentation.listing import rows_in_lines
from mqcap.presentation.quantities import Quantity, quantity
from mqcap.presentation.quantities import growth as grown

LISTED_MAX: Final = 10
"""Parts with a line of their own in a text; the others are added up (ours)."""
MOST_UNEXPLAINED_RATIO: Final = 0.5
"""Unexplained share of a figure above which its parts are not listed (ours)."""
NAME_WIDTH: Final = 28
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


class GrowthText(NamedTuple):
    """The growth of a figure with its parts, as printed."""

    growth: Quantity
    then_days: str
    now_days: str
    notes: list[str]
    """Which days are compared, why there are no shares or no parts."""
    rows: list[dict[str, str]]
    """By heading; empty where most of the figure has no part, without ``share`` where nothing has
    one."""


def growth_text(answer: Attribution, unit: str) -> GrowthText:
    """Return the growth and its parts in the units of the reader."""
    notes, is_listed = [], answer.unexplained_ratio <= MOST_UNEXPLAINED_RATIO
    if len(answer.weekdays) < len(WEEK):
        days = ", ".join(WEEK[day] for day in answer.weekdays)
        notes.append(f"Compared are the days that both have: {days}.")
    if not is_listed:
        explained = quantity(answer.now - answer.unexplained, unit)
        notes.append(
            f"No parts are listed: they add up to {explained} of {quantity(answer.now, unit)}, and "
            "the records do not show what the difference is."
        )
    elif not answer.has_shares:
        notes.append("It hardly changed, so parts have a change and no share in it.")
    return GrowthText(
        growth=grown(answer.growth, unit),
        then_days=window_text(answer.then_days),
        now_days=window_text(answer.now_days),
        notes=notes,
        rows=[_row(answer, part, unit) for part in listed(answer)] if is_listed else [],
    )


def attribution_lines(
    answer: Attribution,
    metric: str,
    subject: str,
    unit: str,
    asked: Asked | None = None,
    each: str = "",
) -> list[str]:
    """Return the heading and the table of at most 80 columns, in the units of the reader.

    Where the answer is not about what was ``asked`` for, that is stated; ``each`` is what one
    channel takes, where the parts are channels.
    """
    text, now = growth_text(answer, unit), quantity(answer.now, unit)
    change = text.growth.text if text.growth.unit == now.unit else str(text.growth)
    ratio = answer.growth / abs(answer.then) if answer.then else None
    by = "" if ratio is None else f" ({percent(round(100 * ratio) / 100, signed=True)})"
    first_day = short_day(answer.then_days.first)
    lines = [f"{metric_label(metric)} of {subject}: {now}, {change}{by} since {first_day}."]
    if asked is not None and asked.metric != metric:
        lines.append(f"{metric_label(asked.metric)}, which was asked for, is a percentage of it.")
    if asked is not None and asked.since is not None and answer.then_days.first > asked.since:
        lines.append(f"Parts are known from {first_day} on, not from {short_day(asked.since)}.")
    lines.append(f"Means of {text.then_days} and of {text.now_days}, by {answer.breakdown}.")
    by_kind = HOW.get(metric, {})
    how = by_kind.get(answer.breakdown) or by_kind.get(PartKind.application, "")
    if each:
        how = f"instances of channels (116.10), {each}"
    if how:
        lines.append(f"Parts: {how}.")
    lines += text.notes
    if text.rows:
        cells = [[_shortened(cell) for cell in row.values()] for row in text.rows]
        lines += ["", *rows_in_lines([list(text.rows[0]), *cells])]
    others = [str(kind) for kind in answer.breakdowns if kind is not answer.breakdown]
    return [*lines, *(["", f"Also by {', '.join(others)}: --by {others[0]}."] if others else [])]


def _row(answer: Attribution, part: GrowthPart, unit: str) -> dict[str, str]:
    share = part.share_of_growth_pct
    shown = ABSENT if share is None else percent(round(share) / 100)
    return {
        "part": "" if part.kind is PartKind.unexplained else part_label(part.part, part.kind),
        "kind": str(part.kind),
        "then": quantity(part.then, unit).text,
        "now": quantity(part.now, unit).text,
        "change": grown(part.growth, unit).text,
        **({"share": shown} if answer.has_shares else {}),
    }


def listed(answer: Attribution) -> list[GrowthPart]:
    """Return the parts that a text lists; the named ones beyond ``LISTED_MAX`` as one."""
    named = [part for part in answer.parts if part.kind in answer.breakdowns]
    rest = [part for part in answer.parts if part.kind not in answer.breakdowns]
    named.sort(key=lambda part: -abs(part.growth))
    kept, small = named[:LISTED_MAX], named[LISTED_MAX:]
    kept.sort(key=answer.parts.index)
    if small:
        shares = [part.share_of_growth_pct for part in small]
        added = GrowthPart(
            counted(len(small), "smaller part"),
            PartKind.other,
            sum(part.now for part in small),
            sum(part.then for part in small),
            None if None in shares else sum(filter(None, shares)),
        )
        rest.insert(0, added)
    return [*kept, *rest]


def window_text(days: Window) -> str:
    """Return ``1 Oct to 7 Oct 2026``; a single day as it is."""
    first, last = days
    return short_day(last) if first == last else f"{near_day(first, last)} to {short_day(last)}"


def part_label(part: str, kind: PartKind) -> str:
    """Return a part as it is named in tables and charts."""
    return "all others" if (kind, part) == (PartKind.other, OTHERS) else part


def _shortened(name: str) -> str:
    """Return a name cut in the middle where it is too long for its column."""
    if len(name) <= NAME_WIDTH:
        return name
    half = (NAME_WIDTH - 3) // 2
    return f"{name[: NAME_WIDTH - 3 - half]}...{name[-half:]}"
