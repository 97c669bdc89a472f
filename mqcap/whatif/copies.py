"""Copies of duplexed structures: what fills one fills the other, in its own coupling facility."""

from typing import Final

from mqcap.domain.metric import SubjectKind
from mqcap.domain.subject import Subject
from mqcap.judging.observed import Observed

USED: Final = ("structure_entries_used_pct", "structure_elements_used_pct")
_ROLE: Final = "structure_duplex_role"


def copies_of(observed: Observed, structure: str, also_in: str | None = None) -> tuple[str, ...]:
    """Return a structure and its measured other copies, such as ``PLEX1/CF02/QSG1APPL1``.

    Args:
        observed: The measured days.
        structure: One of the copies, such as ``PLEX1/CF01/QSG1APPL1``.
        also_in: A facility that a scenario names as that of the other copy; copies that records
            call duplexed are found without it.
    """
    others = (
        subject
        for subject in sorted(observed.subjects(SubjectKind.structure))
        if subject != structure and _same_structure(subject, structure)
    )
    return (
        structure,
        *(
            subject
            for subject in others
            if Subject(subject).whole == also_in or _is_duplexed(observed, subject)
        ),
    )


def _same_structure(subject: str, structure: str) -> bool:
    plex, _, name = Subject(subject).names
    own_plex, _, own_name = Subject(structure).names
    return (plex, name) == (own_plex, own_name)


def _is_duplexed(observed: Observed, structure: str) -> bool:
    days = observed.days(_ROLE, structure)
    return bool(days) and days[-1].peak > 0
