"""Printed inputs (formatter CSV and JSON, RMF reports) through landing, decode and aggregate."""

import shutil
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pytest
import yaml
from pyspark.sql import SparkSession

from mqcap.lake.manifest import manifests
from mqcap.settings import load_settings
from mqcap.settings.loader import FILE_VARIABLE
from mqcap.steps.land import land
from mqcap.store.database import open_store
from spark_apps import decode_and_aggregate
from tests.shared import shared_cases, shared_dir
from tests.spark_apps.lakes import hourly_table

pytestmark = pytest.mark.spark
SHARED = shared_dir()
SMF = None if SHARED is None else SHARED / "data" / "smf"
NOT_IN_PRINT = {"accounting_mib_per_day", "channel_batch_messages", "shared_queue_depth_count"}
"""Bytes of 116 and batches of 116.10, of which the formatter prints no interval; the flag word of a
queue, without which its depth may be that of a partial record."""
ACCOUNTING_SIZES: Final = {("accounting_mib_per_day", "MQ1O"), ("accounting_mib_per_day", "MQ21")}
NOT_IN_FORM: Final[Mapping[str, set[tuple[str, str]]]] = {
    "json": ACCOUNTING_SIZES,
    "json_compact": ACCOUNTING_SIZES,
    "csv": ACCOUNTING_SIZES
    | {(name, "MQ1O") for name in ("call_cpu_pct", "skips_per_get", "uow_messages_count")},
}
"""Of IBM's MQ 10.0 dump; docs/inputs.md lists them."""
ESTATE = {
    "estate": [
        {
            "sysplex": "PLEXP",
            "timezone": "Etc/GMT+5",
            "smfids": ["PRD1", "PRD2"],
            "qmgrs": [{"name": "MQP1", "chinit_31bit_limit_mib": 1588}],
        }
    ]
}


def hourly_of(lake: Path, folder: Path, inputs: list[str]) -> pa.Table:
    """Land the inputs and compute the hourly metrics of the lake."""
    settings = load_settings(lake=str(lake))
    landing = land(settings, open_store(f"sqlite:///{folder}/store.db"), inputs)
    assert landing["rejected"] == []
    decode_and_aggregate.main(["--lake", str(lake)])
    assert [manifest.problem for manifest in manifests(lake) if manifest.problem] == []
    return hourly_table(lake)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "platform.yaml"
    file.write_text(yaml.safe_dump(ESTATE))
    monkeypatch.setenv(FILE_VARIABLE, str(file))
    return tmp_path


@pytest.mark.parametrize("smf", shared_cases([pytest.param(SMF, id="mini")]))
def test_metrics_of_printed_rows_are_those_of_the_records_which_outrank_them(
    spark: SparkSession, site: Path, smf: Path
) -> None:
    records = [str(smf / "mini.rdw.smf"), str(smf / "mini_cf.rdw.smf")]
    recorded = hourly_of(site / "records", site, records)
    archive = shutil.make_archive(str(site / "printed"), "zip", smf / "expected" / "mini.csv")
    printed = hourly_of(site / "lake", site, [archive, str(smf / "cf_inputs")])
    of_cf = pc.field("metric").isin(["cf_busy_pct", "cf_storage_used_pct"])
    of_mq = ~pc.match_substring(pc.field("subject"), "/CFP")
    from_records, from_print = (table.filter(of_mq).to_pylist() for table in (recorded, printed))
    assert len(from_records) > 50
    assert [row for row in from_print if row not in from_records] == []
    lost = {row["metric"] for row in from_records if row not in from_print}
    assert lost == NOT_IN_PRINT
    reported = {row["metric"]: row for row in printed.filter(of_cf).to_pylist()}
    facility = pc.field("subject") == "PLEXP/CFP1"
    for row in recorded.filter(of_cf & facility).to_pylist():
        first_interval = 2 * row["value"] - row["peak"]  # of two, the second is the higher one
        assert reported[row["metric"]]["value"] == pytest.approx(first_interval, rel=0.005)
    both = hourly_of(site / "lake", site, [*records, str(smf / "expected" / "mini.mqsmf.jsonl.gz")])
    assert both.equals(recorded)


@pytest.mark.parametrize("smf", shared_cases([pytest.param(SMF, id="MQ 10.0")]))
def test_each_form_of_the_mq_10_dump_of_ibm_has_its_figures_but_those_that_are_listed(
    spark: SparkSession, site: Path, smf: Path
) -> None:
    of_ibm = {"sysplex": "PLEX1", "timezone": "Europe/London", "smfids": ["MV4A"]}
    (site / "platform.yaml").write_text(yaml.safe_dump({"estate": [of_ibm]}))
    real = smf / "real"

    def figures(form: str, path: Path) -> dict[tuple[str, str, Any], dict[str, Any]]:
        rows = hourly_of(site / form, site, [str(path)]).to_pylist()
        return {(row["metric"], row["subject"], row["hour_utc"]): row for row in rows}

    dumped = figures("dat", real / "SMF_MQ1000.dat.gz")
    for form, lacks in NOT_IN_FORM.items():
        unpacked = site / f"unpacked_{form}"
        unpacked.mkdir()
        with tarfile.open(real / f"SMF_MQ1000.{form}.tar.xz") as archive:
            for member in archive:
                if content := archive.extractfile(member):
                    (unpacked / Path(member.name).name).write_bytes(content.read())
        printed = figures(form, unpacked)
        assert {(name, subject[6:]) for name, subject, _ in dumped.keys() - printed.keys()} == lacks
        assert printed.keys() <= dumped.keys()
        for key, row in printed.items():
            # intervals of less than a second: the end of the printed one has hundredths
            assert row["value"] == pytest.approx(dumped[key]["value"], rel=0.003, abs=0.002), key
