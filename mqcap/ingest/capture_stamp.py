"""Stamps of captures: ``QMGR(QM1)``, ``HOST(mq1)`` and ``NOW(2026-07-09T00:15:00+0200)``."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

_NOW: Final = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:Z|([+-])(\d\d):?(\d\d))")
_LOCAL: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")


def keyword(name: str, text: str) -> str | None:
    """Return the stripped value of the first ``NAME(value)``, up to ``)``; ``None`` without."""
    found = re.search(rf"\b{name}\(([^)]*)\)", text)
    return found[1].strip() if found else None


def local_stamp(text: str) -> datetime | None:
    """Return the local time of a ``NOW`` value without offset; ``None`` for any other text."""
    return datetime.fromisoformat(text) if _LOCAL.fullmatch(text) else None


def stamp_utc(text: str) -> datetime:
    """Return the instant of ``NOW``; ValueError: no time, no offset, or one that no zone has."""
    found = _NOW.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no time with its offset, such as 2026-07-09T00:15:00+0200")
    local = datetime.fromisoformat(found[1])
    offset = timedelta(hours=int(found[3] or 0), minutes=int(found[4] or 0))
    if offset > timedelta(hours=14):
        raise ValueError(f"{text!r} has an offset that no time zone has")
    try:
        return (local - (-offset if found[2] == "-" else offset)).replace(tzinfo=UTC)
    except OverflowError as error:
        raise ValueError(f"{text!r} is no time that a clock has") from error


def site_stamp_utc(text: str, zone: str | None, earlier: datetime | None, whose: str) -> datetime:
    """Return the instant of ``NOW``, without offset by the zone; ValueError: no time, no zone."""
    local = local_stamp(text)
    if local is None:
        return stamp_utc(text)
    if zone is None:
        raise ValueError(f"NOW({text}) has no offset, and no site of the settings lists {whose}")
    return local_utc(local, zone, earlier)


def local_utc(local: datetime, zone: str, not_before: datetime | None = None) -> datetime:
    """Return the instant, of two the second if the first is too early; ValueError: of no clock."""
    placed = local.replace(tzinfo=ZoneInfo(zone))
    try:
        instant = placed.astimezone(UTC)
        is_second = not_before is not None and instant < not_before
        return placed.replace(fold=1).astimezone(UTC) if is_second else instant
    except OverflowError as error:
        raise ValueError(f"{local.isoformat()!r} is no time that a clock has") from error
