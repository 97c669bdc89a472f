from typing import Any

import pytest

from mqcap.domain.distributed.site_figure import DeclaredFigure
from mqcap.domain.estate import Estate, Sysplex
from mqcap.domain.estate.places import Place
from mqcap.lake.manifest import SiteFigureFact
from mqcap.steps.load_problems import (
    SMF_OF_SAMPLES,
    beside_smf,
    load_problems,
    place_problems,
    refused,
)
from spark_apps.catalogue import catalogue
from tests.spark_apps.manifests import DAY, NEXT, manifest

QM1 = {"name": "QM1"}
ESTATE = Estate(
    places=(
        Place.model_validate({"site": "EAST", "qmgrs": [QM1, {"name": "BOTH"}]}),
        Place.model_validate({"site": "WEST", "qmgrs": [{"name": "BOTH"}]}),
    )
)
SAMPLES: dict[str, Any] = {"rows": {"qmgr_sample": 1}}


def test_a_file_that_gave_nothing_is_refused() -> None:
    assert refused([manifest("a", problem="a.smf: ends in the middle.")])
    assert not refused([manifest()])


def test_a_queue_manager_of_one_place_and_what_a_file_lacks_are_nothing_to_report_here() -> None:
    partly = manifest("a", problems=("1 sample left out.",), **SAMPLES)
    assert list(load_problems([partly], {}, ESTATE)) == []
    assert list(load_problems([manifest(qmgrs=("QM1",), **SAMPLES)], {}, ESTATE)) == []


@pytest.mark.parametrize(("step", "count"), [(0, 0), (60, 0), (60.5, 1)])
def test_a_step_above_that_of_the_scrapes_is_reported(step: float, count: int) -> None:
    coarse = manifest("a", qmgrs=("QM1",), scrape_step_seconds=step, **SAMPLES)
    found = list(load_problems([coarse], {"a": "prom.json"}, ESTATE))
    assert len(found) == count
    assert all("above the scrape_seconds of EAST (60)" in sentence for sentence in found)


def test_a_queue_manager_of_no_place_or_of_several_is_reported() -> None:
    made = manifest("a", qmgrs=("BOTH", "qm1"), **SAMPLES)
    both, none = load_problems([made], {"a": "prom.json"}, ESTATE)
    assert both.startswith("prom.json: queue manager BOTH is in several sites (EAST, WEST)")
    assert none.endswith("until an entry of estate lists it: qmgrs: [{name: qm1}].")


@pytest.mark.parametrize(
    ("root", "texts"),
    [
        ("WEST", ["QM1 is not listed by WEST, of which the file is by ingest.inputs"]),
        ("EAST", []),
        ("GONE", ["BOTH is in several sites"]),
    ],
)
def test_the_site_of_the_input_tells_queue_managers_apart(root: str, texts: list[str]) -> None:
    made = manifest("a", qmgrs=("BOTH", "QM1"), root=root, **SAMPLES)
    found = list(load_problems([made], {"a": "prom.json"}, ESTATE))
    assert len(found) == len(texts)
    assert all(text in sentence for text, sentence in zip(texts, found, strict=True))


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({}, ""),
        ({"unit": ""}, ""),
        ({"figure": "host_cpu_busy_pct"}, ""),
        ({"has_step": False, "figure": "hourly"}, ""),
        ({"figure": "disk"}, "disk is declared in no entry of site_figures of the settings"),
        ({"unit": "MiB"}, "pool is in MiB; its unit is %"),
        ({"root": "NORTH"}, "pool is of NORTH, which is no sysplex or site of the estate"),
        ({"has_step": False}, "pool is of subjects of EAST with a single value in the file"),
    ],
)
def test_a_site_figure_without_a_series_is_reported(changed: dict[str, Any], reason: str) -> None:
    declared = (
        DeclaredFigure(figure="pool", label="Pool", unit="%"),
        DeclaredFigure(figure="hourly", label="Hourly", unit="%", step_seconds=3_600),
    )
    estate = ESTATE.model_copy(update={"site_figures": declared})
    facts = {"root": "EAST", "figure": "pool", "unit": "%", "has_step": True, **changed}
    made = manifest("a", site_figures=(SiteFigureFact.model_validate(facts),), **SAMPLES)
    found = list(load_problems([made, made], {"a": "figures.csv"}, estate))
    assert len(found) == (2 if reason else 0)
    assert all(each.startswith(f"figures.csv: site figure {reason}") for each in found)


def test_a_system_of_no_place_or_of_several_is_reported() -> None:
    east = Place.model_validate({"site": "EAST", "ztpf": [{"name": "TPF1"}, {"name": "TPF2"}]})
    west = Place.model_validate({"site": "WEST", "ztpf": [{"name": "TPF2"}]})
    made = manifest("a", ztpf_systems=("TPF1", "TPF2", "tpf1"), rows={"ztpf_sweep": 1})
    both, none = load_problems([made], {"a": "day.txt"}, Estate(places=(east, west)))
    assert both.startswith("day.txt: z/TPF system TPF2 is in several sites (EAST, WEST)")
    assert none.endswith("until an entry of estate lists it: ztpf: [{name: tpf1}].")


