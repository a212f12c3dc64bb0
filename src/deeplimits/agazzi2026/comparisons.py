"""What of the estimates every run must give again; see `deeplimits.verification.declaration`."""

from deeplimits.verification.declaration import Compared

COMPARED = {
    "ext_backward": Compared(),
    "ext_horizons": Compared(count="replicas", along="t"),
    "ext_lyapunov": Compared(count="replicas"),
    "ext_moment": Compared(count="replicas", along="t"),
    "ext_pairs": Compared(
        count="replicas",
        intervals={"met": ("met_low", "met_high"), "axial": ("axial_low", "axial_high")},
        along="clock",
    ),
    "ext_rate_depth": Compared(count="replicas"),
    "ext_rate_tokens": Compared(count="replicas"),
    "ext_rate_width": Compared(count="replicas"),
    "ext_swish": Compared(),
    "synchronization": Compared(
        count="replicas", random=("cosine_q05", "cosine_q95", "gap"), along="layer"
    ),
}
