"""Scripts that a site runs to make the files of inputs: they display and copy, and change nothing.

They need no credentials and hold none.
"""
