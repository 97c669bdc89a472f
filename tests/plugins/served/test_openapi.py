"""Every route against its OpenAPI document, with any text, number and day as parameters.

No server error, no answer that the document does not have, none that takes long: on SQLite and
PostgreSQL where the database is asked for what was sent.
"""

import importlib
import time
from datetime import date
from typing import Any, Final

import httpx
import pytest
import schemathesis
from fastapi.openapi.utils import get_openapi
from hypothesis import given, settings
from hypothesis import strategies as st
from schemathesis import Case
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from mq_capacity_page.api.routes import api_description
from mq_capacity_page.application import create_application
from mq_capacity_page.pages.data import dag_runs
from tests.plugins import builder
from tests.plugins.served.test_every_route import FILLED, FORM, QUERY, SERVED
from tests.plugins.web import Manager, TestClient

MOST_SECONDS: Final = 3.0
"""Of the processor, so that a busy machine fails no test."""
EXAMPLES: Final = 10
PAGES: Final = get_openapi(title="pages", version="1", routes=create_application().routes)
API: Final = api_description()
JSONSCHEMA: Final = importlib.import_module("jsonschema")
BEYOND_THE_DOCUMENT: Final[list[Any]] = [negative_data_rejection, positive_data_acceptance]
"""Unknown parameters are ignored, and no document can say which days a site may ask for."""
TEXTS: Final = st.text(max_size=20) | st.sampled_from(
    ["", "%", "_", "'", "\\", "/", "PLEX1", "a\0b", "\ud7ff\ue000", "𝄞", "1" * 5_000]
)


@pytest.fixture
def reader(
    store_url: str, person: TestClient, manager: Manager, monkeypatch: pytest.MonkeyPatch
) -> TestClient:
    """A user who may read and write."""
    monkeypatch.setenv("MQCAP_STORE__URL", store_url)
    monkeypatch.setattr(dag_runs, "day_of_run", lambda *_: builder.DAY)
    monkeypatch.setattr(dag_runs, "last_runs", list)
    manager.rights = {"GET", "PUT"}
    return person


def operations() -> list[Any]:
    """Path and operation of everything that is read."""
    return [
        pytest.param(path, methods["get"], id=path)
        for path, methods in PAGES["paths"].items()
        if "get" in methods
    ]


def values(parameter: dict[str, Any]) -> st.SearchStrategy[str]:
    """What may be sent for a parameter: of its type, at its bounds and beyond, and any text."""
    schema = parameter.get("schema", {})
    kinds = [schema, *schema.get("anyOf", [])]
    chosen = [TEXTS]
    if parameter["name"] in QUERY:
        chosen.append(st.just(QUERY[parameter["name"]]))
    for kind in kinds:
        if kind.get("type") in {"integer", "number"}:
            bounds = [kind[key] for key in ("minimum", "maximum") if key in kind]
            near = [bound + step for bound in bounds for step in (-1, 0, 1)]
            chosen += [st.integers().map(str), st.sampled_from([0, 2**63, *near]).map(str)]
        if kind.get("format") == "date":
            days = st.sampled_from([date.min, date.max, builder.DAY]) | st.dates()
            chosen.append(days.map(str))
        if kind.get("type") == "boolean":
            chosen.append(st.sampled_from(["true", "false"]))
        name = kind.get("$ref", "").rpartition("/")[2]
        if name:
            chosen.append(st.sampled_from(PAGES["components"]["schemas"][name]["enum"]))
    return st.one_of(chosen)


def queries(operation: dict[str, Any]) -> st.SearchStrategy[dict[str, str]]:
    """Parameters of an operation, optional ones with and without a value."""
    wanted = [each for each in operation.get("parameters", []) if each["in"] == "query"]
    return st.fixed_dictionaries(
        {each["name"]: values(each) for each in wanted if each.get("required")},
        optional={each["name"]: values(each) for each in wanted if not each.get("required")},
    )


@pytest.mark.parametrize(("path", "operation"), operations())
def test_no_parameter_makes_a_route_fail_take_long_or_answer_what_is_not_documented(
    path: str, operation: dict[str, Any], reader: TestClient
) -> None:
    @settings(max_examples=EXAMPLES)
    @given(query=queries(operation))
    def ask(query: dict[str, str]) -> None:
        begin = time.process_time()
        answer = reader.get(path.format(**FILLED), params=query)
        assert time.process_time() - begin < MOST_SECONDS
        assert answer.status_code < 500
        has_nul = any("\0" in value for value in query.values())
        assert (answer.status_code == 400) == has_nul
        if path in API["paths"]:
            assert_documented(API["paths"][path]["get"]["responses"], query, answer)

    ask()


def assert_documented(
    responses: dict[str, Any], query: dict[str, str], answer: httpx.Response
) -> None:
    """An answer of the REST API is one of its document."""
    assert str(answer.status_code) in responses
    documented = responses[str(answer.status_code)].get("content", {})
    kind = answer.headers["content-type"].partition(";")[0]
    is_file = query.get("form") in {"csv", "parquet"} and answer.status_code == 200
    if documented and not is_file:
        schema = {**documented[kind]["schema"], "components": API["components"]}
        JSONSCHEMA.validate(answer.json(), schema)


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("path", [path for path, of in API["paths"].items() if "get" in of])
def test_schemathesis_finds_nothing_wrong_with_the_rest_api(path: str, reader: TestClient) -> None:
    operation = schemathesis.openapi.from_dict(API)[path]["GET"]

    @settings(max_examples=EXAMPLES)
    @given(case=operation.as_strategy())
    def ask(case: Case[Any]) -> None:
        answer = reader.request(case.method, case.formatted_path, params=case.query)
        case.validate_response(answer, excluded_checks=BEYOND_THE_DOCUMENT)

    ask()


@pytest.mark.parametrize("store_url", ["postgresql"], indirect=True)
@pytest.mark.parametrize(("method", "address"), [each for each in SERVED if each[0] == "POST"])
@pytest.mark.parametrize("field", sorted(FORM))
def test_a_form_with_a_nul_character_is_refused(
    method: str, address: str, field: str, reader: TestClient
) -> None:
    answer = reader.request(method, address, data={**FORM, field: "a\0b"})
    assert answer.status_code in {400, 404, 422}
