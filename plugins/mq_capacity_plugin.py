"""The plugin, for an Airflow whose plugins folder is this one.

An installed package needs no plugins folder: Airflow finds the plugin by its entry point. Where it
finds both, it takes the first, since both have one name.
"""

from mq_capacity_page.plugin import MqCapacityPlugin

__all__ = ["MqCapacityPlugin"]
