"""Theory against values computed apart, against its own differential equation, and at its limits.

The chain is compared with the probabilities in test_pair, the exponents in test_pair, test_sde and
test_hybrid.
"""

import numpy as np
import pytest

from deeplimits import attention, sphere
from deeplimits.fedorov2026 import scale_function, theory
from deeplimits.fedorov2026.scale_function import REACH, ScaleFunction
from deeplimits.fedorov2026.sde import PairEulerLayer

DIMENSIONS = [2, 3, 4, 10, 100, 10_000]

# (β, d, ρ₀, p): the two integrals of the definition, nested, with mpmath's adaptive Gauss–Legendre
# at 30 digits; the first two also in ρ by its tanh-sinh rule, in agreement.
REFERENCE = [
    (1, 3, 0, 0.222422563062484009),
    (1.5, 5, 0, 0.113668156161284079),
    (0.7, 2, 0.3, 0.403013315979321713),
    (0.1, 3, 0, 0.00674803397044319859),
    (20, 3, 0, 0.466001710299657168),
    (20, 3, 0.9, 0.0867133258210469987),
    (3, 10, -0.9, 0.738953276406330347),
    (2, 5, 0.5, 0.0484316860666237369),
    (3.5, 100, -0.9, 0.562040060634920183),
    (3.5, 100, 0, 0.0133186300913450206),
    (5, 1000, -0.5, 0.163694974900079964),
    (8, 1000, 0, 0.136679889325920179),
    (12, 50, 0.8, 0.00422896553911003125),
    (20, 2, -0.9, 0.856433706871293745),
    (5, 10_000, -0.9, 0.0336746637261654224),
    (6, 10_000, -0.99, 0.822323134147766751),
    (20, 10_000, 0, 0.293778258531114929),
    (20, 10_000, 0.6, 0.0153777022199171293),
    (20, 10_000, 0.5, 0.0597292624483332851),
    (10, 10_000, 0.2, 0.0220179544219051285),
    (5, 10_000, -0.999999, 0.425802909057851715),
]

# The same close to the transition: β = β* + 1e-3, 1e-6, 1e-9, and β → 0 at d = 3.
NEAR_TRANSITION = [
    (0.882373587019543, 5, -0.9, 0.00194552610345460679),
    (0.8813745870195431, 5, -0.9, 1.94809752865290606e-6),
    (0.881373588019543, 5, -0.9, 1.94810009055581956e-9),
    (2.6400443136967806, 100, -0.9, 0.00115705259439467937),
    (2.639045313696781, 100, -0.9, 1.15746068064209175e-6),
    (2.639044314696781, 100, -0.9, 1.15746112139739111e-9),
    (4.95264376501623, 10_000, -0.99, 0.00275667166933028352),
    (4.951644765016231, 10_000, -0.99, 2.76139031047870574e-6),
    (4.951643766016231, 10_000, -0.99, 2.76139600161091973e-9),
    (1e-3, 3, -0.5, 1.38629033973670089e-6),
    (1e-6, 3, -0.5, 1.3862943611158691e-12),
]


@pytest.mark.parametrize(("beta", "d", "rho0", "expected"), REFERENCE)
def test_antipodal_probability_has_the_reference_values(beta, d, rho0, expected):
    np.testing.assert_allclose(theory.antipodal_probability(beta, d, rho0), expected, rtol=1e-13)


@pytest.mark.parametrize(("beta", "d", "rho0", "expected"), NEAR_TRANSITION)
def test_antipodal_probability_near_the_transition(beta, d, rho0, expected):
    """Rounding of cosh 2β, relative to its distance from d − 2, is all that is lost."""
    p = theory.antipodal_probability(beta, d, rho0)
    rounding = 2 * np.finfo(float).eps * (1 if d == 3 else 1 / (beta - theory.critical_beta(d)))
    np.testing.assert_allclose(p, expected, rtol=1e-12 + rounding)


@pytest.mark.parametrize("d", [*DIMENSIONS, 10**6])
def test_antipodal_probability_does_not_depend_on_the_panels(monkeypatch, d):
    """Against panels of a quarter of the width: also where log s falls by 1e4 across a panel."""
    rho = [-0.999999, -0.9, -0.3, 0.0, 0.2, 0.6, 0.9]
    settings = [(beta, r) for beta in (1.0, 3.0, 8.0, 20.0, 200.0) for r in rho]
    coarse = [theory.antipodal_probability(beta, d, r) for beta, r in settings]
    monkeypatch.setattr(scale_function, "_WIDTH", 0.0625)
    fine = [theory.antipodal_probability(beta, d, r) for beta, r in settings]
    np.testing.assert_allclose(coarse, fine, rtol=0, atol=1e-10 if d == 10**6 else 1e-14)


