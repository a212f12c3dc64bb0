"""Plots of which a reader can ask the numbers, each beside the figure of the same name."""
