"""The description of an estate as a file: what is accepted, and what an error names."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from devtools.simulator import load_spec, sample_spec, small_spec
from devtools.simulator.site.site_spec import SiteInput
from devtools.simulator.spec import EstateSpec, MonitorKind
from mqcap.domain.errors import ConfigurationError


def refused(file: Path, **changed: Any) -> str:
    """Return the text with which a small estate that is changed so is refused."""
    file.write_text(yaml.safe_dump(small_spec().model_dump(mode="json") | changed))
    with pytest.raises(ConfigurationError) as raised:
        load_spec(file)
    return str(raised.value)


def plex(**changed: Any) -> list[dict[str, Any]]:
    return [small_spec().sysplexes[0].model_dump(mode="json") | changed]


@pytest.mark.parametrize("spec", [sample_spec(), small_spec()], ids=["sample", "small"])
def test_an_estate_can_be_described_in_a_file(tmp_path: Path, spec: EstateSpec) -> None:
    file = tmp_path / "estate.yaml"
    file.write_text(yaml.safe_dump(spec.model_dump(mode="json")), encoding="utf-8")
    assert load_spec(file) == spec


def test_a_wrong_key_is_named_with_its_place_and_the_complete_example(tmp_path: Path) -> None:
    message = refused(tmp_path / "estate.yaml", sysplexes=plex(qmgr=1))
    assert "sysplexes.0.qmgr: Extra inputs are not permitted" in message
    assert "devtools/simulator/sample.yaml is a complete example" in message


def test_a_queue_manager_on_a_system_that_is_none_of_the_sysplex_is_named(
    tmp_path: Path,
) -> None:
    only = [{"smfid": "TST1", "name": "TST1"}]
    message = refused(tmp_path / "estate.yaml", sysplexes=plex(systems=only))
    assert "system of MQA2 is none of TST1" in message


def test_in_the_sample_each_monitor_has_an_hour_that_smf_lacks_on_a_day_of_its_files() -> None:
    spec = sample_spec()
    sampled = [qmgr for plex in spec.sysplexes for qmgr in plex.qmgrs if qmgr.sampled_by]
    assert {qmgr.sampled_by for qmgr in sampled} == set(MonitorKind)
    for qmgr in sampled:
        [lost] = qmgr.lost_records
        assert 1 - spec.daily_dump_days <= lost.day_offset < 0


def test_in_the_sample_every_further_input_of_a_site_is_written() -> None:
    qmgrs = [qmgr for site in sample_spec().sites for qmgr in site.qmgrs]
    assert sorted(kind for qmgr in qmgrs for kind in qmgr.inputs) == sorted(SiteInput)
    assert all(qmgr.inputs for qmgr in qmgrs if not qmgr.is_scraped_to_the_end)
