"""Plans of resources: search of the cheapest changes, evaluated by the rules of the day."""
