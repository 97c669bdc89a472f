"""Texts of a ticket and the keys under which older releases stored them."""

from __future__ import annotations

from mqcap.domain.ticket import Ticket
from tests.factories import DAY, ticket


def test_a_comment_is_the_changes_or_else_the_body() -> None:
    assert ticket(body="Figures.").comment == "Figures."
    assert ticket(body="Figures.", update_text="Worse.").comment == "Worse."


def test_a_document_has_the_keys_of_the_older_release_and_is_read_by_both_names() -> None:
    made = ticket(update_text="Worse.", notified_date=DAY)
    document = made.model_dump(mode="json")
    assert (document["news"], document["told_date"]) == ("Worse.", "2026-03-02")
    assert Ticket.model_validate(document) == made


def test_a_ticket_without_members_is_about_the_problem_it_is_named_after() -> None:
    assert ticket(dedupe_key="A/B", members=()).problem_keys == ("A/B",)
    assert ticket(dedupe_key="A/B", members=("A/B", "A/C")).problem_keys == ("A/B", "A/C")
