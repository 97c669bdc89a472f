"""Other log files, limits and file systems of a distributed queue manager."""

from typing import Any

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate import Estate
from mqcap.domain.metric import SubjectKind
from mqcap.judging.evaluate import DayFacts
from mqcap.whatif.sizes import LOG_FILES_MAX, log_room
from mqcap.whatif.typed_settings import todays_values
from tests.mqcap.judging.observations import with_days
from tests.mqcap.whatif.builders import peak, typed
from tests.mqcap.whatif.distributed import CHANNEL, QMGR, QUEUE, distributed_facts


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> DayFacts:
    return distributed_facts(tmp_path_factory.mktemp("distributed"))


@pytest.mark.parametrize(
    ("subject", "settings", "metric", "expected"),
    [
        (QMGR, {"log_primary_files": 6}, "mq_log_primary_files_count", 6),
        (QMGR, {"log_primary_files": 6}, "mq_log_primary_used_pct", 40),
        (QMGR, {"log_primary_files": 6}, "mq_log_total_used_pct", 30),
        (QMGR, {"log_primary_files": 6}, "mq_log_workload_pct", 30),
        (QMGR, {"log_secondary_files": 5}, "mq_log_primary_used_pct", 80),
        (QMGR, {"log_secondary_files": 5}, "mq_log_total_used_pct", 30),
        (QMGR, {"log_primary_files": 4, "log_secondary_files": 1}, "mq_log_primary_used_pct", 60),
        (QMGR, {"log_primary_files": 4, "log_secondary_files": 1}, "mq_log_total_used_pct", 48),
        (QMGR, {"log_extent_pages": 8_192}, "mq_log_primary_used_pct", 40),
        (QMGR, {"log_extent_pages": 8_192}, "mq_log_total_used_pct", 24),
        (QMGR, {"log_extent_pages": 8_192}, "mq_log_file_pages_count", 8_192),
        (QMGR, {"log_file_system_size_pct": 150}, "mq_log_fs_used_pct", 52),
        (QMGR, {"log_file_system_size_pct": 150}, "mq_qmgr_fs_used_pct", 70),
        (QMGR, {"log_file_system_size_pct": 150}, "mq_log_fs_size_mib", 3_000),
        (QMGR, {"log_primary_files": 6}, "mq_log_fs_used_pct", 78 + 2.4),
        (QMGR, {"log_secondary_files": 5}, "mq_log_fs_used_pct", 78 + 2.4),
        (QMGR, {"log_primary_files": 4, "log_secondary_files": 1}, "mq_log_fs_used_pct", 78),
        (QMGR, {"log_extent_pages": 8_192}, "mq_log_fs_used_pct", 78 + 4),
        (
            QMGR,
            {"log_file_system_size_pct": 150, "log_primary_files": 6},
            "mq_log_fs_used_pct",
            (78 + 2.4) / 1.5,
        ),
        (QMGR, {"data_file_system_size_pct": 140}, "mq_qmgr_fs_used_pct", 50),
        (QMGR, {"max_channels": 500}, "mq_max_channels_count", 500),
        (QMGR, {"max_channels": 500}, "mq_connection_count", 250),
        (QUEUE, {"max_depth": 10_000}, "mq_queue_depth_used_pct", 30),
        (QUEUE, {"max_depth": 10_000}, "mq_queue_depth_max_count", 10_000),
        (QUEUE, {"max_file_mib": 200}, "mq_queue_file_used_pct", 25),
        (CHANNEL, {"max_instances": 160}, "mq_channel_instance_max_count", 160),
        (CHANNEL, {"max_instances": 160}, "mq_channel_instance_count", 80),
        (CHANNEL, {"max_client_instances": 12}, "mq_channel_client_instance_max_count", 12),
    ],
)
def test_what_is_in_use_stays_the_same_amount(
    known: DayFacts, subject: str, settings: dict[str, Any], metric: str, expected: float
) -> None:
    assert peak(typed(known, subject, **settings), metric, subject) == pytest.approx(expected)


def lacking(known: DayFacts, metric: str) -> DayFacts:
    days = [day for day in known.observed.every_day() if day.metric != metric]
    return known._replace(observed=with_days(known.observed, days))


@pytest.mark.parametrize("unknown", ["mq_log_fs_size_mib", "mq_log_file_pages_count"])
def test_without_its_size_the_file_system_of_the_log_stays_as_it_is(
    known: DayFacts, unknown: str
) -> None:
    without = lacking(known, unknown)
    assert not log_room(without, QMGR).is_known
    made = typed(without, QMGR, log_primary_files=6)
    assert peak(made, "mq_log_fs_used_pct", QMGR) == 78


def test_a_typed_size_counts_where_none_is_measured(known: DayFacts) -> None:
    qmgr = {"name": "QM1", "log_file_system_mib": 1_000}
    estate = Estate.model_validate({"places": [{"site": "EAST", "qmgrs": [qmgr]}]})
    assert log_room(known._replace(estate=estate), QMGR).size_mib == 2_000
    configured = lacking(known, "mq_log_fs_size_mib")._replace(estate=estate)
    assert log_room(configured, QMGR) == (1_000, 16, "mq_log_fs_used_pct")
    made = typed(configured, QMGR, log_primary_files=6)
    assert peak(made, "mq_log_fs_used_pct", QMGR) == pytest.approx(78 + 4.8)
    [effect] = [effect for effect in made.effects if effect.metric == "mq_log_fs_used_pct"]
    assert effect.lines[0].startswith("48 MiB of log files / 1,000 MiB = 4.8 points")


@pytest.mark.parametrize("files", [(509, 1), (509, 2), (510, 1)])
def test_a_log_may_have_511_files(known: DayFacts, files: tuple[int, int]) -> None:
    assert typed(known, QMGR, log_primary_files=files[0], log_secondary_files=files[1])


@pytest.mark.parametrize("secondary", [{}, {"log_secondary_files": 2}])
def test_a_log_has_no_more_than_511_files_with_the_secondary_ones_of_today(
    known: DayFacts, secondary: dict[str, int]
) -> None:
    problem = f"510 primary and 2 secondary.* at most {LOG_FILES_MAX} together"
    with pytest.raises(ConfigurationError, match=problem):
        typed(known, QMGR, log_primary_files=510, **secondary)


@pytest.mark.parametrize(
    ("settings", "metric"),
    [
        ({"log_primary_files": 4}, "mq_log_primary_files_count"),
        ({"log_extent_pages": 8_192}, "mq_log_file_pages_count"),
        ({"log_file_system_size_pct": 150}, "mq_log_fs_used_pct"),
        ({"max_channels": 500}, "mq_max_channels_count"),
    ],
)
def test_without_the_figure_of_today_a_change_is_refused(
    known: DayFacts, settings: dict[str, Any], metric: str
) -> None:
    without = lacking(known, metric)
    with pytest.raises(ConfigurationError, match=f"{metric} of {QMGR} is not measured"):
        typed(without, QMGR, **settings)


def test_values_of_today_are_offered(known: DayFacts) -> None:
    assert todays_values(known, QMGR, SubjectKind.distributed_queue_manager) == {
        "data_file_system_size_pct": 100,
        "log_file_system_size_pct": 100,
        "log_primary_files": 3,
        "log_secondary_files": 2,
        "max_channels": 400,
    }
    queue = todays_values(known, QUEUE, SubjectKind.distributed_queue)
    assert queue == {"max_depth": 5_000, "max_file_mib": 100}
    channel = todays_values(known, CHANNEL, SubjectKind.distributed_channel)
    assert channel == {"max_instances": 100, "max_client_instances": 20}
