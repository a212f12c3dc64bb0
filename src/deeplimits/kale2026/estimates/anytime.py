"""Medians and ranges over data sets of the loss of `anytime`."""

from deeplimits.kale2026.gd_summaries import COLUMNS, KEY, estimate

__all__ = ["COLUMNS", "KEY", "estimate"]
