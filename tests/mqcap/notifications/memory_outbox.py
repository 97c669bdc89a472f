"""An outbox in memory."""

from mqcap.domain.delivery import WAITING, Delivery
from mqcap.notifications.outbox import OutboxRepository


class MemoryOutbox:
    """Deliveries by id, in the order in which they were stored first."""

    def __init__(self) -> None:
        self.rows: dict[str, Delivery] = {}

    @property
    def repository(self) -> OutboxRepository:
        return OutboxRepository(load=self.rows.get, save=self._save, waiting=self._waiting)

    @property
    def only(self) -> Delivery:
        [row] = self.rows.values()
        return row

    def _save(self, delivery: Delivery) -> None:
        self.rows[delivery.delivery_id] = delivery

    def _waiting(self) -> list[Delivery]:
        return [row for row in self.rows.values() if row.stage in WAITING]
