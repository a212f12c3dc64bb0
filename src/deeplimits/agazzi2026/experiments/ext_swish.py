"""Beyond the paper: λ₁ of φ(z) = z/(1 + e^{−bz}) ("swish") without bias, against b.

Nothing is random here. As b runs from 0 to ∞, φ goes from z/2 over SiLU (b = 1) to ReLU, which all
have λ₁ < 0; in between λ₁ may be positive. Without bias κ depends on b through b/√d, the slope of
the sigmoid in units of the inputs' deviation 1/√d, so that is what the grid of b is given in. The
whole experiment is ours.
"""

import numpy as np
from pydantic import Field

from deeplimits.agazzi2026 import activations, theory
from deeplimits.agazzi2026.kernel import Kernel
from deeplimits.schema import Axes, Column, Dimension, Positive, Settings


class Cell(Axes):
    """One dimension."""

    d: Dimension = Field(description="dimension of the tokens")


class Protocol(Settings):
    """The grid of b/√d: evenly spaced in its logarithm."""

    lowest: Positive = Field(description="smallest b/√d")
    highest: Positive = Field(description="largest b/√d; the quadrature of κ takes time ∝ its cube")
    points: int = Field(ge=2, description="number of values of b")


ROW_KEY = ("b",)
COLUMNS = (
    Column("b", "float64", "1", "b of swish(b)"),
    Column("kappa1", "float64", "1", "κ(1), variance of one component of G"),
    Column("dkappa1", "float64", "1", "κ′(1)"),
    Column("lambda1", "float64", "1", "λ₁, top Lyapunov exponent of the noise flow"),
    Column("scaled_lambda1", "float64", "1", "d·λ₁"),
)


def simulate(cell: Cell, settings: Protocol, seed: np.random.SeedSequence) -> dict[str, np.ndarray]:
    """Evaluate the exponent at every b."""
    slopes = np.sqrt(cell.d) * np.geomspace(settings.lowest, settings.highest, settings.points)
    kernels = [Kernel(activations.swish(b).name, cell.d) for b in slopes]
    lambda1 = np.array([theory.lambda1(kernel) for kernel in kernels])
    return {
        "b": slopes,
        "kappa1": np.array([kernel.kappa1 for kernel in kernels]),
        "dkappa1": np.array([kernel.dkappa1 for kernel in kernels]),
        "lambda1": lambda1,
        "scaled_lambda1": cell.d * lambda1,
    }
