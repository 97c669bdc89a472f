#!/bin/sh
# Runs once before the other services: databases to the newest schema, pools, the first password.
set -eu

airflow db migrate
airflow pools import "$SITE_PACKAGES/mqcap/installation/pools.json"

python - <<'PYTHON'
import json
import os
from pathlib import Path

from mqcap.settings import load_settings
from mqcap.store.database import open_store

open_store(load_settings().store.url.get_secret_value())

passwords = Path(os.environ["AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE"])
passwords.touch(mode=0o600)
passwords.write_text(json.dumps({"admin": os.environ["AIRFLOW_ADMIN_PASSWORD"]}))
PYTHON
