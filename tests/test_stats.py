"""Each estimate against its definition: exact enumeration, closed forms, linearity, brute force."""

import itertools

import numpy as np
import pytest
import scipy.stats
from scipy import special

from deeplimits import stats
from deeplimits.stats import Estimate

RNG_SEED = 20260429


def rng(stream=0):
    return np.random.default_rng([RNG_SEED, stream])


class TestCriticalValue:
    @pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
    def test_solves_its_definition_for_the_normal_law(self, level):
        assert stats.p_value(stats.critical_value(level)) == pytest.approx(1 - level, rel=1e-12)

    @pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
    def test_student_with_one_and_two_degrees_in_closed_form(self, level):
        cauchy = np.tan(np.pi * level / 2)
        two = level * np.sqrt(2 / (1 - level**2))
        assert stats.critical_value(level, 1) == pytest.approx(cauchy, rel=1e-9)
        assert stats.critical_value(level, 2) == pytest.approx(two, rel=1e-9)

    @pytest.mark.parametrize("level", [0, 1, -0.1, 95])
    def test_refuses_what_is_no_level(self, level):
        with pytest.raises(ValueError, match="between 0 and 1"):
            stats.critical_value(level)


class TestZValue:
    def test_errors_add_in_squares(self):
        z = stats.z_value(Estimate(5.0, 3.0), Estimate(-5.0, 4.0))
        assert z == pytest.approx(2.0)

    def test_a_plain_number_has_no_error(self):
        z = stats.z_value(Estimate(np.array([1.0, 4.0]), np.array([0.5, 2.0])), 2.0)
        np.testing.assert_allclose(z, [-2.0, 1.0])

    @pytest.mark.parametrize("error", [0.0, np.nan, np.inf])
    def test_refuses_a_difference_without_a_usable_error(self, error):
        with pytest.raises(ValueError, match="positive and finite"):
            stats.z_value(Estimate(np.ones(2), np.array([1.0, error])), 0.0)


class TestPValue:
    def test_one_sided_points_upwards_and_halves_the_two_sided(self):
        z = np.array([0.5, 2.0, 6.0])
        np.testing.assert_allclose(2 * stats.p_value_above(z), stats.p_value(z))
        np.testing.assert_allclose(stats.p_value_above(-z), 1 - stats.p_value_above(z))

    def test_far_tails_do_not_cancel(self):
        # Mills' ratio: P(Z ≥ z) = φ(z)/z · (1 − 1/z² + 3/z⁴ − …)
        z = 30.0
        series = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) / z * (1 - z**-2 + 3 * z**-4)
        assert stats.p_value_above(z) == pytest.approx(series, rel=1e-7, abs=0)


class TestHolm:
    def test_is_the_closed_test_of_bonferroni(self):
        """A hypothesis falls when every subfamily that holds it falls: brute force."""
        for p in rng().uniform(0, 0.3, size=(50, 5)):
            subsets = [s for r in range(1, 6) for s in itertools.combinations(range(5), r)]
            rejected_by = [min(1, len(s) * p[list(s)].min()) for s in subsets]
            brute = [
                max(b for s, b in zip(subsets, rejected_by, strict=True) if i in s)
                for i in range(5)
            ]
            np.testing.assert_allclose(stats.holm(p), brute, rtol=1e-12)

    def test_keeps_one_p_value_and_none(self):
        np.testing.assert_array_equal(stats.holm([0.03]), [0.03])
        assert stats.holm([]).size == 0

    @pytest.mark.parametrize("bad", [[-0.1], [1.1], [np.nan], 0.5, [[0.1]]])
    def test_refuses_what_is_no_list_of_p_values(self, bad):
        with pytest.raises(ValueError, match="between 0 and 1"):
            stats.holm(bad)


class TestMean:
    def test_squared_error_is_unbiased(self):
        """Over all 3⁴ equally likely samples: mean of error² = σ²/n, exactly."""
        support = np.array([0.0, 1.0, 5.0])
        every = np.array(list(itertools.product(support, repeat=4)))
        value, error = stats.mean(every, axis=1)
        assert np.mean(error**2) == pytest.approx(support.var() / 4, rel=1e-12)
        assert np.var(value) == pytest.approx(support.var() / 4, rel=1e-12)

    def test_axis(self):
        samples = rng().normal(size=(5, 7))
        np.testing.assert_allclose(stats.mean(samples, 1), stats.mean(samples.T))

    def test_refuses_a_single_sample(self):
        with pytest.raises(ValueError, match="not 1"):
            stats.mean([[1.0, 2.0]])


