"""What is lost in turn, and why nothing is, in words that fit what the estate has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mqcap.domain.estate import Estate
from mqcap.domain.metric import SubjectKind
from mqcap.losses.model import Loss
from mqcap.presentation.estate_words import estate_words


class LossWords(NamedTuple):
    """Sentences above the losses of an estate, and in place of them."""

    lead: str
    nothing: str
    """Why a day has no loss."""


def loss_words(estate: Estate, losses: Iterable[Loss] = ()) -> LossWords:
    """Return the sentences for an estate and the losses of a day.

    Both kinds of parts are named where nothing says which of them the sysplexes have.
    """
    if not estate_words(estate).has_sysplexes:
        shared = "Queue managers of a site share no queues"
        return LossWords(
            f"{shared}, so none is lost in turn.",
            f"{shared}, so none of them takes the work of another that is lost.",
        )
    kinds = {loss.kind for loss in losses}
    plexes = estate.sysplexes
    has_facility = SubjectKind.coupling_facility in kinds or any(plex.cfs for plex in plexes)
    has_group = SubjectKind.queue_manager in kinds or any(
        manager.qsg for plex in plexes for manager in plex.qmgrs
    )
    is_open = not has_facility and not has_group
    parts, missing = [], []
    if has_facility or is_open:
        parts.append("each coupling facility")
        missing.append("no coupling facility with a structure of MQ")
    if has_group or is_open:
        parts.append("each member of a queue sharing group")
        missing.append("no queue sharing group with two members")
    return LossWords(
        f"{_sentence(parts)} is lost in turn: what its survivors carry, today and ahead.",
        f"{_sentence(missing)} is known on this day.",
    )


def _sentence(parts: Iterable[str]) -> str:
    text = " and ".join(parts)
    return f"{text[0].upper()}{text[1:]}"