def test_antipodal_probability_in_the_plane_is_arccos_over_pi():
    rho = np.array([-1 + 1e-12, -0.9, 0.0, 0.4, 1 - 1e-12])
    for beta in (0.0, 0.3, 20.0, 400.0):
        np.testing.assert_allclose(
            theory.antipodal_probability(beta, 2, rho), np.arccos(rho) / np.pi, atol=1e-14
        )


@pytest.mark.parametrize("d", DIMENSIONS[1:])
def test_antipodal_probability_is_zero_exactly_where_minus_one_repels(d):
    rho = np.array([-1 + 1e-9, 0.0, 0.9])
    critical = theory.critical_beta(d)
    below = [0.0, *(critical * (1 - gap) for gap in (1e-14, 1e-3, 0.5))]
    for beta in below:
        np.testing.assert_array_equal(theory.antipodal_probability(beta, d, rho), 0.0)
    for gap in (1e-12, 1e-3, 0.5):
        assert np.all(theory.antipodal_probability(critical + gap, d, rho[:2]) > 0)


def test_antipodal_probability_decreases_in_d_and_cosine_and_increases_with_beta():
    rho = np.linspace(-0.99, 0.99, 41)
    p = np.array(
        [
            [theory.antipodal_probability(beta, d, rho) for d in (2, 3, 5, 20, 80)]
            for beta in (3.0, 3.5, 5.0, 20.0)
        ]
    )
    assert np.all(np.diff(p, axis=2) < 0)
    assert np.all(np.diff(p, axis=1) < 0)
    assert np.all(np.diff(p[:, 1:], axis=0) > 0)
    assert np.all((p > 0) & (p < 1))


@pytest.mark.parametrize(("beta", "d"), [(1.0, 3), (2.0, 5), (4.0, 100), (6.0, 10_000)])
def test_antipodal_probability_is_harmonic_for_the_two_token_equation(beta, d):
    """b p′ + ½c² p″ = 0 in z with the coefficients of `sde`, by central differences."""
    h = 1e-3 / np.sqrt(d)
    z = np.array([-3.0, -1.0, -0.4, 0.0, 0.3])
    left, here, right = (theory.antipodal_probability_at(beta, d, z + k * h) for k in (-1, 0, 1))
    drift, diffusion = PairEulerLayer(beta=beta, d=d, dt=1.0).coefficients(z)
    first = drift * (right - left) / (2 * h)
    second = 0.5 * diffusion**2 * (right - 2 * here + left) / h**2
    seen = here > 1e-6
    assert seen.sum() >= 2
    np.testing.assert_allclose(second[seen], -first[seen], rtol=1e-4)


def test_antipodal_probability_does_not_depend_on_the_points_asked_for_together():
    rho = np.array([[0.3, -0.99], [0.3, 0.0]])
    together = theory.antipodal_probability(4.0, 30, rho)
    one_by_one = [[theory.antipodal_probability(4.0, 30, r) for r in row] for row in rho]
    np.testing.assert_allclose(together, one_by_one, rtol=1e-13)
    assert together.shape == (2, 2)
    assert np.ndim(theory.antipodal_probability(0.5, 30, 0.0)) == 0


def test_antipodal_probability_goes_on_beyond_the_last_floats_of_rho():
    """The exponential tails join smoothly at ±REACH and decay with the exponents of the ends."""
    beta, d = 1.0, 3
    delta = ScaleFunction(beta, d).left_slope
    z = REACH + np.array([-1.0, -1e-9, 1e-9, 1.0])
    right = theory.antipodal_probability_at(beta, d, z)
    np.testing.assert_allclose(right / right[0], np.exp(-(d - 1) * (z - z[0])), rtol=1e-7)
    left = 1 - theory.antipodal_probability_at(beta, d, -z)
    assert left[0] < 1e-3
    np.testing.assert_allclose(left / left[0], np.exp(-delta * (z - z[0])), rtol=1e-7)
    np.testing.assert_array_equal(
        theory.antipodal_probability_at(beta, d, [-np.inf, -1e3, 1e3, np.inf]), [1, 1, 0, 0]
    )


@pytest.mark.parametrize("d", DIMENSIONS)
def test_exponent_at_minus_one_changes_sign_at_the_critical_beta(d):
    critical = theory.critical_beta(d)
    if d == 2:
        assert critical == 0
        assert theory.exponent_antipodal(0.0, 2) == -1
        return
    np.testing.assert_allclose(np.cosh(2 * critical), d - 2, rtol=1e-12)
    np.testing.assert_allclose(theory.exponent_antipodal(critical, d), 0, atol=1e-12)
    assert theory.exponent_antipodal(critical + 0.01, d) < 0
    assert d == 3 or theory.exponent_antipodal(critical - 0.01, d) > 0


