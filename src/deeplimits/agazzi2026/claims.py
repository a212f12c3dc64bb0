"""The claims about agazzi2026: the paper's first, then those that go beyond it."""

from deeplimits.agazzi2026.verdicts.long_runs import (
    noise_against_repulsion,
    two_opposite_points,
    weak_synchronization,
)
from deeplimits.agazzi2026.verdicts.rates import rate_in_depth, rate_in_tokens, rate_in_width
from deeplimits.agazzi2026.verdicts.remarks import (
    attention_helps_or_resists,
    bias_speeds_collapse,
    dimension_slows_or_speeds,
    energy_dissipates,
    relu_and_silu_near_zero,
    sigmoid_is_a_bias,
)
from deeplimits.agazzi2026.verdicts.table1 import table1_values
from deeplimits.agazzi2026.verdicts.two_tokens import (
    energy_decays_at_positive_lambda_bar,
    mean_gap_decays_at_the_lesser_rate,
    mean_gap_follows_backward_equation,
    slope_is_twice_lambda1,
    swish_is_a_counter_example,
    two_tokens_meet,
)

TABLES = (
    "table1",
    "synchronization_estimates",
    "ext_horizons_estimates",
    "ext_lyapunov_estimates",
    "ext_moment_estimates",
    "ext_backward_estimates",
    "ext_pairs_estimates",
    "ext_swish_estimates",
    "ext_rate_depth_estimates",
    "ext_rate_width_estimates",
    "ext_rate_tokens_estimates",
)

CLAIMS = (
    table1_values,
    bias_speeds_collapse,
    sigmoid_is_a_bias,
    relu_and_silu_near_zero,
    dimension_slows_or_speeds,
    attention_helps_or_resists,
    noise_against_repulsion,
    two_opposite_points,
    weak_synchronization,
    energy_dissipates,
    rate_in_depth,
    rate_in_width,
    rate_in_tokens,
    slope_is_twice_lambda1,
    two_tokens_meet,
    mean_gap_follows_backward_equation,
    mean_gap_decays_at_the_lesser_rate,
    energy_decays_at_positive_lambda_bar,
    swish_is_a_counter_example,
)
