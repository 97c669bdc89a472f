"""Which rules can advise a figure: found in their code, so that none is forgotten in a list."""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, FunctionType

from mqcap.domain.finding import Change
from sizing.rulebook.entry import Rule
from sizing.rulebook.registry import all_rules


def advising_rules() -> tuple[Rule, ...]:
    """Rules from whose function a ``Change`` can be reached, whatever the inputs are."""
    return tuple(rule for rule in all_rules().values() if _reaches(rule.forms[0].function, set()))


def _reaches(called: object, seen: set[object]) -> bool:
    if called is Change:
        return True
    if not isinstance(called, FunctionType) or called in seen:
        return False
    if not called.__module__.startswith("sizing"):
        return False
    seen.add(called)
    return any(_reaches(one, seen) for one in _used(called))


def _used(function: FunctionType) -> Iterator[object]:
    """What the names in a function and in the functions inside it stand for."""
    yield from (function.__globals__.get(name) for name in _names(function.__code__))
    yield from (cell.cell_contents for cell in function.__closure__ or ())


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)
