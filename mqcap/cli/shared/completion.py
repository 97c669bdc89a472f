"""What a shell offers for the arguments of commands: names that need no store."""

from mqcap.rulebook.listing import items
from sizing.advice import all_advice
from sizing.rulebook.registry import entries


def rule_ids(incomplete: str) -> list[str]:
    """Return the rules, calculators and advice that begin so, in any case."""
    begin = incomplete.upper()
    return sorted(name for name in {*entries(), *all_advice()} if name.startswith(begin))


def topics(incomplete: str) -> list[str]:
    """Return the topics of rules that begin so."""
    return sorted({item.topic for item in items() if item.topic.startswith(incomplete)})
