"""Instances of server-connection channels, with the limits that a site has set."""

from __future__ import annotations

import pytest

from spark_apps.metrics import distributed
from tests.spark_apps.rows import HALF_HOUR, START, levels, samples

SUBJECT = "EAST/QM1/CHANNEL/APP%2FA"


def of(figure: str, value: float, **changed: object) -> dict[str, object]:
    return {"figure": figure, "object": "APP/A", "value": value, **changed}


def limited(limit: float) -> dict[tuple[str, str], list[float]]:
    rows = samples(of("channel_instance_count", 40.0), of("channel_instance_max_count", limit))
    return levels(distributed.channel_instances(rows))


@pytest.mark.parametrize("limit", [1.0, 50.0, 999_999_998.0])
def test_instances_have_the_limit_that_is_set(limit: float) -> None:
    assert limited(limit) == {
        ("mq_channel_instance_count", SUBJECT): [40.0],
        ("mq_channel_instance_max_count", SUBJECT): [limit],
    }


@pytest.mark.parametrize("limit", [0.0, 999_999_999.0])
def test_the_default_and_what_a_collector_does_not_know_are_no_limits(limit: float) -> None:
    assert limited(limit) == {("mq_channel_instance_count", SUBJECT): [40.0]}


def test_instances_of_one_client_have_a_limit_of_their_own() -> None:
    rows = samples(
        of("channel_client_instance_count", 5.0),
        of("channel_client_instance_max_count", 20.0),
        of("channel_instance_max_count", 50.0),
    )
    assert levels(distributed.channel_instances(rows)) == {
        ("mq_channel_client_instance_count", SUBJECT): [5.0],
        ("mq_channel_client_instance_max_count", SUBJECT): [20.0],
    }


def test_a_count_that_every_instance_tells_counts_once() -> None:
    rows = samples(*[of("channel_instance_count", 3.0, file_sha256=name) for name in "abc"])
    assert levels(distributed.channel_instances(rows)) == {
        ("mq_channel_instance_count", SUBJECT): [3.0]
    }


def test_a_raised_limit_leaves_the_instances_as_they_were() -> None:
    later = {"reported_utc": START + HALF_HOUR}
    rows = samples(
        of("channel_instance_count", 40.0),
        of("channel_instance_max_count", 50.0),
        of("channel_instance_count", 40.0, **later),
        of("channel_instance_max_count", 80.0, **later),
    )
    found = levels(distributed.channel_instances(rows))
    assert found[("mq_channel_instance_count", SUBJECT)] == [40.0, 40.0]
    assert found[("mq_channel_instance_max_count", SUBJECT)] == [50.0, 80.0]
