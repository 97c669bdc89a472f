from __future__ import annotations

import pytest

from mqcap.domain.typed_amount import TypedAmount, TypedKind


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (TypedAmount.of(TypedKind.cylinders, 4_883), "CYL(4883)"),
        (TypedAmount.of(TypedKind.more_data_sets, 5_825, 25), "25 x CYL(5825)"),
        (TypedAmount.of(TypedKind.structure_kib, 4_194_304), "SIZE(4194304K)"),
        (TypedAmount.of(TypedKind.log_compression), "COMPLOG=RLE"),
        (TypedAmount.of(TypedKind.backup_minutes, 45), "every 45 min"),
        (TypedAmount.of(TypedKind.queue_managers, 3), "3 queue managers"),
        (TypedAmount.of(TypedKind.channels, 1), "1 channel"),
        (TypedAmount(kind=TypedKind.other, words="as the change says"), "as the change says"),
    ],
)
def test_an_amount_is_rendered_as_it_is_typed(amount: TypedAmount, text: str) -> None:
    assert amount.text == text


@pytest.mark.parametrize(
    "kind",
    [kind for kind in TypedKind if kind not in {TypedKind.other, TypedKind.log_compression}],
    ids=str,
)
def test_operands_show_their_figure_without_separators_and_counts_of_things_with_them(
    kind: TypedKind,
) -> None:
    is_count = kind in {
        TypedKind.channels, TypedKind.queue_managers, TypedKind.queues, TypedKind.ims_regions,
        TypedKind.zhyperlink_paths,
    }  # fmt: skip
    assert ("12,345" if is_count else "12345") in TypedAmount.of(kind, 12_345).text


def test_texts_of_different_kinds_differ() -> None:
    texts = [TypedAmount.of(kind, 2).text for kind in TypedKind if kind is not TypedKind.other]
    assert len(set(texts)) == len(texts)
