"""Files of the lake that are all written before any of them may be seen."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from mqcap.files import remove_unfinished, temporary_path
from mqcap.lake.location import Location
from mqcap.lake.objects import ObjectLocation


class StagedFiles:
    """Files under temporary names: beside their places, or in a folder of this machine."""

    def __init__(self, lake: Location) -> None:
        is_remote = isinstance(lake, ObjectLocation)
        self._folder = Path(tempfile.mkdtemp(prefix="mqcap-")) if is_remote else None

    def begun(self, target: Location) -> Path:
        """Return the path to write the file of a place to; its folder exists."""
        staged = self._staged(target)
        staged.parent.mkdir(parents=True, exist_ok=True)
        return staged

    def publish(self, target: Location) -> int:
        """Put the file of a place there, at once; returns its length.

        Raises OSError or LakeUnavailable.
        """
        staged = self._staged(target)
        length = staged.stat().st_size
        if isinstance(target, ObjectLocation):
            target.upload(staged)
        elif isinstance(target, Path):
            staged.replace(target)
        return length

    def drop(self, pattern: Location) -> None:
        """Remove the files that were not published; their places match the pattern."""
        if self._folder is not None:
            shutil.rmtree(self._folder)
        elif isinstance(pattern, Path):
            staged = self._staged(pattern)
            dataset = staged.parent.parent
            below = staged.relative_to(dataset.parent)
            remove_unfinished(dataset.parent.glob(str(below)))

    def _staged(self, target: Location) -> Path:
        if isinstance(target, ObjectLocation):
            return Path(self._folder or "", *target.parts)
        return temporary_path(Path(str(target)))
