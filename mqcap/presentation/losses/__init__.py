"""Losses in words: cells, sentences, matrices, and a loss in the form of a plan."""
