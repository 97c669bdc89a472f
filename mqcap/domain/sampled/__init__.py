"""Figures of monitors and displays of platforms that are no distributed queue managers."""
