#!/bin/sh
# Runs once before the other services: databases to the newest schema, pools, the first password.
set -eu

refuse() {
  echo "error: $1" >&2
  exit 1
}

for folder in /data/lake /data/reports /data/mail "$AIRFLOW__LOGGING__BASE_LOG_FOLDER" /opt/airflow/shared; do
  if ! head -c 65536 /dev/zero > "$folder/.init" 2> /dev/null; then
    rm -f "$folder/.init" 2> /dev/null || true
    refuse "$folder cannot be written by user $(id -u) of group $(id -g): the disk is full or read-only, or the folder is another user's; look with 'df' and 'ls -ld', then 'docker compose up' again"
  fi
  rm "$folder/.init"
done
ls "$MQCAP_INGEST__INBOX" > /dev/null 2>&1 ||
  refuse "the inbox $MQCAP_INGEST__INBOX (INBOX_DIR) cannot be read by user $(id -u) of group $(id -g): 'chmod o+rx' it, or give it to that group"

airflow db migrate ||
  refuse "Airflow's database cannot be used (above): a changed POSTGRES_PASSWORD has to be changed in the database too, and a database of a newer Airflow needs the newer image"
airflow pools import "$SITE_PACKAGES/mqcap/installation/pools.json"

python - <<'PYTHON'
import json
import os
import sys
from pathlib import Path

from cryptography.fernet import Fernet

from mqcap.domain.errors import CapacityError
from mqcap.settings import load_settings
from mqcap.store.database import open_store

try:
    Fernet(os.environ["AIRFLOW__CORE__FERNET_KEY"])
except ValueError as error:
    sys.exit(f"error: AIRFLOW_FERNET_KEY is no Fernet key ({error}); docker/.env.example says how to make one")
try:
    open_store(load_settings().store.url.get_secret_value())
except CapacityError as error:
    sys.exit(f"error: {error}")

passwords = Path(os.environ["AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE"])
passwords.touch(mode=0o600)
passwords.write_text(json.dumps({"admin": os.environ["AIRFLOW_ADMIN_PASSWORD"]}))
PYTHON
