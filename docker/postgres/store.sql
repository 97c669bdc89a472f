-- The store has a database of its own beside Airflow's.
CREATE DATABASE mqcap;
