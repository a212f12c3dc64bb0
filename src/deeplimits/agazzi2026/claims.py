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

TABLES = (
    "table1",
    "synchronization_estimates",
    "ext_horizons_estimates",
    "ext_lyapunov_estimates",
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
)
