"""YAML of settings and descriptions of estates.

PyYAML's parser in C takes a tenth of the time of the one in Python; it is used where it is there.
"""

from __future__ import annotations

from typing import IO, Any, Final

import yaml

_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parse_yaml(source: str | IO[bytes]) -> Any:
    """Return the document of a text or an open file: plain data only, ``None`` when empty.

    Raises ``yaml.YAMLError``, with file and line, for what is not YAML.
    """
    return yaml.load(source, Loader=_LOADER)  # noqa: S506 - one of the two safe loaders


def yaml_error_text(error: yaml.YAMLError) -> str:
    """Return what is wrong, and where, on one line."""
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return " ".join(str(error).split())
    problem = getattr(error, "problem", None) or "an error"
    return f"line {mark.line + 1}, column {mark.column + 1}: {problem}"