class TestClusteredMean:
    def test_one_sample_a_cluster_is_the_plain_mean(self):
        samples = rng().normal(size=12)
        np.testing.assert_allclose(
            stats.clustered_mean(samples, np.arange(12)), stats.mean(samples), rtol=1e-12
        )

    def test_copies_within_a_cluster_add_no_information(self):
        samples = rng().normal(size=12)
        copies = stats.clustered_mean(np.tile(samples, 5), np.tile(np.arange(12), 5))
        np.testing.assert_allclose(copies, stats.mean(samples), rtol=1e-12)

    def test_order_and_names_of_clusters_do_not_matter(self):
        samples, label = rng().normal(size=30), rng(1).integers(6, size=30)
        order = rng(2).permutation(30)
        names = np.array(list("qawszx"))[label]
        np.testing.assert_allclose(
            stats.clustered_mean(samples[order], names[order]),
            stats.clustered_mean(samples, label),
            rtol=1e-12,
        )

    def test_a_common_shift_leaves_the_error(self):
        samples, label = rng().normal(size=30), rng(1).integers(6, size=30)
        value, error = stats.clustered_mean(samples, label)
        np.testing.assert_allclose(
            stats.clustered_mean(samples + 100, label), (value + 100, error), rtol=1e-9
        )

    def test_error_of_clusters_of_different_sizes(self):
        """Mean squared error against the exact variance Σ n_g²/N² of copied unit normals.

        Its bias is of order 1/G (G = 60). An estimate that ignores the clusters is 7 times too
        small, one that weighs them alike 44% off.
        """
        sizes = np.repeat([1, 2, 3, 10], 15)
        label = np.repeat(np.arange(60), sizes)
        draws = rng().normal(size=(4000, 60))
        squared = [stats.clustered_mean(draw[label], label).error ** 2 for draw in draws]
        exact = np.sum(sizes**2) / np.sum(sizes) ** 2
        assert np.mean(squared) == pytest.approx(exact, rel=0.05)

    @pytest.mark.parametrize(
        ("samples", "clusters", "message"),
        [
            ([1.0, 2.0], ["a", "a"], "not 1"),
            ([1.0, 2.0], [1], "one length"),
            ([[1.0], [2.0]], [1, 2], "one length"),
        ],
    )
    def test_refuses_too_few_or_mismatched_clusters(self, samples, clusters, message):
        with pytest.raises(ValueError, match=message):
            stats.clustered_mean(samples, clusters)


class TestWilson:
    @pytest.mark.parametrize("n", [5, 32, 1000])
    @pytest.mark.parametrize("level", [0.68, 0.95, 0.999])
    def test_the_ends_solve_the_score_equation(self, n, level):
        k = np.arange(n + 1)
        z = stats.critical_value(level)
        low, high = stats.wilson(k, n, level)
        for end, inner in ((low, k > 0), (high, k < n)):
            score = np.abs(k / n - end) - z * np.sqrt(end * (1 - end) / n)
            np.testing.assert_allclose(score[inner], 0, atol=1e-12)
        assert low[0] == 0
        assert high[-1] == 1

    @pytest.mark.parametrize("n", [10, 32, 200])
    def test_covers_as_promised(self, n):
        """Coverage by summing the binomial law, averaged over p; Wald's interval has .77 to .94."""
        p = np.linspace(0.0005, 0.9995, 1000)[:, np.newaxis]
        k = np.arange(n + 1)
        low, high = stats.wilson(k, n)
        law = scipy.stats.binom.pmf(k, n, p)
        coverage = np.sum(law * ((low <= p) & (p <= high)), axis=1)
        assert coverage.mean() == pytest.approx(0.95, abs=0.01)
        assert coverage.min() > 0.83

    @pytest.mark.parametrize(("k", "n"), [(-1, 5), (6, 5), (0, 0), (np.nan, 5)])
    def test_refuses_impossible_counts(self, k, n):
        with pytest.raises(ValueError, match="at least one"):
            stats.wilson(k, n)


