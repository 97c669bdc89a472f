"""The list of all rules, calculators and advice, narrowed by topic, subject kind or rule."""

from collections.abc import Collection, Iterable
from textwrap import shorten
from typing import Final, NamedTuple

from mqcap.domain.metric import SubjectKind
from mqcap.domain.names.short_names import the_name_meant
from sizing.advice import all_advice
from sizing.rulebook.entry import Rule
from sizing.rulebook.registry import entries

ADVICE_TOPIC: Final = "advice"
_TOPICS: Final = "`mqcap rules list` has the topic of each rule."
_INDENT: Final = "    "


class Item(NamedTuple):
    """Entry of the list: a rule, a calculator or a piece of advice."""

    id: str
    kind: str
    topic: str
    title: str
    citation: str
    subject_kind: str | None = None
    """What a rule is evaluated for; ``None`` for calculators and advice."""


def items(
    topic: str | None = None,
    subject_kind: SubjectKind | None = None,
    rule_ids: Collection[str] | None = None,
) -> list[Item]:
    """Return entries by topic and id: all, or those that meet every given condition.

    The topic ``advice`` has the texts; with ``subject_kind`` or ``rule_ids`` only rules are
    returned, those of that kind or with these ids.

    Raises:
        ConfigurationError: there is no such topic.
    """
    listed = sorted(_every(), key=lambda item: (item.topic, item.id))
    topics = sorted({item.topic for item in listed})
    if topic is not None:
        topic = the_name_meant(
            topic, topics, "topic", remedy="`mqcap rules list` has the topic of each rule."
        )
    return [
        item
        for item in listed
        if topic in {None, item.topic}
        and (subject_kind is None or _is_of(item, subject_kind))
        and (rule_ids is None or item.id in rule_ids)
    ]


def _is_of(item: Item, kind: SubjectKind) -> bool:
    entry = entries().get(item.id)
    return isinstance(entry, Rule) and kind in {entry.traits.subject_kind, *entry.traits.also_of}


def lines(listed: Collection[Item], columns: int) -> list[str]:
    """Return the number of entries and, of each, id and title; kind, topic and source.

    A longer line of the latter ends after a whole word with ``...``, at most ``columns`` wide.
    """
    text = [f"{len(listed)} in the list"]
    for item in listed:
        kind = f"{item.kind} for a {_words(item.subject_kind)}" if item.subject_kind else item.kind
        source = f"{kind}; {item.topic}; {item.citation}"
        text.append(f"{item.id}: {item.title}")
        text.append(f"{_INDENT}{shorten(source, columns - len(_INDENT), placeholder=' ...')}")
    return text


def objects(listed: Iterable[Item]) -> list[dict[str, str | None]]:
    """Return the entries as JSON objects with the fields of ``Item``."""
    return [item._asdict() for item in listed]


def _every() -> list[Item]:
    return [
        Item(
            entry.id,
            str(entry.kind),
            entry.topic,
            entry.title,
            str(entry.citation),
            str(entry.traits.subject_kind) if isinstance(entry, Rule) else None,
        )
        for entry in entries().values()
    ] + [
        Item(advice.id, "advice", ADVICE_TOPIC, advice.title, str(advice.citation))
        for advice in all_advice().values()
    ]


def _words(name: str) -> str:
    return name.replace("_", " ")
