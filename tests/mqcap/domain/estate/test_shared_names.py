"""Names of several sysplexes or sites."""

from __future__ import annotations

from mqcap.domain.estate import Estate, QueueManager, Sysplex
from mqcap.settings.ingest import SharedName, shared_names

CSQ1 = (QueueManager(name="CSQ1"),)


def test_names_of_one_sysplex_are_not_shared() -> None:
    plex = Sysplex(sysplex="PLEXA", smfids=("SYS1", "SYS1"), qmgrs=CSQ1)
    assert shared_names(Estate(sysplexes=(plex,))) == []


def test_only_the_sysplexes_that_are_alike_share_a_queue_manager() -> None:
    plexes = [
        Sysplex(sysplex=name, smfids=smfids, qmgrs=CSQ1)
        for name, smfids in (("PLEXA", ("SYS1",)), ("PLEXB", ("SYS1",)), ("PLEXC", ("SYS3",)))
    ]
    roots = ("PLEXA", "PLEXB")
    assert shared_names(Estate(sysplexes=tuple(plexes))) == [
        SharedName("system", "SYS1", roots),
        SharedName("queue manager", "CSQ1", roots),
    ]
