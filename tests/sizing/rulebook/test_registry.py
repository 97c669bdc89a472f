from __future__ import annotations

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Citation
from mqcap.domain.metric import SubjectKind
from mqcap.domain.resource import ResourceKind
from sizing.rulebook import registry
from sizing.rulebook.entry import RuleTraits

CITATION = Citation(document="a document", section="a section")


def test_two_entries_with_one_id_are_an_error() -> None:
    def twice(size_mib: float) -> dict[str, float]:
        return {"size_mib": size_mib}

    registry.entries()
    with pytest.raises(ConfigurationError, match="share one id; found CF-BUSY-N"):
        registry.calculator("CF-BUSY-N", "again", CITATION)(twice)


def test_a_rule_must_return_an_assessment() -> None:
    def plain(size_mib: float) -> dict[str, float]:
        return {"size_mib": size_mib}

    with pytest.raises(ConfigurationError, match="must return an Assessment"):
        registry.rule(
            "X", "x", CITATION, RuleTraits(SubjectKind.structure, ResourceKind.structure)
        )(plain)


def test_an_unknown_id_is_named() -> None:
    with pytest.raises(ConfigurationError, match="no such rule; found NOPE"):
        registry.get("NOPE")


def test_a_value_out_of_range_is_named() -> None:
    with pytest.raises(ConfigurationError, match="outbuff_kb: Input should be"):
        registry.get("LOG-OUTBUFF-BUFFERS").answer({"outbuff_kb": 8_000})


def test_ibm_names_may_be_given_as_the_report_prints_them() -> None:
    rule = registry.get("BP-FREE-15")
    upper = rule.answer({"QPSTCBSL": 154, "QPSTNBUF": 1_050})
    assert upper == rule.answer({"qpstcbsl": 154, "qpstnbuf": 1_050})


def test_an_entry_knows_its_topic() -> None:
    assert registry.get("CF-BUSY-1").topic == "cf_cpu"


def test_an_entry_without_forms_that_fit_lists_what_it_can_be_asked() -> None:
    with pytest.raises(ConfigurationError, match="expected log_size_mib min_fill_s or log_rate"):
        registry.get("LOG-FILL-MAXRATE").answer({})
