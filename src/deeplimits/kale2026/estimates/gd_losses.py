"""Medians and ranges over data sets of loss and normalized margin of `gd_losses`."""

from deeplimits.kale2026.gd_summaries import COLUMNS, KEY, estimate

__all__ = ["COLUMNS", "KEY", "estimate"]
