"""The load that survivors of a lost part take, on the measured days and forecasts."""
