"""Two sysplexes with systems and queue managers of the same names, from inputs to series."""

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
import yaml

from devtools.simulator import EstateSpec, SimulationResult, generate, small_spec
from mqcap.domain.datasets import FEED_INTERVAL, METRIC_HOURLY, METRIC_PART
from mqcap.settings import Settings, load_settings
from mqcap.settings.loader import FILE_VARIABLE
from mqcap.steps.land import land
from mqcap.steps.observe import observe
from mqcap.store.database import open_store
from mqcap.store.observations import read_observations
from mqcap.store.series import read_series
from spark_apps import decode_and_aggregate
from tests.spark_apps.lakes import dataset_table

pytestmark = pytest.mark.spark
FIRST, LAST = date(2025, 3, 10), date(2025, 3, 11)
NAMES = ("PLEXA", "PLEXB")


def spec_of(name: str) -> EstateSpec:
    """The small estate under another name, with other figures."""
    spec = small_spec()
    [plex] = spec.sysplexes
    renamed = plex.model_copy(update={"name": name})
    return spec.model_copy(update={"sysplexes": (renamed,), "seed": 7 + NAMES.index(name)})


def loaded(folder: Path, estates: Mapping[str, SimulationResult]) -> Settings:
    """A site with the dumps and logs of these sysplexes, each in a folder of its own."""
    folder.mkdir()
    documents = [yaml.safe_load(estate.settings_file.read_text()) for estate in estates.values()]
    inbox = folder / "inbox"
    for name, estate in estates.items():
        (inbox / name).mkdir(parents=True)
        for file in (*estate.dumps, *estate.console_logs):
            (inbox / name / file.name).write_bytes(file.read_bytes())
    document: dict[str, Any] = {
        **documents[0],
        "estate": [part for document in documents for part in document["estate"]],
        "lake": str(folder / "lake"),
        "store": {"url": f"sqlite:///{folder}/store.db"},
        "ingest": {
            "inbox": str(inbox),
            "settle_seconds": 0,
            "inputs": [{"path": str(inbox / name), "sysplex": name} for name in estates],
        },
    }
    file = folder / "platform.yaml"
    file.write_text(json.dumps(document), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FILE_VARIABLE, str(file))
        settings = load_settings()
        engine = open_store(settings.store.url.get_secret_value())
        assert land(settings, engine)["rejected"] == []
        decode_and_aggregate.main(["--lake", settings.lake])
        observe(settings, engine)
        engine.dispose()
    return settings


def rows_about(settings: Settings, dataset: Any, name: str) -> pa.Table:
    table = dataset_table(Path(settings.lake), dataset)
    column = "subject" if "subject" in table.column_names else "series_id"
    return table.filter(pc.match_substring(table[column], f"{name}/")).sort_by(
        [(key, "ascending") for key in dataset.key]
    )


def days_about(settings: Settings, name: str) -> dict[str, list[Any]]:
    engine = open_store(settings.store.url.get_secret_value())
    days = {
        series.series_id: read_observations(engine, series.series_id)
        for series in read_series(engine)
        if series.subject.startswith(f"{name}/")
    }
    engine.dispose()
    return days


@pytest.mark.usefixtures("spark")
def test_two_sysplexes_with_the_same_names_load_as_each_does_alone(tmp_path: Path) -> None:
    estates = {
        name: generate(spec_of(name), tmp_path / name, first_date=FIRST, last_date=LAST)
        for name in NAMES
    }
    both = loaded(tmp_path / "both", estates)
    for name, estate in estates.items():
        alone = loaded(tmp_path / f"only-{name}", {name: estate})
        for dataset in (METRIC_HOURLY, METRIC_PART, FEED_INTERVAL):
            expected = rows_about(alone, dataset, name)
            assert expected.num_rows > 0
            assert rows_about(both, dataset, name).equals(expected)
        expected_days = days_about(alone, name)
        assert expected_days
        assert days_about(both, name) == expected_days
    hours = dataset_table(Path(both.lake), METRIC_HOURLY)
    roots = pc.unique(pc.list_element(pc.split_pattern(hours["subject"], "/"), 0))
    assert sorted(roots.to_pylist()) == list(NAMES)