class TestBootstrap:
    def test_agrees_with_scipy(self):
        """BCa on a skewed sample: the ends agree to 5% of the length, four times their noise.

        A percentile interval, or bias or acceleration left out or with the wrong sign, is further.
        """
        samples = rng().exponential(size=25) ** 1.5
        low, high = stats.bootstrap(samples, lambda s: s.std(axis=1), rng(1), resamples=40_000)
        reference = scipy.stats.bootstrap(
            (samples,),
            lambda s, axis: s.std(axis=axis),
            n_resamples=40_000,
            method="BCa",
            rng=np.random.default_rng(1),
        ).confidence_interval
        length = reference.high - reference.low
        assert low == pytest.approx(reference.low, abs=0.05 * length)
        assert high == pytest.approx(reference.high, abs=0.05 * length)

    def test_mean_of_many_samples_has_the_normal_interval(self):
        samples = rng().normal(size=2000)
        value, error = stats.mean(samples)
        low, high = stats.bootstrap(samples, lambda s: s.mean(axis=1), rng(1), level=0.9)
        z = stats.critical_value(0.9)
        assert (low - value) / error == pytest.approx(-z, abs=0.1)
        assert (high - value) / error == pytest.approx(z, abs=0.1)

    def test_resamples_whole_rows(self):
        """The ratio of two proportional columns is constant, unless their pairing is lost."""
        first = rng().uniform(1, 2, size=20)
        rows = np.column_stack([3 * first, first])

        def ratio(s):
            return np.round(s[:, :, 0].sum(axis=1) / s[:, :, 1].sum(axis=1), 9)

        assert stats.bootstrap(rows, ratio, rng(1), resamples=200) == (3, 3)

    @pytest.mark.parametrize("place", [0, -1])
    def test_every_sample_is_drawn(self, place):
        samples = np.zeros(5)
        samples[place] = 1
        assert stats.bootstrap(samples, lambda s: s.mean(axis=1), rng(1)).high > 0.2

    def test_same_stream_same_interval(self):
        samples = rng().normal(size=40)
        first, second = (
            stats.bootstrap(samples, lambda s: s.mean(axis=1), rng(1), resamples=500)
            for _ in range(2)
        )
        assert first == second

    def test_refuses_a_statistic_that_no_resample_brackets(self):
        def distinct(s):
            return np.array([np.unique(row).size for row in s])

        with pytest.raises(ValueError, match="one side"):
            stats.bootstrap(rng().normal(size=40), distinct, rng(1), resamples=100)

    def test_refuses_two_samples(self):
        with pytest.raises(ValueError, match="not 2"):
            stats.bootstrap([1.0, 2.0], lambda s: s.mean(axis=1), rng(1))


class TestFitLine:
    x = np.array([0.0, 1.0, 2.5, 4.0, 7.0])
    error = np.array([0.1, 0.3, 0.2, 0.5, 0.1])

    def test_recovers_an_exact_line(self):
        fit = stats.fit_line(self.x, 3 - 2 * self.x, self.error)
        assert fit.slope == pytest.approx(-2, rel=1e-12)
        assert fit.intercept == pytest.approx(3, rel=1e-12)
        assert fit.chi2 == pytest.approx(0, abs=1e-20)
        assert fit.p_value == pytest.approx(1)

    def test_is_the_weighted_least_squares_solution(self):
        y = rng().normal(size=5)
        design = np.column_stack([np.ones(5), self.x]) / self.error[:, np.newaxis]
        (intercept, slope), chi2, *_ = np.linalg.lstsq(design, y / self.error)
        covariance = np.linalg.inv(design.T @ design)
        fit = stats.fit_line(self.x, y, self.error)
        assert fit.slope == pytest.approx(slope, rel=1e-10)
        assert fit.intercept == pytest.approx(intercept, rel=1e-10)
        assert fit.slope_error == pytest.approx(np.sqrt(covariance[1, 1]), rel=1e-10)
        assert fit.intercept_error == pytest.approx(np.sqrt(covariance[0, 0]), rel=1e-10)
        assert fit.chi2 == pytest.approx(chi2[0], rel=1e-10)

    def test_errors_follow_from_linearity(self):
        """Slope and intercept are linear in y, so their variances are Σ (∂/∂yᵢ)² errorᵢ²."""
        fits = [stats.fit_line(self.x, unit, self.error) for unit in np.eye(5)]
        slope = np.hypot.reduce([fit.slope for fit in fits] * self.error)
        intercept = np.hypot.reduce([fit.intercept for fit in fits] * self.error)
        assert fits[0].slope_error == pytest.approx(slope, rel=1e-12)
        assert fits[0].intercept_error == pytest.approx(intercept, rel=1e-12)

    def test_chi2_has_the_mean_of_its_degrees(self):
        """χ² is a quadratic form Q of the noise, so its mean is Σ Qᵢᵢ errorᵢ² = n − 2."""
        diagonal = [stats.fit_line(self.x, unit, self.error).chi2 for unit in np.eye(5)]
        assert np.sum(diagonal * self.error**2) == pytest.approx(3, rel=1e-12)

    def test_p_value_with_two_degrees_is_an_exponential(self):
        fit = stats.fit_line([0, 1, 2, 3], [0, 1, 0, 1], 0.5)
        assert fit.degrees == 2
        assert fit.p_value == pytest.approx(np.exp(-fit.chi2 / 2), rel=1e-12)

    def test_two_points_leave_nothing_to_judge(self):
        fit = stats.fit_line([1, 3], [5, 9], [1, 1])
        assert (fit.degrees, fit.p_value) == (0, 1)
        assert fit.slope == pytest.approx(2)
        assert fit.slope_error == pytest.approx(np.sqrt(2) / 2)

    @pytest.mark.parametrize(
        ("x", "error", "message"),
        [
            ([1, 1, 1], 1.0, "two different points"),
            ([1], 1.0, "two different points"),
            ([1, 2, 3], [1, 0, 1], "positive and finite"),
            ([1, 2, 3], [1, np.nan, 1], "positive and finite"),
        ],
    )
    def test_refuses_points_without_a_line(self, x, error, message):
        with pytest.raises(ValueError, match=message):
            stats.fit_line(x, np.zeros(len(x)), error)


