"""Cache activity of the volumes of the logs, with the planted share."""

from __future__ import annotations

import numpy as np
import pytest

from devtools.simulator.generate import OTHER_VOLUME, cache_activity_records
from devtools.simulator.spec import ConfiguredFacts, ManagerFeatures
from mqcap.ingest.smf.clock import short_hfp_to_float
from tests.devtools.simulator.builders import part_of, plex_spec, queue_manager
from tests.devtools.simulator.reading import Record, records_in, text

SYSTEMS = plex_spec().systems
VOLUMES = ConfiguredFacts(log_volumes=("MQL001", "MQL002"))


def records(bypass_pct: float) -> list[Record]:
    features = ManagerFeatures(log_bypass_pct=bypass_pct)
    made = queue_manager(1, configured=VOLUMES, features=features)
    return records_in(cache_activity_records(part_of(made), SYSTEMS))


@pytest.mark.parametrize("bypass_pct", [0.0, 0.4, 30.0])
def test_each_volume_of_the_logs_has_the_planted_share_in_every_interval(bypass_pct: float) -> None:
    found = records(bypass_pct)
    assert len(found) == 24
    assert {(record.kind, record.smfid, record.owner) for record in found} == {
        ((74, 5), SYSTEMS[0].smfid, "RMF")
    }
    for record in found:
        devices = record.sections(2)
        assert [text(volume) for volume in devices["r745dvol"]] == [
            "MQL001", "MQL002", OTHER_VOLUME
        ]  # fmt: skip
        counts = {
            name: short_hfp_to_float(devices[name]) for name in ("r745drcr", "r745dwrc", "r745dfwb")
        }
        ios = counts["r745drcr"] + counts["r745dwrc"]
        assert (counts["r745dwrc"] >= 1).all()
        planted = np.array([bypass_pct, bypass_pct, 50]) / 100
        assert np.abs(counts["r745dfwb"] - ios * planted).max() <= 1


def test_writes_follow_the_log() -> None:
    made = queue_manager(1, configured=VOLUMES, features=ManagerFeatures(log_bypass_pct=1))
    found = records_in(cache_activity_records(part_of(made), SYSTEMS))
    writes = [short_hfp_to_float(record.sections(2)["r745dwrc"])[0] for record in found]
    assert writes == (made.log_bytes // 16_384).tolist()


@pytest.mark.parametrize(
    ("configured", "features"),
    [
        (VOLUMES, ManagerFeatures()),
        (ConfiguredFacts(), ManagerFeatures(log_bypass_pct=1)),
    ],
    ids=["no-share", "no-volumes"],
)
def test_without_share_or_volumes_there_are_no_records(
    configured: ConfiguredFacts, features: ManagerFeatures
) -> None:
    made = queue_manager(1, configured=configured, features=features)
    assert cache_activity_records(part_of(made), SYSTEMS) is None
