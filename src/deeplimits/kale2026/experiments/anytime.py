"""The schedule that knows no horizon beside constant steps tuned to one, before and after it.

"reconstructed", our reconstruction of the paper's schedule, and "horizon_tuned(T)", η = γ²T, for
several T, on the same data sets; all runs go on to the same iteration. Sets, sizes and horizons are
our choice.
"""

from deeplimits.kale2026.gd_runs import COLUMNS, ROW_KEY, Cell, Protocol, simulate

__all__ = ["COLUMNS", "ROW_KEY", "Cell", "Protocol", "simulate"]
