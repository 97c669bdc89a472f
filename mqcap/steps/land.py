"""Step land: copy new input files into the lake, once per content.

A file waits for the next run while it changes, or has for ``ingest.settle_seconds``.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from mqcap.domain.errors import CapacityError, ConfigurationError
from mqcap.domain.shown_text import printable
from mqcap.files import sha256_of
from mqcap.ingest.inputs.archives import UnpackLimits
from mqcap.ingest.inputs.files import InputFile, InputPlaces, Opener
from mqcap.ingest.inputs.locations import (
    InputLocation,
    LocalLocation,
    RemoteLocation,
    input_locations,
)
from mqcap.ingest.mqsmfcsv.names import file_hint
from mqcap.ingest.registry import source_for
from mqcap.lake.files import remove_unfinished, replacing, write_json
from mqcap.lake.landed_places import Deliveries, LandedPlaces
from mqcap.lake.layout import (
    SEEN_INPUTS,
    landed_paths,
    landed_received_date,
    landing_document,
    landing_folder,
    unfinished_landing,
)
from mqcap.lake.location import Location, open_lake
from mqcap.lake.retention_state import RetentionState
from mqcap.locks import LakePart, exclusive
from mqcap.progress.shown import tracked
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.feeds import read_source_files, upsert_source_files
from mqcap.store.models import SourceFileFacts

_FINGERPRINT: Final = "fingerprint"
_CONTENTS: Final = "contents"


def seen_inputs(lake: Location) -> dict[str, dict[str, Any]]:
    """Return fingerprint and content hashes of what was read without a problem, by name."""
    try:
        entries = json.loads(landing_document(lake, SEEN_INPUTS).read_bytes())
    except (OSError, ValueError):
        return {}
    return entries if isinstance(entries, dict) else {}


UNREADABLE: Final = "unknown"
"""Stored as the source of a file that no source reads."""
UNOPENED: Final = "archive"
"""Stored as the source of a file or archive that could not be opened, or not completely."""

_SUFFIX: Final = re.compile(r"\.[A-Za-z0-9]{1,16}")
_NOT_LANDED: Final = frozenset({UNREADABLE, UNOPENED})


class _StillWrittenError(Exception):
    """The file changed while it was read: no error, it waits for the next run."""


@dataclass
class _Landing:
    settings: Settings
    landed: dict[str, Location]
    """Files of the lake by content hash, also those that retention has removed."""
    stored: dict[str, SourceFileFacts]
    """Rows of the store by content hash."""
    seen: dict[str, dict[str, Any]]
    input_places: InputPlaces
    places: LandedPlaces
    deliveries: Deliveries
    settling: bool
    """The inputs were searched for, not named one by one: of named ones a withdrawn file is taken
    back, and none is waited for."""
    names: frozenset[str]
    """Names of all inputs of this run."""
    rows: dict[str, SourceFileFacts] = field(default_factory=dict)
    known_count: int = 0
    rejected: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)

    def is_known(self, sha256: str) -> bool:
        """Return whether a content was landed and stored, or is withdrawn and not taken back."""
        if self.deliveries.is_withdrawn(sha256):
            return self.settling
        return sha256 in self.landed and (sha256 in self.stored or sha256 in self.rows)

    def place(self, sha256: str, location: InputLocation) -> None:
        """Record the sysplex or site of a content. Raises a CapacityError where it has several."""
        root = self.input_places.root_of(location)
        self.places.put(
            sha256, root, location.name, lambda name: name in self.names or Path(name).exists()
        )


def land(settings: Settings, engine: Store, inputs: Sequence[str] | None = None) -> dict[str, Any]:
    """Copy every file whose content is new into the landing folder.

    Without ``inputs`` the inbox and ``ingest.inputs`` are searched. Members of zip archives are
    files of their own. Returns counts, a sentence for each file that cannot be read (``rejected``)
    and the names of those still being written (``waiting``). Raises ConfigurationError without an
    inbox.
    """
    settling = inputs is None
    wanted = _daily_inputs(settings) if inputs is None else inputs
    locations = list(input_locations(wanted, may_be_empty=settling))
    lake = open_lake(settings.lake)
    with exclusive(settings, LakePart.landing):
        remove_unfinished(unfinished_landing(lake))
        deliveries = Deliveries.load(lake)
        removed: dict[str, Location] = {
            sha256: lake / path
            for sha256, path in RetentionState.load(lake).removed.items()
            if not deliveries.is_withdrawn(sha256)
        }
        run = _Landing(
            settings=settings,
            landed=removed | landed_paths(lake),
            stored={file.sha256: file for file in read_source_files(engine)},
            seen=seen_inputs(lake),
            input_places=InputPlaces(
                settings.ingest.placed_inputs(),
                addresses=any(isinstance(location, RemoteLocation) for location in locations),
            ),
            places=LandedPlaces.load(lake),
            deliveries=deliveries,
            settling=settling,
            names=frozenset(location.name for location in locations),
        )
        _take_all(run, locations)
        run.places.save()
        run.deliveries.save()
        upsert_source_files(engine, run.rows.values())
        kept = run.seen.keys() & run.names if settling else run.seen.keys()
        write_json(landing_document(lake, SEEN_INPUTS), {name: run.seen[name] for name in kept})
    return {
        "landed": sum(1 for row in run.rows.values() if row.source not in _NOT_LANDED),
        "known": run.known_count,
        "rejected": run.rejected,
        "waiting": run.waiting,
    }


def _daily_inputs(settings: Settings) -> list[str]:
    inbox = settings.ingest.inbox
    if not inbox.is_dir():
        raise ConfigurationError(
            f"ingest.inbox: {inbox} is not a folder",
            remedy="Create it, or set ingest.inbox (MQCAP_INGEST__INBOX) to where dumps arrive.",
        )
    return [str(inbox), *settings.ingest.input_paths]


def _take_all(run: _Landing, locations: Sequence[InputLocation]) -> None:
    """Land every location; recently written ones last, if they have not changed meanwhile."""
    pause_seconds = run.settings.ingest.settle_seconds if run.settling else 0.0
    recent: list[tuple[InputLocation, str]] = []
    for location in tracked(locations, "look through inputs", "files"):
        try:
            before = location.fingerprint()
            changed_at = location.changed_at() if isinstance(location, LocalLocation) else 0.0
        except CapacityError as error:
            run.rejected.append(str(error))
            continue
        if time.time() - changed_at < pause_seconds:
            recent.append((location, before))
        else:
            _take(run, location, before)
    if recent:
        time.sleep(pause_seconds)
    for location, before in tracked(recent, "land new files", "files"):
        _take(run, location, before)


def _take(run: _Landing, location: InputLocation, before: str) -> None:
    entry = run.seen.get(location.name, {})
    remembered = entry[_CONTENTS] if entry.get(_FINGERPRINT) == before else ()
    if remembered and all(map(run.is_known, remembered)):
        try:
            for sha256 in remembered:
                run.place(sha256, location)
        except CapacityError as error:
            run.rejected.append(str(error))
            return
        run.known_count += len(remembered)
        return
    reading = _InputReading(run, location, before)
    try:
        reading.take()
    except _StillWrittenError:
        run.waiting.append(location.name)
        return
    except CapacityError as error:
        reading.problems.append(str(error))
    run.rejected.extend(reading.problems)
    if reading.contents and not reading.problems:
        run.seen[location.name] = {_FINGERPRINT: before, _CONTENTS: reading.contents}


@dataclass
class _InputReading:
    run: _Landing
    location: InputLocation
    before: str
    """The fingerprint of the location when it was first seen."""
    contents: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def take(self) -> None:
        """Land what is new; _StillWrittenError, or ConfigurationError for two places."""
        self._check_unchanged()
        self.run.input_places.root_of(self.location)
        with tempfile.TemporaryDirectory(prefix="mqcap-") as folder:
            opener = Opener(Path(folder), partial(UnpackLimits.of_settings, self.run.settings))
            for file in opener.files(self.location):
                self._file(file)
                file.release()
        self._check_unchanged()
        if not self.problems and self._was_rejected():
            self._record_unopened(None)

    def _file(self, file: InputFile) -> None:
        try:
            path = file.local()
        except CapacityError as error:
            self.problems.append(str(error))
            self._record_unopened(" ".join(self.problems))
            return
        sha256 = sha256_of(path)
        self.contents.append(sha256)
        try:
            self.run.place(sha256, self.location)
        except CapacityError as error:
            self.problems.append(str(error))
            return
        if self.run.is_known(sha256):
            self.run.known_count += 1
            return
        name = _stored_name(self.location, file)
        try:
            source = source_for(path).name
        except CapacityError as error:
            self._record(name, path, sha256, UNREADABLE, str(error))
            self.problems.append(str(error))
            return
        received = self._copy(path, sha256, source)
        self.run.deliveries.receive(sha256)
        self.run.deliveries.take_back(sha256)
        self._record(name, path, sha256, source, received=received)

    def _copy(self, path: Path, sha256: str, source: str) -> date:
        """Copy a content into the lake unless it is there; returns the day it was received."""
        landed = self.run.landed.get(sha256)
        if landed is not None:
            return landed_received_date(landed)
        today = datetime.now(UTC).date()
        folder = landing_folder(open_lake(self.run.settings.lake), source, today)
        target = folder / f"{sha256}{_suffix(path)}"
        with replacing(target, durable=True) as temporary:
            shutil.copyfile(path, temporary)
            self._check_unchanged()
        self.run.landed[sha256] = target
        return today

    def _record_unopened(self, problem: str | None) -> None:
        if isinstance(self.location, LocalLocation) and os.access(self.location.path, os.R_OK):
            path = self.location.path
            self._record(printable(path.name), path, sha256_of(path), UNOPENED, problem)

    def _was_rejected(self) -> bool:
        if not isinstance(self.location, LocalLocation):
            return False
        path = self.location.path
        unopened = (UNOPENED, printable(path.name))
        namesakes = {
            sha256
            for sha256, file in self.run.stored.items()
            if (file.source, file.name) == unopened
        }
        return bool(namesakes) and sha256_of(path) in namesakes

    def _record(
        self,
        name: str,
        path: Path,
        sha256: str,
        source: str,
        problem: str | None = None,
        received: date | None = None,
    ) -> None:
        now = datetime.now(UTC)
        self.run.rows[sha256] = SourceFileFacts(
            sha256=sha256,
            source=source,
            name=name,
            received_date=received or now.date(),
            landed_at_utc=now,
            bytes_count=path.stat().st_size,
            problem=problem,
        )

    def _check_unchanged(self) -> None:
        if self.location.fingerprint() != self.before:
            raise _StillWrittenError


def _suffix(path: Path) -> str:
    """Return the suffix that the decoder needs: the formatter's name, or what is usual."""
    hint = file_hint(path.name)
    if hint is not None:
        return f".{hint}"
    return path.suffix if _SUFFIX.fullmatch(path.suffix) else ""


def _stored_name(location: InputLocation, file: InputFile) -> str:
    if not isinstance(location, LocalLocation):
        return file.name
    return printable(location.path.name) + file.name.removeprefix(location.name)
