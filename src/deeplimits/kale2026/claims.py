"""The claims about kale2026: the abstract's first, then those that go beyond it."""

from deeplimits.kale2026.verdicts.gd import (
    gd_is_stretched_exponential,
    gd_schedule_is_anytime,
    loss_adaptive_rules_are_faster,
)
from deeplimits.kale2026.verdicts.inverse_loss import data_decide_whether_inverse_loss_diverges
from deeplimits.kale2026.verdicts.law import (
    exponent_tends_to_a_third,
    loss_follows_the_law,
    wrong_margin_shifts_the_law,
)
from deeplimits.kale2026.verdicts.real_data import adaptive_sgd_on_images, growing_steps_on_images
from deeplimits.kale2026.verdicts.sgd import (
    adaptive_sgd_is_stretched_exponential,
    capped_sgd_fails_on_rare_points,
    plain_schedule_suffices_for_sgd,
)
from deeplimits.kale2026.verdicts.stability import (
    stays_in_the_stable_regime,
    wrong_margin_is_forgiven,
)

TABLES = (
    "gd_losses",
    "stability_estimates",
    "anytime",
    "stretched_estimates",
    "misspecified_margin_estimates",
    "first_passages_estimates",
    "sgd_losses_estimates",
    "sgd_inverse_loss",
    "real_data_estimates",
)

CLAIMS = (
    gd_is_stretched_exponential,
    stays_in_the_stable_regime,
    gd_schedule_is_anytime,
    adaptive_sgd_is_stretched_exponential,
    growing_steps_on_images,
    adaptive_sgd_on_images,
    loss_follows_the_law,
    exponent_tends_to_a_third,
    wrong_margin_shifts_the_law,
    wrong_margin_is_forgiven,
    loss_adaptive_rules_are_faster,
    plain_schedule_suffices_for_sgd,
    capped_sgd_fails_on_rare_points,
    data_decide_whether_inverse_loss_diverges,
)
