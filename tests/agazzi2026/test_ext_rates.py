"""The three experiments on rates: rows, estimates and their figure, in small."""

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from deeplimits import plotstyle, registry, rng, sphere, tables
from deeplimits.agazzi2026 import activations, coupling, model
from deeplimits.agazzi2026.estimates import ext_rate_tokens as token_estimates
from deeplimits.agazzi2026.figures import ext_rates
from deeplimits.agazzi2026.kernel import Kernel

SHARED = {"horizon": 1.0, "beta": 1.0, "replicas": 10, "block": 4}
SETTINGS = {
    "ext_rate_depth": {**SHARED, "tokens": 2, "depths": [2, 4, 8], "reference": 128},
    "ext_rate_width": {**SHARED, "tokens": 2, "widths": [8, 16, 64]},
    "ext_rate_tokens": {**SHARED, "sizes": [4, 8, 16], "layers": 4, "width": 16, "stride": 2},
}
MODEL = {"activation": "silu", "d": 3, "sigma_u": 0.1, "sigma_w": 0.1, "a": 1.0}
SEED = np.random.SeedSequence(5)


def cell_of(name, **changes):
    layers = {"layers": 4} if name == "ext_rate_width" else {}
    return registry.load("agazzi2026", "experiments", name).Cell(**{**MODEL, **layers, **changes})


def run(name, **changes):
    """The whole table of one cell, through the checks of the chain."""
    experiment = registry.load("agazzi2026", "experiments", name)
    protocol = experiment.Protocol(**{**SETTINGS[name], **changes})
    cell = cell_of(name)
    rows = experiment.simulate(cell, protocol, SEED)
    columns, keys = registry.experiment_columns(experiment)
    count = len(rows["replica"])
    axes = {axis: [value] * count for axis, value in cell.model_dump().items()}
    return tables.frame(tables.build(columns, {**axes, **rows}, keys, name))


def estimates(name, table):
    module = registry.load("agazzi2026", "estimates", name)
    found = module.estimate(table)
    data = {column: found[column].to_numpy() for column in found.columns}
    return tables.frame(tables.build(module.COLUMNS, data, module.KEY, name))


@pytest.fixture(scope="module")
def runs():
    return {name: run(name) for name in SETTINGS}


@pytest.mark.parametrize("name", SETTINGS)
def test_more_runs_leave_the_first_ones_as_they_are(runs, name):
    more = run(name, replicas=17)
    first = more[more["replica"] < 8].reset_index(drop=True)  # two whole blocks
    pd.testing.assert_frame_equal(
        first, runs[name][runs[name]["replica"] < 8].reset_index(drop=True)
    )
    assert sorted(more["replica"].unique()) == list(range(17))


def test_rows_of_depth_are_those_of_the_chains(runs):
    """Largest errors of the second block, taken from the meetings one by one."""
    generator = [generator for generator, _ in rng.blocks(SEED, 10, 4)][1]
    x = sphere.uniform(generator, (4, 2), 3)
    kernel = Kernel("silu", 3, 0.1, 0.1)
    sizes = {"depths": [2, 4, 8], "reference": 128, "horizon": 1.0}
    found = [
        {"layers": sizes["depths"][chain], "layer": layer, "replica": 4 + index, "error": error}
        for chain, layer, y, reference in coupling.depth_chains(
            generator, x, kernel, **sizes, scale=1.0, beta=1.0
        )
        for index, error in enumerate(coupling.mean_square(y, reference))
    ]
    found = pd.DataFrame(found)
    own = found.groupby(["replica", "layers"])["error"].max()
    common = found[found["layer"].isin([64, 128])].groupby(["replica", "layers"])["error"].max()
    table = runs["ext_rate_depth"].set_index(["replica", "layers"]).loc[own.index]
    np.testing.assert_array_equal(table["error_own"], own)
    np.testing.assert_array_equal(table["error_common"], common)
    assert (table["error_own"] > table["error_common"]).any()


def test_rows_of_width_are_those_of_the_chains(runs):
    generator = [generator for generator, _ in rng.blocks(SEED, 10, 4)][1]
    x = sphere.uniform(generator, (4, 2), 3)
    kernel = Kernel("silu", 3, 0.1, 0.1)
    sizes = {"widths": [8, 16, 64], "layers": 4, "horizon": 1.0}
    meetings = coupling.width_chains(generator, x, kernel, **sizes, scale=1.0, beta=1.0)
    errors = {}
    for chain, _, y, reference in meetings:
        errors.setdefault(chain, []).append(coupling.mean_square(y, reference))
    table = runs["ext_rate_width"]
    for chain, width in enumerate(sizes["widths"]):
        rows = table[(table["width"] == width) & table["replica"].between(4, 7)]
        np.testing.assert_array_equal(rows["error"], np.max(errors[chain], axis=0))


