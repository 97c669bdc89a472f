"""Records of limits from what is stored."""

from datetime import timedelta
from pathlib import Path

from mqcap.domain.console.ledger import Ledger
from mqcap.judging.ledger import read_limit_records
from mqcap.store.scores import save_scores
from tests.factories import DAY, crossing_score
from tests.stores import new_store


def test_probabilities_of_the_store_are_in_the_record_of_their_rule(tmp_path: Path) -> None:
    engine = new_store(tmp_path / "store.db")
    save_scores(engine, [], [crossing_score(probability=0.7)])
    [record] = read_limit_records(engine, Ledger(), DAY, DAY + timedelta(days=30))
    assert (record.rule_id, record.stated_ratio, record.due_count) == ("LOG-FILL-30MIN", 0.7, 0)
    engine.dispose()
