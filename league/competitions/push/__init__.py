"""Calls as notifications of phones (Web Push), which arrive while no page is open."""
