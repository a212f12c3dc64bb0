"""The claims about fedorov2026: the paper's first, then those that go beyond it."""

from deeplimits.fedorov2026.verdicts.ablation import (
    noise_ablation_frozen,
    noise_ablation_suppressed,
    noise_ablation_trained,
)
from deeplimits.fedorov2026.verdicts.exponents import threshold_by_exponent
from deeplimits.fedorov2026.verdicts.hybrid import hybrid_threshold
from deeplimits.fedorov2026.verdicts.lifetimes import (
    antipodal_formations_persist_for_ever,
    lifetime_grows_like_exp_2beta,
    lifetimes_are_those_of_two_clusters,
    only_equal_halves_persist,
)
from deeplimits.fedorov2026.verdicts.limits import converges_to_common_noise_limit
from deeplimits.fedorov2026.verdicts.many_tokens import (
    formations_persist,
    noise_prevents_one_cluster,
)
from deeplimits.fedorov2026.verdicts.two_tokens import (
    antipodal_probability_is_exact,
    threshold_of_antipodes,
    two_tokens_end_at_plus_or_minus_one,
)

TABLES = (
    "phase_diagram_estimates",
    "transition_estimates",
    "many_tokens_estimates",
    "ext_lifetimes_estimates",
    "deep_limit_estimates",
    "exponent_estimates",
    "hybrid_estimates",
    "hybrid_exponent_estimates",
    "noise_ablation_estimates",
)

CLAIMS = (
    converges_to_common_noise_limit,
    threshold_of_antipodes,
    threshold_by_exponent,
    antipodal_probability_is_exact,
    two_tokens_end_at_plus_or_minus_one,
    hybrid_threshold,
    noise_prevents_one_cluster,
    formations_persist,
    antipodal_formations_persist_for_ever,
    only_equal_halves_persist,
    lifetimes_are_those_of_two_clusters,
    lifetime_grows_like_exp_2beta,
    noise_ablation_frozen,
    noise_ablation_trained,
    noise_ablation_suppressed,
)
