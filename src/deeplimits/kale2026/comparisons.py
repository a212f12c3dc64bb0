"""What of the estimates every run must give again; see `deeplimits.verification.declaration`.

The data sets are drawn anew by each seed, and the least, the median and the largest of a few sets
have no standard error: where nothing else is estimated, only the laws are compared.
"""

from deeplimits.verification.declaration import Compared

_STABILITY = ("increases", "largest_increase", "largest_step_loss", "step_loss", "edge")
_BAND = ("median", "low", "high", "worst", "reached", "behind")
_CURVES = Compared(
    random=(
        *("log_loss", "log_loss_low", "log_loss_high", "gap", "gap_low", "gap_high"),
        "increases",
    ),
    along="t",
)

COMPARED = {
    "anytime": _CURVES,
    "first_passages": Compared(
        random=(
            *("reached", "iterations", "iterations_low", "iterations_high"),
            *("work", "work_low", "work_high", "speedup", "work_speedup"),
        ),
    ),
    "gd_losses": _CURVES,
    "misspecified_margin": Compared(
        random=("decay", "decay_low", "decay_high", *_STABILITY), along="t"
    ),
    "real_data": Compared(count="runs", random=(*_BAND, "margin", "increases"), along="t"),
    "sgd_losses": Compared(count="runs", random=_BAND, along="t"),
    "stability": Compared(random=("log_loss", *_STABILITY), along="t"),
    "stretched": Compared(
        count="sets",
        random=(
            *("decay", "ratio_low", "ratio_high", "exponent_low", "exponent_high"),
            *_STABILITY,
        ),
        along="t",
    ),
}
