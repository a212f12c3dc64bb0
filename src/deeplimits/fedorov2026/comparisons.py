"""What of the estimates every run must give again; see `deeplimits.verification.declaration`."""

from deeplimits.verification.declaration import Compared

_SHARE = {"share": ("low", "high")}
_COUNTS = ("antipodal", "undecided", "opposite", "between")
_FREQUENCIES = (*_COUNTS, "undecided_share", "between_share", "score")

COMPARED = {
    "deep_limit": Compared(count="replicas", random=("mean", "resolved")),
    "exponent": Compared(count="replicas"),
    "ext_lifetimes": Compared(
        count="replicas",
        intervals={
            "antipodal": ("antipodal_low", "antipodal_high"),
            "rate": ("rate_low", "rate_high"),
            "lifetime": ("lifetime_low", "lifetime_high"),
        },
        random=("running", "merged", "divided", "intact", "expected", "ends", "log_rate_se"),
        along="look",
    ),
    "hybrid": Compared(count="replicas", intervals=_SHARE, along="clock"),
    "hybrid_exponent": Compared(count="replicas"),
    "many_tokens": Compared(count="runs", intervals=_SHARE, random=("count",), along="t"),
    "noise_ablation": Compared(
        count="seeds",
        intervals={"value": ("low", "high")},
        random=("rate", "difference_low", "difference_high"),
        along="layer",
    ),
    "paths": Compared(random=("cosine",), along="layer"),
    "phase_diagram": Compared(
        count="replicas", intervals=_SHARE, random=(*_FREQUENCIES, "beta_01", "beta_10")
    ),
    "transition": Compared(count="replicas", intervals=_SHARE, random=_FREQUENCIES, along="layer"),
}
