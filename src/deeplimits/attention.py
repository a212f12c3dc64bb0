"""Softmax self-attention of unit tokens with QᵀK = βI and V = I, shared by the papers.

Every token attends to all tokens including itself, one head, no mask.
"""

import numpy as np
from numpy.typing import ArrayLike

from deeplimits import sphere


def weights(gram: np.ndarray, beta: float) -> np.ndarray:
    """A_ij = e^{β⟨x_i,x_j⟩} / Σ_k e^{β⟨x_i,x_k⟩} from the Gram matrix (..., N, N).

    The row maximum is taken out of the exponent first, so no β overflows.
    """
    exponent = beta * gram
    exponent -= exponent.max(axis=-1, keepdims=True)
    np.exp(exponent, out=exponent)
    exponent /= exponent.sum(axis=-1, keepdims=True)
    return exponent


def means(x: np.ndarray, beta: float) -> np.ndarray:
    """Attn_i(X) = Σ_j A_ij x_j: tokens (..., N, d) to their attention means (..., N, d)."""
    return weights(sphere.gram(x), beta) @ x


def pair_contrast(one_minus_cosine: ArrayLike, beta: float) -> np.ndarray:
    """τ = tanh(β(1 − ρ)/2), the factor by which attention shrinks the difference of two tokens.

    For N = 2 both self-weights are 1/(1 + e^{−β(1−ρ)}), so the means satisfy m₁ + m₂ = x₁ + x₂ and
    m₁ − m₂ = τ (x₁ − x₂). Our derivation.
    """
    return np.tanh(0.5 * beta * np.asarray(one_minus_cosine, dtype=np.float64))
