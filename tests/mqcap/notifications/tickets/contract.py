"""The behaviour that every ticket backend shares.

The test of a backend inherits from ``TicketBackendContract`` and gives the fixture ``tracker``.
"""

from mqcap.notifications.ticket_delivery import TicketBackend
from mqcap.notifications.tickets.registry import names
from tests.factories import ticket


class TicketBackendContract:
    def test_opening_twice_gives_the_same_reference(self, tracker: TicketBackend) -> None:
        first = tracker.open_or_update(ticket())
        assert first
        assert tracker.open_or_update(ticket()) == first

    def test_two_problems_have_two_references(self, tracker: TicketBackend) -> None:
        other = ticket(dedupe_key="CF-CPU-60/PLEX1/CF01")
        assert tracker.open_or_update(ticket()) != tracker.open_or_update(other)

    def test_closing_is_idempotent_and_needs_no_ticket(self, tracker: TicketBackend) -> None:
        tracker.close(ticket())
        tracker.open_or_update(ticket())
        tracker.close(ticket())
        tracker.close(ticket())

    def test_a_ticket_without_a_response_has_none(self, tracker: TicketBackend) -> None:
        assert tracker.response(ticket()) is None
        tracker.open_or_update(ticket())
        assert tracker.response(ticket()) is None

    def test_its_name_is_that_of_its_module(self, tracker: TicketBackend) -> None:
        assert tracker.name in names()
        assert type(self).__module__.endswith(f".test_{tracker.name}")
