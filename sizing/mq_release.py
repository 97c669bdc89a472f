"""Changes of an MQ release in the storage of the channel initiator."""

from typing import Final

from mqcap.domain.finding import Change, Effect

BUFFERS_ABOVE_BAR: Final = (9, 4)
"""Release from which server-connection channels keep message buffers above the bar (MP16)."""
ABOVE_BAR_FIRST: Final = (9, 3, 1)
"""Continuous delivery release in which channels began to use storage above the bar (IBM MQ
documentation: Channel initiator storage configuration, "the usage has increased")."""


def has_buffers_below_the_bar(version: str | None) -> bool:
    """Return true for a known release, such as ``9.3.5``, before 9.4."""
    return version is not None and _parts(version) < BUFFERS_ABOVE_BAR


def newer_release(version: str | None) -> tuple[Change, ...]:
    """Return the move to 9.4 for an earlier release.

    How much it gives depends on the client channels and their messages.
    """
    if not has_buffers_below_the_bar(version):
        return ()
    return (
        Change(
            action=f"Move the queue manager from MQ {version} to 9.4 or later: server-connection "
            "channels then keep message buffers above the bar (with 64 KB messages and "
            "SHARECNV(1) 203 KB of 31-bit storage each instead of 277, CHI-SVRCONN-31).",
            side_effects="MEMLIMIT of 2G at least for the channel initiator; message channels stay "
            "below the bar.",
            effect=Effect.relief,
        ),
    )


def no_channels_above_bar(version: str | None) -> str:
    """Return why no storage above the bar is that of channels; empty where some is, or may be."""
    if not has_buffers_below_the_bar(version):
        return ""
    return f"MP16 has storage of channels above the bar from MQ 9.4 on, and this is {version}"


def use_above_bar(version: str | None) -> str:
    """Return what a release keeps in 64-bit storage."""
    if version is None:
        return (
            "Available is bounded by MEMLIMIT (at least 2G from 9.4); before 9.3.1 only accounting "
            "and statistics use this storage. The release here is not known."
        )
    if _parts(version) < ABOVE_BAR_FIRST:
        return (
            f"At {version} only accounting and statistics use this storage: SMF class 4 needs "
            "256 MB, channels none."
        )
    if has_buffers_below_the_bar(version):
        return (
            f"At {version} more of this storage is used than before 9.3.1; MP16 has buffers of "
            "channels in it from 9.4 on. MEMLIMIT bounds it, at least 2G."
        )
    return f"At {version} channels use this storage: MEMLIMIT bounds it, at least 2G."


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
