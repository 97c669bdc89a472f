"""Losses of coupling facilities and members of groups: what survivors carry, and what to do.

``cell`` and ``model`` are what is stored; ``carried`` is the load that survivors take; ``cells``,
``plan`` and ``make`` judge it above planning; ``text`` has the words.
"""
