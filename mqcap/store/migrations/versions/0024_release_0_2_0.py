"""The schema of release 0.2.0, from which every store is upgraded.

An empty store needs no revision: its tables are made as ``mqcap.store.tables`` declares them.
"""

revision = "0024"
down_revision = None
branch_labels = None
depends_on = None