@pytest.mark.parametrize("d", DIMENSIONS)
def test_exponents_are_those_of_the_two_token_equation(d):
    """log(1 ± ρ) ≈ ±2z + const at the ends: the exponents are twice the drift there."""
    beta, sigma = 1.3, 0.7
    drift, _ = PairEulerLayer(beta=beta, d=d, sigma=sigma, dt=1.0).coefficients(
        np.array([-30.0, 30.0])
    )
    exponents = [
        theory.exponent_antipodal(beta, d, sigma),
        theory.exponent_consensus(d, sigma),
    ]
    np.testing.assert_allclose([2 * drift[0], -2 * drift[1]], exponents, rtol=1e-12)


def test_exponent_at_minus_one_tends_to_minus_two_for_sharp_attention():
    assert theory.exponent_antipodal(1e4, 10_000, sigma=2.0) == -8


@pytest.mark.parametrize(("k", "n", "beta"), [(2, 4, 1.0), (1, 3, 2.0), (5, 6, 0.2), (3, 10, 0.0)])
def test_cluster_means_are_those_of_attention(k, n, beta):
    v = sphere.uniform(np.random.default_rng(0), (), 4)
    x = np.where(np.arange(n)[:, None] < k, v, -v)
    along = attention.means(x, beta) @ v
    means = theory.cluster_means(k, n, beta)
    np.testing.assert_allclose(along[:k], means.first, atol=1e-14)
    np.testing.assert_allclose(along[k:], -means.second, atol=1e-14)
    np.testing.assert_allclose(means.first == means.second, 2 * k == n)
    np.testing.assert_allclose(means.second < 0, k / (n - k) > np.exp(2 * beta))


def test_half_and_half_is_the_two_token_problem():
    """μ₊ = μ₋ = tanh β: within clusters −(d−1)tanh²β."""
    means = theory.cluster_means(3, 6, 1.1)
    np.testing.assert_allclose(means, np.tanh(1.1), rtol=1e-15)
    np.testing.assert_allclose(
        theory.exponent_cluster(means.first, 7, 0.5), -0.25 * 6 * np.tanh(1.1) ** 2, rtol=1e-14
    )


def test_hybrid_exponents_change_sign_together_at_the_threshold():
    for beta in (0.0, 1.0, 4.0):
        threshold = theory.hybrid_threshold(beta)
        np.testing.assert_allclose(threshold, 2 * np.exp(-beta), rtol=1e-15)
        for ratio in (0.5, 0.99, 1.01, 2.0):
            epsilon = np.sqrt(ratio * threshold)
            antipodal = theory.hybrid_exponent_antipodal(beta, epsilon)
            consensus = theory.hybrid_exponent_consensus(beta, epsilon)
            assert (antipodal < 0) == (ratio > 1)
            assert (consensus < 0) == (ratio < 1)
            np.testing.assert_allclose(antipodal, 2 * np.exp(-beta) - epsilon**2, atol=1e-15)


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("call", "name"),
    [
        *((lambda d=d: theory.critical_beta(d), "d") for d in (1, 0, -3, NAN, INF)),
        (lambda: theory.exponent_consensus(1), "d"),
        (lambda: theory.exponent_antipodal(1.0, 1), "d"),
        *((lambda b=b: theory.exponent_antipodal(b, 3), "beta") for b in (-0.1, NAN, INF)),
        (lambda: theory.exponent_antipodal(1.0, 3, sigma=-1.0), "sigma"),
        (lambda: theory.antipodal_probability(1.0, 1, 0.0), "d"),
        *((lambda b=b: theory.antipodal_probability(b, 3, 0.0), "beta") for b in (-1.0, NAN, INF)),
        *(
            (lambda r=r: theory.antipodal_probability(1.0, 3, r), "rho0")
            for r in (-1.0, 1.0, 1.5, NAN, [0.0, 1.0])
        ),
        (lambda: theory.antipodal_probability_at(1.0, 1, 0.0), "d"),
        (lambda: theory.antipodal_probability_at(1.0, 3, [0.0, NAN]), "z"),
        *((lambda k=k: theory.cluster_means(k, 4, 1.0), "k") for k in (0, 4)),
        (lambda: theory.cluster_means(2, 4, -1.0), "beta"),
        (lambda: theory.exponent_cluster(0.5, 1), "d"),
        (lambda: theory.escape_rate(-1.0), "beta"),
        (lambda: theory.hybrid_threshold(INF), "beta"),
        (lambda: theory.hybrid_exponent_antipodal(1.0, -0.1), "epsilon"),
        (lambda: theory.hybrid_exponent_consensus(-1.0, 0.1), "beta"),
    ],
)
def test_bad_arguments_are_named(call, name):
    with pytest.raises(ValueError, match=rf"^{name} must"):
        call()
