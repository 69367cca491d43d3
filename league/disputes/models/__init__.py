"""Rows of disputes, one module a word."""
