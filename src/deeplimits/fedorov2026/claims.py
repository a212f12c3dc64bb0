"""The claims about fedorov2026: the paper's first, then those that go beyond it."""

from deeplimits.fedorov2026.verdicts.many_tokens import (
    formations_persist,
    noise_prevents_one_cluster,
)

TABLES = ("many_tokens_estimates",)

CLAIMS = (
    noise_prevents_one_cluster,
    formations_persist,
)
