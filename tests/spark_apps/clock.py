"""A clock that differs: in every Python process that is started with an environment."""

import os
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

BEGUN: Final = "begun"
_PROGRAM: Final = '''
import ctypes, datetime, gc, pathlib, time

AHEAD = datetime.timedelta(seconds={seconds})
clock, clock_ns = time.time, time.time_ns
time.time = lambda: clock() + AHEAD.total_seconds()
time.time_ns = lambda: clock_ns() + int(AHEAD.total_seconds() * 1e9)


def replace(cls, **methods):
    """Classes in C refuse new attributes; what stands behind their view of them does not."""
    [attributes] = gc.get_referents(cls.__dict__)
    attributes.update({{name: classmethod(method) for name, method in methods.items()}})
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(cls))


replace(
    datetime.datetime,
    now=lambda cls, tz=None: cls.fromtimestamp(time.time(), tz),
    utcnow=lambda cls: cls.fromtimestamp(time.time(), datetime.UTC).replace(tzinfo=None),
)
replace(datetime.date, today=lambda cls: cls.fromtimestamp(time.time()))
with open({file!r}, "a") as file:
    file.write(datetime.datetime.now(datetime.UTC).isoformat() + "\\n")
'''


def shifted_clock(folder: Path, ahead: timedelta) -> dict[str, str]:
    """Return what lets the clock of Python processes be ahead: they note there when they began."""
    folder.mkdir()
    program = _PROGRAM.format(seconds=ahead.total_seconds(), file=str(folder / BEGUN))
    (folder / "sitecustomize.py").write_text(program, encoding="utf-8")
    inherited = os.environ.get("PYTHONPATH")
    return {"PYTHONPATH": os.pathsep.join(filter(None, (str(folder), inherited)))}


def begun_with(folder: Path) -> list[datetime]:
    """Return when the processes began, by that clock; at least one has."""
    return [datetime.fromisoformat(line) for line in (folder / BEGUN).read_text().splitlines()]
