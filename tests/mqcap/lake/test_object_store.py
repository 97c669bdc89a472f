"""Failures of an object store in one sentence, without what the store says of credentials."""

from __future__ import annotations

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.lake.object_store import LakeUnavailable, filesystem, using
from mqcap.lake.objects import ObjectLocation

PLACE = ObjectLocation("memory", ("lake", "a"))
ANSWER = "When reading 'a' in bucket 'lake': AWS Error {} during {} operation: key AKIA1 is wrong"


@pytest.mark.parametrize(
    ("code", "operation", "remedy"),
    [
        ("ACCESS_DENIED", "PutObject", "Check the credentials"),
        ("INVALID_ACCESS_KEY_ID", "GetObject", "Check the credentials"),
        ("NO_SUCH_BUCKET", "ListObjectsV2", "Create the bucket"),
        ("NETWORK_CONNECTION", "HeadObject", "Check that this machine reaches"),
        ("UNKNOWN (HTTP status 503)", "GetObject", "Check that this machine reaches"),
    ],
)
def test_a_failure_says_what_was_refused_and_what_to_do(
    code: str, operation: str, remedy: str
) -> None:
    with pytest.raises(LakeUnavailable) as raised, using(PLACE, "read"):
        raise OSError(ANSWER.format(code, operation))
    sentence = str(raised.value)
    assert sentence.startswith(f"memory://lake/a cannot be read; found {code} of {operation}. ")
    assert remedy in sentence
    assert "AKIA1" not in sentence
    assert raised.value.__cause__ is None


def test_objects_that_cannot_be_deleted_are_refused() -> None:
    refused = pytest.raises(LakeUnavailable, match="found ACCESS_DENIED of DeleteObjects")
    with refused, using(PLACE, "written"):
        raise OSError("Got the following 1 errors when deleting objects in S3 bucket 'lake': x")


def test_an_unknown_failure_has_its_kind() -> None:
    with pytest.raises(LakeUnavailable, match="found OSError"), using(PLACE, "listed"):
        raise OSError("something else")


def test_what_does_not_exist_and_what_the_disk_says_stay_as_they_are() -> None:
    for error in (FileNotFoundError("a"), OSError(28, "No space left on device")):
        with pytest.raises(type(error)) as raised, using(PLACE, "read"):
            raise error
        assert raised.value is error


def test_a_kind_of_store_that_is_not_known_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="kind nosuch:// cannot be opened"):
        filesystem("nosuch")
