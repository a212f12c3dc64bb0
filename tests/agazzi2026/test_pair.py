"""The two-token chain against the general simulator, the sphere and the Lyapunov exponent."""

import numpy as np
import pytest

from deeplimits import sphere
from deeplimits.agazzi2026 import model, pair
from deeplimits.agazzi2026.kernel import Kernel

LAYERS, DT = 3, 0.1


def rng(seed):
    return np.random.default_rng(seed)


def lyapunov(kernel):
    d = kernel.d
    return 0.5 * ((d - 3) * kernel.dkappa1 - (d - 1) * kernel.kappa1)


def statistics(one_minus, one_plus, u):
    """Moments of a draw; the squared increment is the one most sensitive to the noise."""
    columns = one_minus, one_plus, one_minus**2, one_plus**2, (one_minus - (1 - u)) ** 2
    return np.stack(columns, axis=1)


def by_vectors(law, kernel, u, scale, seed, block=8192):
    """Two tokens at cosine u, run as vectors with the Gaussian field."""
    generator, parts = rng(seed), []
    x = np.zeros((block, 2, kernel.d))
    x[:, :, 0] = 1.0
    x[:, 1, :2] = u, np.sqrt(1 - u**2)
    field = model.GaussianField(kernel)
    for _ in range(law.DRAWS // block):
        y = model.evolve(generator, x, layers=LAYERS, dt=DT, noise=field, scale=scale, beta=1.5)
        parts.append(
            [f(y[:, 0], y[:, 1]) for f in (sphere.one_minus_cosine, sphere.one_plus_cosine)]
        )
    return statistics(*np.concatenate(parts, axis=-1), u)


def by_chain(law, kernel, u, scale, seed, dt=DT):
    start = pair.near_synchrony(np.full(law.DRAWS, 1.0 - u))
    end = pair.evolve(rng(seed), kernel, start, layers=LAYERS, dt=dt, scale=scale, beta=1.5)
    return statistics(*end, u)


KERNELS = [
    Kernel("relu", 2, 0.1, 0.2),
    Kernel("tanh", 3, 0.0, 0.0),
    Kernel("sigmoid", 5, 0.0, 0.0),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.activation)
@pytest.mark.parametrize(("u", "scale"), [(0.3, 0.0), (-0.8, 1.0), (0.999, -1.0)])
def test_chain_has_the_law_of_the_general_simulator(law, kernel, u, scale):
    chain = by_chain(law, kernel, u, scale, 1)
    assert not law.rejects(law.z(by_vectors(law, kernel, u, scale, 2), chain))


@pytest.mark.parametrize(
    ("kernel", "dt"),
    [(KERNELS[0], 1.03 * DT), (Kernel("relu", 3, 0.1, 0.2), DT)],
    ids=["3% more variance", "d + 1"],
)
def test_comparison_detects_a_wrong_chain(law, kernel, dt):
    right = by_vectors(law, KERNELS[0], 0.3, 0.0, 2)
    assert law.rejects(law.z(right, by_chain(law, kernel, 0.3, 0.0, 1, dt)))


def test_attention_step_is_that_of_the_tokens():
    x = sphere.uniform(rng(3), (50, 2), 4)
    start = pair.Pair(
        sphere.one_minus_cosine(x[:, 0], x[:, 1]), sphere.one_plus_cosine(x[:, 0], x[:, 1])
    )
    for scale in (1.0, -1.0):
        y = model.attention_step(x, 0.3, scale, 2.0)
        minus, plus = pair.attention_step(start, 0.3, scale, 2.0)
        np.testing.assert_allclose(minus, sphere.one_minus_cosine(y[:, 0], y[:, 1]), rtol=1e-12)
        np.testing.assert_allclose(plus, sphere.one_plus_cosine(y[:, 0], y[:, 1]), rtol=1e-12)


def test_starts_are_complementary():
    values = np.array([1e-20, 0.5, 2.0])
    near, far = pair.near_synchrony(values), pair.near_antipodal(values)
    np.testing.assert_array_equal(near.one_minus, far.one_plus)
    np.testing.assert_array_equal(near.one_plus, far.one_minus)
    np.testing.assert_array_equal(near.one_minus + near.one_plus, 2.0)


def log_slope(kernel, start, dt, layers, seed, replicas=20_000, scale=0.0):
    """Mean slope of the log of the vanishing coordinate, and its standard error."""
    end = pair.evolve(rng(seed), kernel, start, layers=layers, dt=dt, scale=scale)
    slopes = (np.log(np.minimum(*end)) - np.log(np.minimum(*start))) / (layers * dt)
    return slopes.mean(), slopes.std() / np.sqrt(replicas)


@pytest.mark.parametrize("activation", ["relu", "tanh"])
@pytest.mark.parametrize("d", [2, 5, 64])
def test_log_slope_near_synchrony_is_twice_the_lyapunov_exponent(activation, d):
    """At order one in Δt: the slopes at Δt and Δt/2, extrapolated, within four standard errors.

    They are taken at 1 − u = 1e-200, where only the cancellation-free chain can go.
    """
    kernel = Kernel(activation, d, 0.3, 0.2)
    start = pair.near_synchrony(np.full(20_000, 1e-200))
    dt = 0.04 / (kernel.kappa1 * d)
    coarse, coarse_error = log_slope(kernel, start, dt, 20, seed=4)
    fine, fine_error = log_slope(kernel, start, dt / 2, 40, seed=5)
    exact = 2 * lyapunov(kernel)
    error = np.hypot(2 * fine_error, coarse_error)
    assert abs(2 * fine - coarse - exact) < 4 * error
    assert error < 0.05 * abs(exact)  # so that 20% off fails


def test_odd_field_attracts_to_the_antipode_at_the_same_rate():
    """For tanh without bias 1 + u behaves near −1 as 1 − u does near 1."""
    kernel = Kernel("tanh", 6)
    tiny = np.full(1000, 1e-200)
    near = pair.evolve(rng(6), kernel, pair.near_synchrony(tiny), layers=30, dt=0.1)
    far = pair.evolve(rng(7), kernel, pair.near_antipodal(tiny), layers=30, dt=0.1)
    slopes = [np.log(end / 1e-200).mean() for end in (near.one_minus, far.one_plus)]
    error = np.log(near.one_minus / 1e-200).std() / np.sqrt(1000)
    assert abs(slopes[0] - slopes[1]) < 5 * error
    assert slopes[0] < -5 * error


def test_attention_adds_its_own_exponent():
    """Near synchrony attention divides 1 − u by (1 + aΔt)², at any Δt."""
    kernel = Kernel("relu", 5, 0.1, 0.1)
    start = pair.near_synchrony(np.full(20_000, 1e-200))
    with_attention = log_slope(kernel, start, 0.1, 5, seed=7, scale=1.0)[0]
    without = log_slope(kernel, start, 0.1, 5, seed=7)[0]
    np.testing.assert_allclose(with_attention - without, -2 * np.log(1.1) / 0.1, rtol=1e-10)


def test_pairs_freeze_below_the_floor_and_records_see_every_layer():
    kernel = Kernel("sigmoid", 20, 0.1, 0.1)
    start = pair.near_synchrony(np.array([1e-298, 1.0]))
    seen = []
    end = pair.evolve(
        rng(8), kernel, start, layers=60, dt=0.1, record=lambda *args: seen.append(args)
    )
    assert [layer for layer, _ in seen] == list(range(61))
    path = np.array([state.one_minus[0] for _, state in seen])
    frozen = path < pair.FLOOR
    assert frozen[-1]
    assert not frozen[0]
    assert len(np.unique(path[frozen])) == 1
    assert path.min() > 0
    assert seen[-1][1] is end
    assert end.one_minus[1] >= pair.FLOOR  # the other replica goes on
    assert len({state.one_minus[1] for _, state in seen}) == 61


def test_pair_without_mlp_follows_attention_only():
    start = pair.near_synchrony(np.array([0.1, 1.0, 1.9]))
    end = pair.evolve(rng(9), Kernel("none", 3), start, layers=1, dt=0.1, scale=1.0)
    np.testing.assert_allclose(end, pair.attention_step(start, 0.1, 1.0, 1.0), rtol=1e-14)