class TestFitPower:
    def test_recovers_exponent_and_factor(self):
        x = np.array([8.0, 32.0, 128.0])
        fit = stats.fit_power(x, 5 * x**-0.5, 0.01)
        assert fit.slope == pytest.approx(-0.5, rel=1e-12)
        assert np.exp(fit.intercept) == pytest.approx(5, rel=1e-12)

    def test_relative_errors_count(self):
        """Points with one relative error weigh the same: the slope's error in closed form."""
        x = np.exp(np.arange(4.0))
        fit = stats.fit_power(x, x**2, 0.03 * x**2)
        assert fit.slope_error == pytest.approx(0.03 / np.sqrt(5), rel=1e-12)

    @pytest.mark.parametrize(("x", "y"), [([0, 1], [1, 1]), ([1, 2], [1, -1])])
    def test_refuses_what_has_no_logarithm(self, x, y):
        with pytest.raises(ValueError, match="positive x and y"):
            stats.fit_power(x, y, 0.1)


class TestWeightsAtZero:
    def test_weights_are_lagranges_where_the_points_allow_no_more(self):
        np.testing.assert_allclose(stats.weights_at_zero([0.1, 0.2], [1.0, 5.0], 2), [2.0, -1.0])
        weights = stats.weights_at_zero([0.1, 0.2, 0.4], [1.0, 0.5, 2.0], 2)
        np.testing.assert_allclose(weights, [8 / 3, -2.0, 1 / 3])

    @pytest.mark.parametrize("degree", [0, 1, 2])
    def test_weights_are_those_of_the_fit_with_errors(self, degree):
        x, y = np.array([0.1, 0.2, 0.3, 0.4]), np.array([1.0, 3.0, 2.0, 5.0])
        error = np.array([1.0, 2.0, 1.0, 3.0])
        fit = np.polyfit(x, y, degree, w=1 / error)
        assert stats.weights_at_zero(x, error, degree) @ y == pytest.approx(fit[-1])


class TestLogVarianceRatio:
    def test_value(self):
        first, second = rng().normal(size=50), rng(1).normal(size=8)
        expected = np.log(first.var(ddof=1) / second.var(ddof=1))
        assert stats.log_variance_ratio(first, second).value == pytest.approx(expected)

    @pytest.mark.parametrize("law", ["normal", "uniform", "laplace"])
    def test_z_has_unit_variance_whatever_the_law(self, law):
        """2000 z values fix their variance to 3%; the Gaussian error formula gives .4 and 2.5."""
        pairs = getattr(rng(), law)(size=(2000, 2, 1500))
        z = [stats.z_value(stats.log_variance_ratio(*pair), 0) for pair in pairs]
        assert np.var(z) == pytest.approx(1, abs=0.12)
        assert abs(np.mean(z)) < 0.1

    def test_gaussian_error_and_the_power_stated_in_the_docstring(self):
        first, second = rng().normal(size=(2, 130_000))
        error = stats.log_variance_ratio(first, second).error
        assert error == pytest.approx(np.sqrt(4 / 130_000), rel=0.02)
        power = special.ndtr(np.log(1.03) / error - stats.critical_value(1 - 1e-3))
        assert power == pytest.approx(0.98, abs=0.01)

    def test_finds_a_variance_three_percent_off(self):
        first, second = rng().normal(size=(2, 130_000))
        same = stats.z_value(stats.log_variance_ratio(first, second), 0)
        off = stats.z_value(stats.log_variance_ratio(np.sqrt(1.03) * first, second), 0)
        assert stats.p_value(same) > 1e-3
        assert stats.p_value(off) < 1e-3

    @pytest.mark.parametrize("bad", [[1.0, 2.0, 3.0], np.ones(10), np.ones((4, 4))])
    def test_refuses_samples_without_a_variance(self, bad):
        with pytest.raises(ValueError, match=r"four samples|no variance"):
            stats.log_variance_ratio(bad, np.arange(5.0))
