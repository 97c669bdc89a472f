"""The operands that a change pack writes: their ranges, and where each was looked up.

An operand that no document describes is not guessed: the pack prints a line that it is to be
checked, and the page on operands lists it.
"""

from collections.abc import Iterator
from typing import Final

from mqcap.operands.declared import SETTINGS, TOPICS, Operand, RangeCertainty
from sizing.sources import mp16

_DOCUMENTS: Final = {
    "mq": "IBM MQ reference",
    "zos": "z/OS reference",
    "appliance": "IBM MQ Appliance reference",
}


def operands_of(topic: str) -> Iterator[str]:
    """Yield the operands of a topic with their ranges, and which of them are to be checked."""
    for operand in TOPICS[topic].operands:
        source = looked_up_in(operand) or "in no document: to be checked"
        yield f"{operand.operand}: {operand.takes} ({source})."


def operands_page() -> Iterator[str]:
    """Yield the lines of the page on operands."""
    yield "# Operands of a change pack"
    yield ""
    yield "Written by `make docs`. A pack was never run: the operands below were compared with the"
    yield "documents named. What was found in none says so here, and in the pack itself."
    yield ""
    yield "| change | operand | takes | looked up in |"
    yield "| --- | --- | --- | --- |"
    for topic, about in TOPICS.items():
        for operand in about.operands:
            source = looked_up_in(operand) or "**to be checked**"
            yield f"| {topic} | `{operand.operand}` | {operand.takes} | {source} |"
    yield ""
    yield from _settings_table()
    yield ""
    yield "Two messages that rules count are read by their number only, since no document has their"
    yield "complete text: CSQW133E (MP16: TRACE DATA LOST) and CSQX068I (MP16: the scavenger's)."
    yield "Whatever follows the number, they are counted."


def _settings_table() -> Iterator[str]:
    yield "## Settings of a what-if scenario"
    yield ""
    yield "Beside these a scenario takes every key of the [estate](estate.md). A default is that of"
    yield "the documents; *site* is a figure of the site, which no document bounds; B was read in a"
    yield "document of another kind, C in none: check it before use."
    yield ""
    yield "| subject | key | set by | takes | default | restart | certainty | source | remark |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for setting in SETTINGS.values():
        statement = f"`{setting.operand}`" if setting.operand else ""
        source = "**to be checked**" if setting.certainty is RangeCertainty.C else setting.source
        for kind in setting.of:
            yield (
                f"| {kind.replace('_', ' ')} | `{setting.key}` | {statement} "
                f"| {setting.range_text} | {setting.default} "
                f"| {setting.restart.replace('_', ' ')} | {setting.certainty} "
                f"| {source} | {setting.remark} |"
            )


def looked_up_in(operand: Operand) -> str:
    """Return documents and sections as a text; empty without any."""
    return "; ".join(
        str(mp16(section)) if document == "mp16" else f"{_DOCUMENTS[document]}: {section}"
        for cited in operand.source
        for document, section in cited.items()
    )