OF_MONITOR = manifest("b", rows={"zos_sample": 4}, hour_dates=(DAY, NEXT))


@pytest.mark.parametrize("dataset", SMF_OF_SAMPLES)
def test_samples_of_dates_that_smf_has_are_told_to_count_where_it_lacks(dataset: str) -> None:
    smf = manifest("a", rows={dataset: 1})
    [sentence] = beside_smf([OF_MONITOR, smf], [OF_MONITOR, smf], {"b": "kmq.jsonl"})
    assert sentence.startswith("kmq.jsonl: SMF was loaded for 1 of the 2 UTC dates sampled; in")


def test_nothing_is_told_of_samples_that_no_smf_is_beside_or_of_other_dates() -> None:
    for rows in ({"section_qjst": 1}, {"section_qis1": 0}, {"zos_sample": 1}):
        assert list(beside_smf([OF_MONITOR], [OF_MONITOR, manifest("a", rows=rows)], {})) == []
    both = [
        manifest("b", rows={"zos_sample": 4}, hour_dates=(NEXT,)),
        manifest("a", rows={"section_qis1": 1}),
    ]
    assert list(beside_smf(both, both, {})) == []


@pytest.mark.parametrize(
    ("count", "begin"),
    [(1, "a.jsonl: "), (2, "a.jsonl and 1 other file: "), (3, "a.jsonl and 2 other files: ")],
)
def test_many_files_of_samples_are_one_sentence(count: int, begin: str) -> None:
    files = [OF_MONITOR.model_copy(update={"sha256": name}) for name in "cba"[3 - count :]]
    smf = manifest("s", rows={"section_qis1": 1})
    names = {file.sha256: f"{file.sha256}.jsonl" for file in files}
    [sentence] = beside_smf(files, [*files, smf], names)
    assert sentence.startswith(f"{begin}SMF was loaded for 1 of the 2 UTC dates")


def test_the_datasets_are_those_that_the_sampled_series_give_way_to() -> None:
    reads = {
        dataset for metric in catalogue()["sampled.queue_managers"] for dataset in metric.reads
    }
    assert reads == {"zos_sample", *SMF_OF_SAMPLES}


ESTATE_OF_PLACE_PROBLEMS = Estate(
    sysplexes=(
        Sysplex(sysplex="PLEXA", smfids=("SYS1", "SYS2")),
        Sysplex(sysplex="PLEXB", smfids=("SYS1", "SYS3")),
    )
)


def problems(**facts: Any) -> list[str]:
    made = manifest("a", **facts)
    return list(place_problems(made, "day.smf", [made], ESTATE_OF_PLACE_PROBLEMS))


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        ({"smfids": ("SYS2",)}, ""),
        ({"smfids": ("SYS9",)}, ""),
        ({"root": "PLEXA"}, ""),
        ({"root": "PLEXB", "smfids": ("SYS1", "SYS3", "SYS9")}, ""),
        ({"sysplex_by_smfid": {"SYS1": "PLEXB"}}, ""),
        ({"root": "PLEXA", "sysplex_by_smfid": {"SYS1": "PLEX1"}}, ""),
        ({"smfids": ()}, ""),
        ({}, "no entry of ingest.inputs with a sysplex"),
        ({}, "system SYS1 is in several sysplexes (PLEXA, PLEXB) and the "),
        (
            {"root": "PLEXA", "smfids": ("SYS3",)},
            "system SYS3 is of PLEXB in estate and of PLEXA by ingest.inputs",
        ),
        (
            {"root": "PLEXA", "sysplex_by_smfid": {"SYS1": "PLEXB"}},
            "SYS1 is of PLEXB by its RMF records and of",
        ),
        (
            {"root": "PLEXC", "smfids": ("SYS2",)},
            "ingest.inputs had the file of PLEXC, which estate does not",
        ),
    ],
)
def test_a_file_whose_place_is_not_certain_or_another_than_its_input_has_is_reported(
    facts: dict[str, Any], text: str
) -> None:
    found = problems(**facts)
    assert len(found) == bool(text)
    assert all(text in sentence and sentence.startswith("day.smf: ") for sentence in found)


def test_a_system_of_two_sysplexes_by_records_is_reported() -> None:
    every = [manifest(name, smfids=("SYS9",), sysplex_by_smfid={"SYS9": plex})
             for name, plex in (("b", "PLEXC"), ("c", "PLEXD"))]  # fmt: skip
    made = manifest("a", smfids=("SYS9",))
    [found] = place_problems(made, "day.smf", [made, *every], ESTATE_OF_PLACE_PROBLEMS)
    assert "system SYS9 is in several sysplexes (PLEXC, PLEXD)" in found
