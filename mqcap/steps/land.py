"""Land: copy what arrived into the lake, once per content.

A file is taken when it has not changed for ``ingest.settle_seconds`` and does not change while
it is copied; otherwise it waits for the next run. What was looked at before and has not changed
since is not read again.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from mqcap.domain.atomic import remove_unfinished, replacing
from mqcap.domain.content_hash import sha256_of
from mqcap.domain.errors import CapacityError, ConfigurationError
from mqcap.ingest.inputs.archives import UnpackLimits
from mqcap.ingest.inputs.files import InputFile, Opener
from mqcap.ingest.inputs.locations import InputLocation, LocalLocation, input_locations
from mqcap.ingest.mqsmfcsv.headless import file_hint
from mqcap.ingest.registry import source_for
from mqcap.lake.landing import landed_paths
from mqcap.lake.layout import landed_received_date, landing_folder, unfinished_landing
from mqcap.lake.locks import LakePart, exclusive
from mqcap.lake.retention_state import RetentionState
from mqcap.lake.seen_inputs import SeenInputs
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.files import read_source_files, upsert_source_files
from mqcap.store.models import SourceFileFacts

UNREADABLE: Final = "unknown"
"""Stands for the source of what no source reads."""
WHOLE: Final = "archive"
"""Stands for the source of a file that could not be opened, or an archive not in full."""

_NOT_LANDED: Final = frozenset({UNREADABLE, WHOLE})


class _StillWrittenError(Exception):
    """The file changed while it was looked at: no fault, it waits for the next run."""


@dataclass
class _Landing:
    """One run: what was there before, and what it has found so far."""

    settings: Settings
    landed: dict[str, Path]
    """Files of the lake by content hash; those that were removed when they were old too."""
    stored: dict[str, SourceFileFacts]
    """What the store says of each content hash."""
    seen_inputs: SeenInputs
    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    known_count: int = 0
    rejected: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)

    def is_known(self, sha256: str) -> bool:
        """Return whether a content is in lake and store, or was landed by this run."""
        return sha256 in self.landed and (sha256 in self.stored or sha256 in self.rows)

    def counts(self) -> dict[str, Any]:
        """What the step answers."""
        return {
            "landed": sum(1 for row in self.rows.values() if row["source"] not in _NOT_LANDED),
            "known": self.known_count,
            "rejected": self.rejected,
            "waiting": self.waiting,
        }


def land(settings: Settings, engine: Store, inputs: Sequence[str] | None = None) -> dict[str, Any]:
    """Copy every file whose content is new into the landing folder.

    Without ``inputs`` the inbox and ``ingest.inputs`` are looked through. Members of zip
    archives are files of their own. What cannot be read stays where it is and is told under
    ``rejected``, what is still being written under ``waiting``; the others go on. Returns
    counts, these sentences and these names. Raises ConfigurationError when the inbox does not
    exist.
    """
    found = list(
        input_locations(_daily_inputs(settings), may_be_empty=True)
        if inputs is None
        else input_locations(inputs)
    )
    lake = Path(settings.lake)
    with exclusive(lake, LakePart.landing):
        remove_unfinished(unfinished_landing(lake))
        return _land(settings, engine, found, settling=inputs is None)


def _land(
    settings: Settings, engine: Store, found: Sequence[InputLocation], *, settling: bool
) -> dict[str, Any]:
    lake = Path(settings.lake)
    run = _Landing(
        settings=settings,
        landed=_ever_landed(lake),
        stored={file.sha256: file for file in read_source_files(engine)},
        seen_inputs=SeenInputs.load(lake),
    )
    _take_all(run, found, settling=settling)
    upsert_source_files(engine, run.rows.values())
    run.seen_inputs.save(only={location.name for location in found} if settling else None)
    return run.counts()


def _ever_landed(lake: Path) -> dict[str, Path]:
    """Return every landed file by its content hash; those that were removed later too."""
    removed = {sha256: lake / path for sha256, path in RetentionState.load(lake).removed.items()}
    return removed | landed_paths(lake)


def _daily_inputs(settings: Settings) -> list[str]:
    inbox = settings.ingest.inbox
    if not inbox.is_dir():
        raise ConfigurationError(
            f"ingest.inbox: {inbox} is not a folder",
            remedy="Create it, or set ingest.inbox (MQCAP_INGEST__INBOX) to where dumps arrive.",
        )
    return [str(inbox), *settings.ingest.inputs]


def _take_all(run: _Landing, found: Sequence[InputLocation], *, settling: bool) -> None:
    """Take every location; those written to a moment ago last, if they have come to rest."""
    pause_seconds = run.settings.ingest.settle_seconds if settling else 0.0
    young: list[tuple[InputLocation, str]] = []
    for location in found:
        try:
            before = location.fingerprint()
            changed_at = location.changed_at()
        except CapacityError as error:
            run.rejected.append(str(error))
            continue
        if changed_at is not None and time.time() - changed_at < pause_seconds:
            young.append((location, before))
        else:
            _take(run, location, before)
    if young:
        time.sleep(pause_seconds)
    for location, before in young:
        _take(run, location, before)


def _take(run: _Landing, location: InputLocation, before: str) -> None:
    """Land the file of a location, or all files of its archive, unless nothing has changed."""
    remembered = run.seen_inputs.contents(location.name, before)
    if remembered and all(map(run.is_known, remembered)):
        run.known_count += len(remembered)
        run.seen_inputs.add(location.name, before, remembered)
        return
    visit = _Visit(run, location, before)
    try:
        visit.take()
    except _StillWrittenError:
        run.waiting.append(location.name)
        return
    except CapacityError as error:
        visit.problems.append(str(error))
    run.rejected.extend(visit.problems)
    if visit.contents and not visit.problems:
        run.seen_inputs.add(location.name, before, visit.contents)


@dataclass
class _Visit:
    """One look at a file, or at an archive and its members."""

    run: _Landing
    location: InputLocation
    before: str
    """The fingerprint of the location when it was first seen."""
    contents: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def take(self) -> None:
        """Land what is new. Raises _StillWrittenError when the location changes meanwhile."""
        self._check_unchanged()
        with tempfile.TemporaryDirectory(prefix="mqcap-") as folder:
            opener = Opener(Path(folder), partial(UnpackLimits.of_settings, self.run.settings))
            for file in opener.files(self.location):
                self._file(file)
                file.release()
        self._check_unchanged()
        if not self.problems and self._was_rejected():
            self._note_whole(None)

    def _file(self, file: InputFile) -> None:
        try:
            path = file.local()
        except CapacityError as error:
            self.problems.append(str(error))
            self._note_whole(" ".join(self.problems))
            return
        sha256 = sha256_of(path)
        self.contents.append(sha256)
        if self.run.is_known(sha256):
            self.run.known_count += 1
            return
        row = self._row(_stored_name(self.location, file), sha256, path.stat().st_size)
        try:
            row["source"] = source_for(path).name
        except CapacityError as error:
            row["problem"] = str(error)
            self.problems.append(str(error))
        else:
            row["received_date"] = self._copy(path, sha256, str(row["source"]))
        self.run.rows[sha256] = row

    def _copy(self, path: Path, sha256: str, source: str) -> date:
        """Put a content into the lake unless it is there; the day it was received."""
        there = self.run.landed.get(sha256)
        if there is not None:
            return landed_received_date(there)
        today = datetime.now(UTC).date()
        folder = landing_folder(Path(self.run.settings.lake), source, today)
        target = folder / f"{sha256}{_suffix(path)}"
        with replacing(target) as temporary:
            shutil.copyfile(path, temporary)
            self._check_unchanged()
        self.run.landed[sha256] = target
        return today

    def _note_whole(self, problem: str | None) -> None:
        """Remember a file that cannot be read, or an archive of which not all can be."""
        if isinstance(self.location, LocalLocation) and os.access(self.location.path, os.R_OK):
            path = self.location.path
            sha256 = sha256_of(path)
            row = self._row(path.name, sha256, path.stat().st_size)
            self.run.rows[sha256] = row | {"source": WHOLE, "problem": problem}

    def _was_rejected(self) -> bool:
        """Return whether the same archive could not be read in full before."""
        if not isinstance(self.location, LocalLocation):
            return False
        path = self.location.path
        told = {sha256 for sha256, file in self.run.stored.items() if file.source == WHOLE}
        namesakes = {sha256 for sha256 in told if self.run.stored[sha256].name == path.name}
        return bool(namesakes) and sha256_of(path) in namesakes

    def _row(self, name: str, sha256: str, bytes_count: int) -> dict[str, Any]:
        """What the store keeps of a file; the source is not known yet."""
        now = datetime.now(UTC)
        return {
            "sha256": sha256,
            "source": UNREADABLE,
            "name": name,
            "received_date": now.date(),
            "landed_at_utc": now,
            "bytes_count": bytes_count,
            "problem": None,
        }

    def _check_unchanged(self) -> None:
        if self.location.fingerprint() != self.before:
            raise _StillWrittenError


def _suffix(path: Path) -> str:
    """What of a name the decoder needs: print without headings is told by the formatter's name."""
    hint = file_hint(path.name)
    return path.suffix if hint is None else f".{hint}"


def _stored_name(location: InputLocation, file: InputFile) -> str:
    """``week.zip!SYS1.smf``; files of this machine are known by their own name, without folder."""
    if not isinstance(location, LocalLocation):
        return file.name
    return location.path.name + file.name.removeprefix(location.name)
