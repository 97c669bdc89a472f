"""Facts about z/OS systems that decide how channels between them can run."""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Annotated, Literal

from pydantic import BaseModel, StringConstraints

SmfId = Annotated[str, StringConstraints(pattern=r"^[A-Z0-9@#$]{1,4}$")]
MachineName = Annotated[str, StringConstraints(pattern=r"^[A-Z0-9@#$_-]{1,16}$")]
SharedMemory = Literal["SMC-R", "SMC-D"]


class SystemFacts(BaseModel, frozen=True, extra="forbid"):
    """A system of a sysplex; ``None``: not known, and no transport rests on it."""

    smfid: SmfId
    cpc: MachineName | None = None
    """The machine (central processor complex) that it runs on."""
    roce: bool | None = None
    """Whether it has RoCE adapters, which SMC-R needs, in a network with the other systems."""
    smc: tuple[SharedMemory, ...] | None = None
    """Shared memory communications that are active in its TCP/IP; empty: none is."""

    @property
    def has_roce(self) -> bool | None:
        """Whether SMC-R is possible: as configured, or since it is active; ``None``: not known."""
        return True if self.smc and "SMC-R" in self.smc else self.roce


def check_systems(systems: Iterable[SystemFacts], smfids: Collection[str]) -> None:
    """Refuse an entry of a system that has one already, or that is no member.

    Any system may be a member where the sysplex lists none.

    Raises:
        ValueError: with the SMF ids.
    """
    counts = Counter(system.smfid for system in systems)
    twice = sorted(smfid for smfid, count in counts.items() if count > 1)
    if twice:
        raise ValueError(f"systems with more than one entry: {', '.join(twice)}")
    others = sorted(counts.keys() - set(smfids))
    if smfids and others:
        raise ValueError(f"systems: {', '.join(others)} in none of smfids: {', '.join(smfids)}")
