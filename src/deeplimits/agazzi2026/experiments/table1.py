"""Table 1: the kernel at 1, its derivative, and the two exponents, beside the printed values.

Nothing is random here: closed forms, or quadrature where there is none. The paper varies both
biases together, σ = σ_U = σ_W; other cells have no printed value.
"""

import csv
from importlib import resources

import numpy as np

from deeplimits.agazzi2026 import theory
from deeplimits.agazzi2026.axes import Mlp as Cell
from deeplimits.agazzi2026.kernel import Kernel
from deeplimits.schema import Column, Settings

__all__ = ["COLUMNS", "DATA", "ROW_KEY", "Cell", "Protocol", "simulate"]

DATA = ("../reference/table1.csv",)

QUANTITIES = {
    "kappa1": "κ(1), variance of one component of G",
    "dkappa1": "κ′(1)",
    "lambda1": "λ₁ = ½[(d−3)κ′(1) − (d−1)κ(1)], top Lyapunov exponent of the noise flow",
    "lambda_bar": "λ̄ = (d−1)κ′(1) − (d−3)κ(1), exponent of E[1−u] near synchrony",
}

ROW_KEY = ()
COLUMNS = (
    *(Column(name, "float64", "1", meaning) for name, meaning in QUANTITIES.items()),
    *(
        Column(f"paper_{name}", "float64", "1", f"{meaning}: as printed", nullable=True)
        for name, meaning in QUANTITIES.items()
    ),
)


class Protocol(Settings):
    """Nothing to set."""


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Evaluate the four quantities."""
    kernel = Kernel(cell.activation, cell.d, cell.sigma_u, cell.sigma_w)
    ours = {
        "kappa1": kernel.kappa1,
        "dkappa1": kernel.dkappa1,
        "lambda1": theory.lambda1(kernel),
        "lambda_bar": theory.lambda_bar(kernel),
    }
    printed = _printed(cell)
    paper = {f"paper_{name}": printed.get(name, np.nan) for name in QUANTITIES}
    return {name: np.array([value]) for name, value in (ours | paper).items()}


def _printed(cell: Cell) -> dict[str, float]:
    """The paper's row for this cell, empty if it has none."""
    file = resources.files("deeplimits.agazzi2026").joinpath("reference/table1.csv")
    for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines()):
        place = (row["activation"], int(row["d"]), float(row["sigma"]), float(row["sigma"]))
        if place == (cell.activation, cell.d, cell.sigma_u, cell.sigma_w):
            return {name: float(row[name]) for name in QUANTITIES}
    return {}
