"""Features of a queue manager: none by default, and ratios within 0 and 1."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from devtools.simulator.spec import ConfiguredFacts, ManagerFeatures, SharedMessageDataSet


def test_a_queue_manager_uses_none_of_them_by_default() -> None:
    plain = ManagerFeatures()
    assert plain.zhyperlink_write_us is None
    assert plain.shared_message_data_set is None
    assert (plain.steals_per_get_page, plain.dynamic_queues_per_h, plain.redrive_ratio) == (0, 0, 0)


@pytest.mark.parametrize(("ratio", "accepted"), [(-0.1, False), (0, True), (1, True), (1.1, False)])
def test_a_ratio_is_from_0_to_1(ratio: float, accepted: bool) -> None:
    values = {"structure": "APPL1", "used_ratio": ratio}
    if accepted:
        assert SharedMessageDataSet.model_validate(values).used_ratio == ratio
        return
    with pytest.raises(ValidationError, match="used_ratio"):
        SharedMessageDataSet.model_validate(values)


def test_keys_of_logs_channels_and_applications_may_be_configured() -> None:
    facts = ConfiguredFacts(maxarch=500, ecsa_free_mib=100, ims_bridge_queues=("IMS.IN",))
    assert facts.model_dump(exclude_none=True) == {
        "maxarch": 500,
        "ecsa_free_mib": 100,
        "ims_bridge_queues": ("IMS.IN",),
    }
    with pytest.raises(ValidationError, match="ims_bridge_queues"):
        ConfiguredFacts(ims_bridge_queues=("not a queue",))
