"""Gradient descent under every step-size rule, on the same data sets.

Random sets of a given margin, and beside them the unbalanced and the toy set, on which large steps
oscillate first. The rule "reconstructed" is our reconstruction of the paper's schedule, of which
only the abstract is known; sets, sizes and horizon are our choice.
"""

from deeplimits.kale2026.gd_runs import COLUMNS, ROW_KEY, Cell, Protocol, simulate

__all__ = ["COLUMNS", "ROW_KEY", "Cell", "Protocol", "simulate"]
