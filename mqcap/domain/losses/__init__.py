"""Losses: a part that is lost, its survivors, and what each of them carries."""
