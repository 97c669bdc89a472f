"""Names of distributed MQ in a subject: ``%`` of a name is written ``%25``, ``/`` is ``%2F``."""

import re
from typing import Final

from mqcap.domain.subject import SERIES_SEPARATOR

NAME_LENGTH_MAX: Final = 48
"""Characters of the name of a queue manager or queue (MQ_Q_MGR_NAME_LENGTH, MQ_Q_NAME_LENGTH)."""
ESCAPES: Final = (("%", "%25"), (SERIES_SEPARATOR, "%2F"))
"""Characters and their escapes, in the order in which they are replaced."""
TEMPORARY_QUEUES: Final = ("AMQ.", "MQAI.REPLY.")
"""Beginnings of the names of temporary dynamic queues, each of which exists for seconds."""
_NAME: Final = re.compile(r"[A-Za-z0-9._/%]+")


def is_mq_name(text: str) -> bool:
    """Return whether a text can be the name of a queue manager or queue."""
    return len(text) <= NAME_LENGTH_MAX and _NAME.fullmatch(text) is not None


def is_temporary_queue(name: str) -> bool:
    """Return whether a queue is a temporary dynamic one by its name; those are no subjects."""
    return name.startswith(TEMPORARY_QUEUES)


def escaped(name: str) -> str:
    """Return a name as a part of a subject."""
    for character, escape in ESCAPES:
        name = name.replace(character, escape)
    return name


def unescaped(part: str) -> str:
    """Return the name that a part of a subject holds."""
    for character, escape in reversed(ESCAPES):
        part = part.replace(escape, character)
    return part


def subject_of(*names: str) -> str:
    """Return the subject of names from the site on: ``EAST/QM1/APP.IN``."""
    return SERIES_SEPARATOR.join(map(escaped, names))
