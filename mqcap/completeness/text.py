"""Summary and remedy of a feed's day, one sentence each."""

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Final
from zoneinfo import ZoneInfo

from mqcap.domain.feed import FeedDay, FeedKind, FeedState, Gap, GapCause
from mqcap.domain.metric import UNKNOWN_SYSPLEX
from mqcap.domain.subject import Subject

MAX_GAPS_NAMED: Final = 4
"""Gaps named in a sentence; the page lists all (our choice)."""
_TRACE: Final = {
    FeedKind.statistics: "START TRACE(STAT) CLASS(1) and SMF type 115 in SMFPRMxx",
    FeedKind.channel_initiator: "START TRACE(STAT) CLASS(4) and SMF type 115 in SMFPRMxx",
    FeedKind.coupling_facility: "RMF Monitor III with CFDETAIL and SMF type 74 in SMFPRMxx",
    FeedKind.member: "RMF Monitor III with CFDETAIL and SMF type 74 in SMFPRMxx",
}
_CAUSES: Final = {
    GapCause.stopped: "a short interval before it and a new start after it: it was stopped",
    GapCause.restarted: "it starts anew afterwards, but its last interval before that is lost",
    GapCause.system_silent: "no other records of {systems} have arrived for that time either",
    GapCause.unexplained: "no record shows the cause",
}


def described(
    day: FeedDay, zone: ZoneInfo, elsewhere: Sequence[str] = (), listed: Collection[str] = ()
) -> FeedDay:
    """Return the day with its summary and remedy; times are in the zone of its subject.

    ``elsewhere`` has subjects of the same name in other sysplexes, for a feed never received;
    ``listed`` the sysplexes of the settings.
    """
    remedy = _elsewhere(day, elsewhere, listed) if elsewhere else _remedy(day)
    return day.model_copy(update={"summary": _summary(day, zone), "remedy": remedy})


def length(seconds: float) -> str:
    """Return a duration as ``45 s``, ``20 min``, ``3 h`` or ``3 h 20 min``."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    hours, rest = divmod(minutes, 60)
    parts = [f"{hours} h"] if hours else []
    return " ".join([*parts, f"{rest} min"] if rest or not hours else parts)


def stretch(gap: Gap, day: FeedDay, zone: ZoneInfo) -> str:
    """Return a gap as ``09:00 to 12:00``; an end at midnight is ``24:00``."""
    start, end = (moment.astimezone(zone) for moment in (gap.start_utc, gap.end_utc))
    midnight = end.date() == day.site_date + timedelta(days=1)
    return f"{start:%H:%M} to {'24:00' if midnight else format(end, '%H:%M')}"


def _summary(day: FeedDay, zone: ZoneInfo) -> str:
    name = f"{day.subject} from {day.member}" if day.member else day.subject
    if day.state is FeedState.never_seen:
        return f"{name}: the estate names it, and no record of it has ever arrived."
    if day.state is FeedState.complete:
        return f"{name}: complete, {length(day.expected_seconds)} in {_counted(day)}."
    causes = _causes(day)
    if day.state is FeedState.absent:
        seen = day.last_seen_utc
        last = f"{seen.astimezone(zone):%Y-%m-%d %H:%M} ({zone.key})" if seen else "never"
        return f"{name}: no records have arrived; last records until {last}; {causes}."
    missing = sum(gap.seconds for gap in day.gaps)
    spans = [stretch(gap, day, zone) for gap in day.gaps]
    more = f" and {len(spans) - MAX_GAPS_NAMED} more" if len(spans) > MAX_GAPS_NAMED else ""
    where = f"{', '.join(spans[:MAX_GAPS_NAMED])}{more} ({zone.key})"
    verb = "without records" if day.state is FeedState.stopped else "missing"
    return f"{name}: {length(missing)} of {length(day.expected_seconds)} {verb}, {where}; {causes}."


def _causes(day: FeedDay) -> str:
    causes = [cause for cause in GapCause if any(gap.cause is cause for gap in day.gaps)]
    systems = ", ".join(day.systems) or "the system"
    words = [_CAUSES[cause].format(systems=systems) for cause in causes]
    if len(words) == 1 and len(day.gaps) > 1 and causes[0] is GapCause.stopped:
        return "each time a short interval and then a new start: it was stopped"
    return "; ".join(words)


def _counted(day: FeedDay) -> str:
    count = day.received_count
    noun = "interval" if count == 1 else "intervals"
    usual = f" of usually {length(day.interval_seconds)}" if day.interval_seconds else ""
    return f"{count} {noun}{usual}"


def _elsewhere(day: FeedDay, elsewhere: Sequence[str], listed: Collection[str]) -> str:
    arrived = f"Records of {', '.join(elsewhere)} have arrived"
    plex, others = Subject(day.subject).sysplex, [Subject(subject).sysplex for subject in elsewhere]
    if set(others) == {UNKNOWN_SYSPLEX}:
        return (
            f"{arrived}: if it is the same, add the SMF id of its system to smfids of {plex} in"
            " estate."
        )
    name = day.subject.in_sysplex
    if listed_others := [other for other in others if other in listed]:
        return (
            f"{arrived}: if it is the same, move the entry of {name} in estate from {plex} to"
            f" {' or '.join(listed_others)}."
        )
    other = " or ".join(others)
    return (
        f"{arrived}: the sysplex is {other} in the records, {plex} in the settings. If it is the"
        f" same, change sysplex: {plex} in estate to {other}."
    )


def _remedy(day: FeedDay) -> str:
    if not day.is_incomplete:
        return ""
    if day.state is FeedState.never_seen:
        return f"Check {_TRACE[day.kind]}; or remove it from the estate."
    causes = {gap.cause for gap in day.gaps}
    systems = ", ".join(day.systems) or "its system"
    if GapCause.system_silent in causes:
        return (
            f"Ask for the SMF dump of {systems} for that time, or whether the system was down;"
            " load it and run the day again."
        )
    return (
        f"Ask whether it was stopped, and check {_TRACE[day.kind]}; if a dump is missing, load it"
        " and run the day again."
    )
