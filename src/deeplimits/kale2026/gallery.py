"""The figures of this paper that the README shows small, each with what a reader sees in it."""

FIGURES = {
    "gd_losses": "gradient descent: the loss under growing steps falls faster than any power",
    "stability": "growing steps never leave the stable regime; three controls do",
    "sgd_losses": "stochastic gradient descent: the loss under lightweight adaptive steps",
}
