"""``MQCAP_…`` variables as a file that a shell sources: ``export NAME=value`` lines."""

import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from mqcap.domain.errors import ConfigurationError
from mqcap.files import write_text

_LINE: Final = re.compile(r"export (?P<name>MQCAP_[A-Z0-9_]+)=(?P<value>.*)")


def write_environment_file(path: Path, variables: Mapping[str, str]) -> None:
    """Write one line per variable; an older file is replaced."""
    lines = (f"export {name}={shlex.quote(value)}\n" for name, value in variables.items())
    write_text(path, "".join(lines))


def read_environment_file(path: Path) -> dict[str, str]:
    """Return the variables of a file with remarks and blank lines; else a ConfigurationError."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return dict(_variable(line) for line in lines if line.strip() and line[0] != "#")
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"the settings in {path} cannot be read",
            found=str(error),
            expected="lines of the form: export MQCAP_NAME=value",
            remedy="`make run` writes the file again; MQCAP_SETTINGS_FILE names other settings.",
        ) from error


def _variable(line: str) -> tuple[str, str]:
    found = _LINE.fullmatch(line.rstrip())
    words = shlex.split(found["value"]) if found else []
    if found is None or len(words) > 1:
        raise ValueError(f"the line {line.partition('=')[0]!r}")
    return found["name"], "".join(words)
