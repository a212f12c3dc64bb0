"""Training: starts paired over levels, what each arm trains, and that it learns."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from deeplimits.fedorov2026.ablation import draws, training

SEED = np.random.SeedSequence(8)
TOKENS, PIXELS, D, L, CLASSES = SHAPE = (3, 4, 8, 2, 3)
STEPS = 60


@pytest.fixture(scope="module")
def problem() -> tuple[training.Data, list[draws.Network]]:
    """Images of three classes that differ in one patch each, plus noise."""
    generator = np.random.default_rng(9)
    labels = generator.integers(CLASSES, size=200)
    patches = 0.5 * generator.standard_normal((200, TOKENS, PIXELS))
    patches[np.arange(200), labels] += 2.0
    networks = [
        draws.network(SEED, k, np.arange(200), shape=SHAPE, validation=50, steps=STEPS, batch=16)
        for k in range(2)
    ]
    return training.data(patches, labels), networks


def start(networks, noise: float = 1.0, a: float = 1.0) -> training.Networks:
    return training.start(networks, a=a, noise=noise, horizon=4.0, contrast=3.0)


def recipe(*, train_values: bool) -> training.Recipe:
    return training.Recipe(1.0, STEPS, 6, 0.1, 1.0, train_values)


def fit(problem, *, train_values: bool, noise: float = 1.0) -> training.Networks:
    data, networks = problem
    orders = [network.order for network in networks]
    chosen = recipe(train_values=train_values)
    return training.train(start(networks, noise), [0.02, 0.02], orders, data, chosen)


def test_values_at_the_start(problem):
    _, networks = problem
    G = np.stack([network.values for network in networks])
    expected = 2.0 * np.eye(D) + 0.5 * np.sqrt(2.0) * G / np.sqrt(D)
    assert_allclose(start(networks, noise=0.5).V, expected, rtol=1e-6, atol=1e-7)
    assert_array_equal(start(networks, noise=0.0).V, np.broadcast_to(2.0 * np.eye(D), G.shape))
    assert_array_equal(start(networks, noise=0.0, a=0.0).V, np.zeros_like(G))


def test_readouts_are_shared_by_all_levels(problem):
    _, networks = problem
    for one, other in zip(start(networks, 0.0).readout, start(networks, 2.0).readout, strict=True):
        assert_array_equal(one, other)


def test_arm_a_leaves_the_values(problem):
    _, networks = problem
    trained, before = fit(problem, train_values=False), start(networks)
    assert_array_equal(trained.V, before.V)
    for one, other in zip(trained.readout, before.readout, strict=True):
        assert not np.allclose(one, other)


def test_arm_b_trains_the_values(problem):
    _, networks = problem
    assert not np.allclose(fit(problem, train_values=True).V, start(networks).V)


@pytest.mark.parametrize("train_values", [False, True])
def test_training_learns(problem, train_values):
    """From about a third; one image in ten wrong would still be a failure."""
    data, networks = problem
    held_out = [network.validation for network in networks]
    before = training.accuracies(start(networks), held_out, data, 1.0)
    after = training.accuracies(fit(problem, train_values=train_values), held_out, data, 1.0)
    assert before.max() < 0.8
    assert after.min() > 0.9


def test_the_same_bits_again(problem):
    one, other = fit(problem, train_values=True), fit(problem, train_values=True)
    assert_array_equal(one.V, other.V)


def test_accuracy_is_the_share_of_hits(problem):
    """Counted one by one."""
    data, networks = problem
    held_out = [network.validation for network in networks]
    whole = training.accuracies(start(networks), held_out, data, 1.0)
    single = [
        training.accuracies(start(networks), [part[[i]] for part in held_out], data, 1.0)
        for i in range(50)
    ]
    assert_allclose(whole, np.mean(single, axis=0))


TASKS = Path("/proc/self/task")


@pytest.mark.skipif(not TASKS.is_dir(), reason="threads are listed by Linux")
def test_a_job_takes_one_thread(problem):
    """XLA's pool has one thread a core unless it is told otherwise before JAX is imported."""
    fit(problem, train_values=True)
    names = [path.read_text().strip() for path in TASKS.glob("*/comm")]
    assert names.count("tf_XLAEigen") == 1
