"""Step land: copy new input files into the lake, once per content.

A file is landed when it has not changed for ``ingest.settle_seconds`` and does not change while
it is copied; otherwise it waits for the next run. An input that was read before and has not
changed since is not read again.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Collection, Sequence
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


@dataclass
class SeenInputs:
    """Inputs that were read without a problem, by name."""

    path: Location
    _entries: dict[str, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def load(cls, lake: Location) -> SeenInputs:
        """Return what the last run left in this lake; nothing when that cannot be read."""
        path = landing_document(lake, SEEN_INPUTS)
        try:
            entries = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            entries = {}
        return cls(path, entries if isinstance(entries, dict) else {})

    def contents(self, name: str, fingerprint: str) -> list[str]:
        """Return the content hashes of an unchanged input; none when it is new or has changed."""
        entry = self._entries.get(name, {})
        return list(entry[_CONTENTS]) if entry.get(_FINGERPRINT) == fingerprint else []

    def add(self, name: str, fingerprint: str, contents: Sequence[str]) -> None:
        """Remember the content hashes of an input."""
        self._entries[name] = {_FINGERPRINT: fingerprint, _CONTENTS: list(contents)}

    def save(self, only: Collection[str] | None = None) -> None:
        """Write the entries; with ``only``, those of these names, all others are forgotten."""
        entries = self._entries.items()
        write_json(
            self.path, {name: entry for name, entry in entries if only is None or name in only}
        )


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
    """State of one run: files of earlier runs, and results so far."""

    settings: Settings
    landed: dict[str, Location]
    """Files of the lake by content hash, also those that retention has removed."""
    stored: dict[str, SourceFileFacts]
    """Rows of the store by content hash."""
    seen_inputs: SeenInputs
    input_places: InputPlaces
    places: LandedPlaces
    deliveries: Deliveries
    is_asked_for: bool
    """The inputs were named one by one: of these a withdrawn file is taken back."""
    names: frozenset[str]
    """Names of all inputs of this run."""
    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    known_count: int = 0
    rejected: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)

    def is_known(self, sha256: str) -> bool:
        """Return whether a content is in lake and store, or was landed by this run.

        So is a withdrawn one, unless it is taken back.
        """
        if self.deliveries.is_withdrawn(sha256):
            return not self.is_asked_for
        return sha256 in self.landed and (sha256 in self.stored or sha256 in self.rows)

    def place(self, sha256: str, location: InputLocation) -> None:
        """Record the sysplex or site of a content. Raises a CapacityError where it has several."""
        root = self.input_places.root_of(location)
        self.places.put(sha256, root, location.name, self._is_there)

    def _is_there(self, name: str) -> bool:
        return name in self.names or Path(name).exists()

    def counts(self) -> dict[str, Any]:
        """Return the result of the step."""
        return {
            "landed": sum(1 for row in self.rows.values() if row["source"] not in _NOT_LANDED),
            "known": self.known_count,
            "rejected": self.rejected,
            "waiting": self.waiting,
        }


def land(settings: Settings, engine: Store, inputs: Sequence[str] | None = None) -> dict[str, Any]:
    """Copy every file whose content is new into the landing folder.

    Without ``inputs`` the inbox and ``ingest.inputs`` are searched. Members of zip archives are
    files of their own. A file that cannot be read stays where it is and is reported under
    ``rejected``, one that is still being written under ``waiting``; the others are landed. Returns
    counts, these sentences and these names. Raises ConfigurationError when the inbox does not
    exist.
    """
    locations = list(
        input_locations(_daily_inputs(settings), may_be_empty=True)
        if inputs is None
        else input_locations(inputs)
    )
    lake = open_lake(settings.lake)
    with exclusive(settings, LakePart.landing):
        remove_unfinished(unfinished_landing(lake))
        return _land(settings, engine, locations, settling=inputs is None)


def _land(
    settings: Settings, engine: Store, locations: Sequence[InputLocation], *, settling: bool
) -> dict[str, Any]:
    lake = open_lake(settings.lake)
    deliveries = Deliveries.load(lake)
    run = _Landing(
        settings=settings,
        landed=_ever_landed(lake, deliveries),
        stored={file.sha256: file for file in read_source_files(engine)},
        seen_inputs=SeenInputs.load(lake),
        input_places=InputPlaces.listed(
            settings.ingest.placed_inputs(),
            addresses=any(isinstance(location, RemoteLocation) for location in locations),
        ),
        places=LandedPlaces.load(lake),
        deliveries=deliveries,
        is_asked_for=not settling,
        names=frozenset(location.name for location in locations),
    )
    _take_all(run, locations, settling=settling)
    run.places.save()
    run.deliveries.save()
    upsert_source_files(engine, run.rows.values())
    run.seen_inputs.save(only={location.name for location in locations} if settling else None)
    return run.counts()


def _ever_landed(lake: Location, deliveries: Deliveries) -> dict[str, Location]:
    """Return every landed file by its content hash; those that retention removed later too.

    A withdrawn one that was removed is not among them: it can be landed again.
    """
    removed = {
        sha256: lake / path
        for sha256, path in RetentionState.load(lake).removed.items()
        if not deliveries.is_withdrawn(sha256)
    }
    return removed | landed_paths(lake)


def _daily_inputs(settings: Settings) -> list[str]:
    inbox = settings.ingest.inbox
    if not inbox.is_dir():
        raise ConfigurationError(
            f"ingest.inbox: {inbox} is not a folder",
            remedy="Create it, or set ingest.inbox (MQCAP_INGEST__INBOX) to where dumps arrive.",
        )
    return [str(inbox), *settings.ingest.input_paths]


def _take_all(run: _Landing, locations: Sequence[InputLocation], *, settling: bool) -> None:
    """Land every location; recently written ones last, if they have not changed meanwhile."""
    pause_seconds = run.settings.ingest.settle_seconds if settling else 0.0
    recent: list[tuple[InputLocation, str]] = []
    for location in tracked(locations, "look through inputs", "files"):
        try:
            before = location.fingerprint()
            changed_at = location.changed_at()
        except CapacityError as error:
            run.rejected.append(str(error))
            continue
        if changed_at is not None and time.time() - changed_at < pause_seconds:
            recent.append((location, before))
        else:
            _take(run, location, before)
    if recent:
        time.sleep(pause_seconds)
    for location, before in tracked(recent, "land new files", "files"):
        _take(run, location, before)


def _take(run: _Landing, location: InputLocation, before: str) -> None:
    """Land the file of a location, or all files of its archive, unless nothing has changed."""
    remembered = run.seen_inputs.contents(location.name, before)
    if remembered and all(map(run.is_known, remembered)):
        try:
            for sha256 in remembered:
                run.place(sha256, location)
        except CapacityError as error:
            run.rejected.append(str(error))
            return
        run.known_count += len(remembered)
        run.seen_inputs.add(location.name, before, remembered)
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
        run.seen_inputs.add(location.name, before, reading.contents)


@dataclass
class _InputReading:
    """Reading of a file, or of an archive and its members."""

    run: _Landing
    location: InputLocation
    before: str
    """The fingerprint of the location when it was first seen."""
    contents: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def take(self) -> None:
        """Land what is new.

        Raises:
            _StillWrittenError: the location changes meanwhile.
            ConfigurationError: it is an input of several places.
        """
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
        row = self._row(_stored_name(self.location, file), sha256, path.stat().st_size)
        try:
            row["source"] = source_for(path).name
        except CapacityError as error:
            row["problem"] = str(error)
            self.problems.append(str(error))
        else:
            row["received_date"] = self._copy(path, sha256, str(row["source"]))
            self.run.deliveries.receive(sha256)
            self.run.deliveries.take_back(sha256)
        self.run.rows[sha256] = row

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
        """Record a file that cannot be opened, or an archive that cannot be read completely."""
        if isinstance(self.location, LocalLocation) and os.access(self.location.path, os.R_OK):
            path = self.location.path
            sha256 = sha256_of(path)
            row = self._row(printable(path.name), sha256, path.stat().st_size)
            self.run.rows[sha256] = row | {"source": UNOPENED, "problem": problem}

    def _was_rejected(self) -> bool:
        """Return whether the same archive could not be read completely before."""
        if not isinstance(self.location, LocalLocation):
            return False
        path = self.location.path
        unopened = {sha256 for sha256, file in self.run.stored.items() if file.source == UNOPENED}
        name = printable(path.name)
        namesakes = {sha256 for sha256 in unopened if self.run.stored[sha256].name == name}
        return bool(namesakes) and sha256_of(path) in namesakes

    def _row(self, name: str, sha256: str, bytes_count: int) -> dict[str, Any]:
        """Return the row of a file for the store; its source is not known yet."""
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
    """Return the suffix that the decoder needs: CSV without headings needs the formatter's name.

    Of another name only what is a usual suffix: a name may hold and be anything.
    """
    hint = file_hint(path.name)
    if hint is not None:
        return f".{hint}"
    return path.suffix if _SUFFIX.fullmatch(path.suffix) else ""


def _stored_name(location: InputLocation, file: InputFile) -> str:
    """Return ``week.zip!SYS1.smf``; local files have their own name, without folder."""
    if not isinstance(location, LocalLocation):
        return file.name
    return printable(location.path.name) + file.name.removeprefix(location.name)