def test_rows_of_tokens_are_those_of_the_populations(runs):
    generator = [generator for generator, _ in rng.blocks(SEED, 10, 4)][1]
    x = [sphere.uniform(generator, (4, n), 3) for n in (4, 4, 8, 8, 16, 16)]
    noise = model.ReducedMlp(activations.get("silu"), 16, 0.1, 0.1)
    states = coupling.populations(generator, x, noise, layers=4, dt=0.25, scale=1.0, beta=1.0)
    table = runs["ext_rate_tokens"]
    for layer, state in enumerate(states):
        for place, n in enumerate((4, 8, 16)):
            rows = table[(table["layer"] == layer) & (table["tokens"] == n)]
            rows = rows[rows["replica"].between(4, 7)]
            expected = coupling.squared_distance(state[2 * place], state[2 * place + 1])
            np.testing.assert_array_equal(rows["distance"], expected if layer % 2 == 0 else [])
    np.testing.assert_allclose(table["t"], table["layer"] / 4)


def test_depth_estimates_make_up_for_the_finite_reference(runs):
    table = runs["ext_rate_depth"].copy()
    table["error_own"] = (1 + table["replica"]) * (1 / table["layers"] - 1 / 128)
    table["error_common"] = table["error_own"] / 2
    found = estimates("ext_rate_depth", table)
    np.testing.assert_allclose(found["slope"], -1.0)
    half = found["times"].map({"own": 1.0, "common": 0.5})
    np.testing.assert_allclose(found["error"], half * 5.5 / found["layers"])


def test_token_estimates_take_ends_and_maximum(runs):
    table = runs["ext_rate_tokens"].copy()
    # By run, the middle depth is largest in odd and the start in even ones.
    odd = table["replica"] % 2
    height = table["layer"].map({0: 2.0, 2: 0.0, 4: 1.0}) + 3.0 * odd * (table["layer"] == 2)
    table["distance"] = height / table["tokens"] + 1e-9
    found = estimates("ext_rate_tokens", table).groupby("times")
    for times, mean in {"start": 2.0, "end": 1.0, "all": 2.5}.items():
        rows = found.get_group(times)
        np.testing.assert_allclose(rows["error"], mean / rows["tokens"], rtol=1e-6)
        assert (rows["horizon"] == 1.0).all()


@pytest.mark.parametrize(
    ("d", "bound", "expected"),
    [
        (2, -1 / 2, -1),
        (3, -1 / 2, -1),
        (4, -1 / 2, -2 / 3),
        (5, -2 / 5, -1 / 2),
        (8, -1 / 4, -2 / 7),
    ],
)
def test_exponents_of_tokens(d, bound, expected):
    assert token_estimates.bound(d) == pytest.approx(bound)
    assert token_estimates.expected(d) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("ext_rate_depth", {"reference": 96}, "at least 16 times"),
        ("ext_rate_depth", {"reference": 130}, "multiple of the depth 4"),
        ("ext_rate_width", {"widths": [8, 64, 16]}, "must increase"),
        ("ext_rate_width", {"widths": [8, 8, 16]}, "must increase"),
        ("ext_rate_tokens", {"sizes": [8, 16]}, "at least 3"),
    ],
)
def test_settings_that_give_no_rate_are_refused(name, changes, message):
    with pytest.raises(ValidationError, match=message):
        run(name, **changes)


@pytest.mark.parametrize("name", SETTINGS)
def test_a_model_without_noise_is_refused(name):
    with pytest.raises(ValidationError, match="no noise"):
        cell_of(name, activation="none")
    assert cell_of(name, activation="swish(4.0)").activation == "swish(4)"


def test_figure_names_the_fitted_slopes(runs):
    frames = {f"{name}_estimates": estimates(name, table) for name, table in runs.items()}
    with plotstyle.context():
        figure = ext_rates.draw(frames)
        plotstyle.render(figure, "png", title="rates", description="", record="{}")
    for ax, name in zip(figure.axes, SETTINGS, strict=True):
        frame = frames[f"{name}_estimates"]
        wanted = frame[frame["times"] == "all"] if name == "ext_rate_tokens" else frame
        wanted = wanted[wanted["times"] == "common"] if name == "ext_rate_depth" else wanted
        (label,) = (text.get_text() for text in ax.get_legend().get_texts())
        assert rf"{wanted['slope'].iloc[0]:.2f} \pm" in label
