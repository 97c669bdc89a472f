"""The configuration of the estate under a scenario."""

from typing import Any

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate import Estate
from mqcap.whatif.overlay import estate_changes, estate_under
from mqcap.whatif.scenario import Scenario
from tests.mqcap.whatif.builders import CHINIT, POOL, STRUCTURE

ESTATE = Estate.model_validate(
    {
        "sysplexes": [
            {
                "sysplex": "PLEX1",
                "qmgrs": [{"name": "CSQ1", "active_log_size_mib": 2_000, "archive_minutes": 4}],
                "cfs": [{"name": "CF01"}],
                "linux": [{"name": "LNX1", "log_file_pages": 4_096}],
                "ztpf": [{"name": "TPF1", "mqm_blocks": 1_000}],
            }
        ],
        "places": [
            {
                "site": "EAST",
                "hosts": [{"name": "mq1"}],
                "ztpf": [{"name": "TPF1"}],
                "qmgrs": [{"name": "QM/1", "consumer_away_minutes": 5}],
            }
        ],
    }
)


def under(subject: str, **settings: Any) -> Any:
    """The sysplex, or the site, with these settings of one of its subjects; the other stays."""
    scenario = Scenario.model_validate({"configuration": [{"subject": subject, **settings}]})
    found = estate_under(ESTATE, estate_changes(scenario))
    if subject.startswith("EAST/"):
        assert found.sysplexes == ESTATE.sysplexes
        return found.places[0]
    assert found.places == ESTATE.places
    return found.sysplexes[0]


def test_without_settings_the_estate_is_the_same() -> None:
    assert estate_under(ESTATE, estate_changes(Scenario())) is ESTATE


def test_a_setting_of_the_channel_initiator_is_that_of_its_queue_manager() -> None:
    assert under(CHINIT, omvs_maxprocuser=200).qmgrs[0].omvs_maxprocuser == 200


def test_a_setting_of_a_pool_or_structure_is_set_in_its_entry() -> None:
    [pool] = under(POOL, short_lived=True).qmgrs[0].buffer_pools
    assert (pool.number, pool.short_lived) == (1, True)
    [structure] = under(STRUCTURE, duplexed=True).cfs[0].structures
    assert (structure.name, structure.duplexed) == ("QSG1APPL1", True)


def test_systems_beside_the_queue_managers_keep_their_own_keys() -> None:
    assert under("PLEX1/LNX1", log_file_pages=16_384).linux[0].log_file_pages == 16_384
    assert under("EAST/mq1", log_file_pages=16_384).hosts[0].log_file_pages == 16_384
    for root in ("PLEX1", "EAST"):
        assert under(f"{root}/TPF1", mqm_blocks=2_000).ztpf[0].mqm_blocks == 2_000


def test_a_queue_manager_that_is_not_listed_is_added() -> None:
    assert [qmgr.name for qmgr in under("PLEX1/CSQ9", active_logs=8).qmgrs] == ["CSQ1", "CSQ9"]


def test_archiving_takes_longer_with_a_larger_log_unless_its_time_is_stated() -> None:
    assert under("PLEX1/CSQ1", active_log_size_mib=4_000).qmgrs[0].archive_minutes == 8
    stated = under("PLEX1/CSQ1", active_log_size_mib=4_000, archive_minutes=5)
    assert stated.qmgrs[0].archive_minutes == 5


def test_a_value_that_the_estate_refuses_is_an_error_with_its_key() -> None:
    with pytest.raises(ConfigurationError, match="sets interval_minutes out of range"):
        under("PLEX1/CSQ1", interval_minutes=2_000)


def test_a_setting_of_a_queue_is_not_that_of_its_queue_manager() -> None:
    [qmgr] = under("EAST/QM%2F1/APP.IN", consumer_away_minutes=60).qmgrs
    assert qmgr.consumer_away_minutes == 5
    assert [(queue.name, queue.consumer_away_minutes) for queue in qmgr.queues] == [("APP.IN", 60)]
    [qmgr] = under("EAST/QM%2F1", consumer_away_minutes=60).qmgrs
    assert (qmgr.name, qmgr.consumer_away_minutes, qmgr.queues) == ("QM/1", 60, ())


@pytest.mark.parametrize(
    ("subject", "key", "value", "kind"),
    [
        ("PLEX1/CF01", "active_logs", 8, "coupling facility"),
        ("EAST/QM%2F1", "log_file_pages", 4_096, "distributed queue manager"),
        ("EAST/QM%2F1/APP.IN", "duplexed", True, "distributed queue"),
        ("EAST/mq1", "mqm_blocks", 2_000, "linux host"),
    ],
)
def test_a_key_of_another_kind_is_refused_with_the_keys_there_are(
    subject: str, key: str, value: object, kind: str
) -> None:
    problem = f"{subject} is a {kind} and has no setting {key}; expected one of: "
    with pytest.raises(ConfigurationError, match=problem):
        under(subject, **{key: value})
