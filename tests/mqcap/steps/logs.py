"""Console and error logs as landing leaves them, and the states recorded of them."""

import hashlib
from datetime import date
from pathlib import Path

from sqlalchemy import Engine

from mqcap.lake.landed_places import LandedPlaces, landed_files
from mqcap.lake.layout import landing_folder
from mqcap.settings import Settings
from mqcap.steps.console_states import record_states
from mqcap.store.feeds import upsert_source_files
from spark_apps.decode_file import DecodeOptions, decode_file
from tests.factories import source_file


def land_log(
    settings: Settings, engine: Engine, source: str, day: date, file: Path, root: str = ""
) -> None:
    lake, sha256 = Path(settings.lake), hashlib.sha256(file.read_bytes()).hexdigest()
    folder = landing_folder(lake, source, day)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{sha256}{file.suffix}").write_bytes(file.read_bytes())
    stored = source_file(sha256=sha256, name=file.name, source=source, received_date=day)
    upsert_source_files(engine, [stored])
    places = LandedPlaces.load(lake)
    places.put(sha256, root, file.name, lambda _name: True)
    places.save()


def decoded_states(settings: Settings, engine: Engine, day: date, **zones: str) -> dict[str, int]:
    lake = Path(settings.lake)
    for landed in landed_files(lake):
        decode_file(landed, DecodeOptions(lake, 0.0, zones))
    return record_states(settings, engine, lake, [day])
