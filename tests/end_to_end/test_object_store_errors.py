"""An object store that refuses: one sentence for credentials, read-only buckets, no answer."""

import json
import threading
from collections.abc import Callable, Iterator

import boto3
import pytest
import requests

from mqcap.installation import doctor
from mqcap.installation.check import CheckState
from mqcap.lake import objects as object_store_module
from mqcap.lake.files import remove, write_text
from mqcap.lake.location import Location, open_lake
from mqcap.lake.objects import LakeUnavailable, filesystem
from mqcap.settings import Settings
from tests.object_store import (
    BUCKET,
    SKEWED,
    SLOW_DOWN,
    TROUBLE,
    Answer,
    Rule,
    object_store,
    serving,
)

pytestmark = pytest.mark.end_to_end

READ_ONLY = {"Effect": "Allow", "Action": ["s3:Get*", "s3:List*"], "Resource": "*"}
SECRET = "no-such-secret"


@pytest.fixture(scope="module")
def key() -> Iterator[dict[str, str]]:
    """Key of a user who may only read, at a store that checks who asks."""
    with object_store() as lake:
        write_text(open_lake(lake) / "manifest" / "a.json", "{}")
        users = boto3.client("iam", endpoint_url=serving())
        users.create_user(UserName="reader")
        policy = json.dumps({"Version": "2012-10-17", "Statement": [READ_ONLY]})
        users.put_user_policy(UserName="reader", PolicyName="read", PolicyDocument=policy)
        made = users.create_access_key(UserName="reader")["AccessKey"]
        requests.post(f"{serving()}/moto-api/reset-auth", data="0", timeout=10)
        yield {
            "AWS_ACCESS_KEY_ID": made["AccessKeyId"],
            "AWS_SECRET_ACCESS_KEY": made["SecretAccessKey"],
        }


@pytest.fixture
def lake(key: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Location]:
    for name, value in key.items():
        monkeypatch.setenv(name, value)
    filesystem.cache_clear()
    yield open_lake(f"s3://{BUCKET}/site")
    filesystem.cache_clear()


ASKED: dict[str, Callable[[Location], object]] = {
    "written": lambda lake: write_text(lake / "b", "x"),
    "deleted": lambda lake: (lake / "manifest" / "a.json").unlink(),
    "removed": lambda lake: remove(lake / "manifest"),
    "read": lambda lake: (lake / "manifest" / "a.json").read_bytes(),
    "listed": lambda lake: list(lake.glob("*/*")),
}


@pytest.mark.parametrize("asked", ["written", "deleted", "removed"])
def test_a_bucket_that_may_only_be_read_says_so(lake: Location, asked: str) -> None:
    assert (lake / "manifest" / "a.json").read_bytes() == b"{}"
    assert [place.name for place in lake.glob("manifest/*")] == ["a.json"]
    with pytest.raises(LakeUnavailable, match="cannot be written; found ACCESS_DENIED of") as said:
        ASKED[asked](lake)
    assert "Check the credentials" in str(said.value)


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("name", ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])
def test_wrong_credentials_are_named_and_not_printed(
    lake: Location, monkeypatch: pytest.MonkeyPatch, name: str, asked: str
) -> None:
    monkeypatch.setenv(name, SECRET)
    filesystem.cache_clear()
    with pytest.raises(LakeUnavailable, match="Check the credentials") as said:
        ASKED[asked](lake)
    assert SECRET not in str(said.value)


def test_a_silent_store_is_named(lake: Location, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    filesystem.cache_clear()
    with pytest.raises(LakeUnavailable, match=f"{lake}/a cannot be read; found NETWORK_CONNECTION"):
        (lake / "a").read_bytes()


def test_a_bucket_that_does_not_exist_is_named(
    lake: Location, monkeypatch: pytest.MonkeyPatch, key: dict[str, str]
) -> None:
    requests.post(f"{serving()}/moto-api/reset-auth", data="100", timeout=10)
    with pytest.raises(LakeUnavailable, match=r"NO_SUCH_BUCKET of .*Create the bucket"):
        write_text(open_lake("s3://nowhere/site") / "a", "x")


def test_doctor_names_a_bucket_that_does_not_exist(unguarded: Location) -> None:
    known, unknown = (
        doctor._lake(Settings(lake=f"s3://{bucket}/site")) for bucket in (BUCKET, "nowhere")
    )
    assert unguarded.name == "site"
    assert (known.state, unknown.state) == (CheckState.fine, CheckState.to_do)
    assert unknown.found == "s3://nowhere/site: there is no such bucket"


def refusing(answer: Answer, times: int, method: str = "PUT") -> Rule:
    left = iter(range(times))
    return lambda asked, _: answer if asked == method and next(left, None) is not None else None


@pytest.fixture
def unguarded(monkeypatch: pytest.MonkeyPatch) -> Iterator[Location]:
    """A lake at a store that asks for no credentials; requests are tried twice."""
    monkeypatch.setattr(object_store_module, "ATTEMPTS", 2)
    monkeypatch.setattr(object_store_module, "REQUEST_SECONDS", 2.0)
    with object_store() as address:
        yield open_lake(address)


def test_a_store_that_asks_for_patience_is_asked_again(unguarded: Location) -> None:
    with TROUBLE.by(refusing(SLOW_DOWN, times=1)):
        write_text(unguarded / "a", "x")
        assert TROUBLE.answered == 1
    assert (unguarded / "a").read_bytes() == b"x"


def test_a_store_that_only_asks_for_patience_is_named_nothing_replaced(unguarded: Location) -> None:
    write_text(unguarded / "a", "old")
    unavailable = pytest.raises(LakeUnavailable, match="a cannot be written; found SLOW_DOWN of")
    with TROUBLE.by(refusing(SLOW_DOWN, times=1_000)), unavailable:
        write_text(unguarded / "a", "new")
    assert (unguarded / "a").read_bytes() == b"old"


def test_a_store_that_is_too_slow_is_named(unguarded: Location) -> None:
    write_text(unguarded / "a", "x")
    is_over = threading.Event()
    unavailable = pytest.raises(LakeUnavailable, match="a cannot be read; found NETWORK_CONNECTION")
    with TROUBLE.by(lambda _method, _path: SLOW_DOWN if is_over.wait(30) else None):
        with unavailable:
            (unguarded / "a").read_bytes()
        is_over.set()


def test_a_clock_that_the_store_does_not_accept_is_named(unguarded: Location) -> None:
    refused = pytest.raises(LakeUnavailable, match=r"TIME_TOO_SKEWED of .*Set the clock of this")
    with TROUBLE.by(refusing(SKEWED, times=1_000)), refused:
        write_text(unguarded / "a", "x")
