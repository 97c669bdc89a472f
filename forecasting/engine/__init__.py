"""Prophet's model without Stan: exact optimum, candidates, choice and calibration."""
