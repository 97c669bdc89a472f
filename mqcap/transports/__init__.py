"""Channels between queue managers of a sysplex and the transports that they could move to."""
