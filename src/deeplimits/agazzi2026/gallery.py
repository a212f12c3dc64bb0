"""The figures of this paper that the README shows small, each with what a reader sees in it."""

FIGURES = {
    "fig1": "ReLU draws all tokens to one moving point, tanh to two opposite ones",
    "fig2": "cosines rise and energy falls over depth: ReLU, by dimension, bias and attention",
    "ext_swish": "the top exponent of swish(b) turns positive in a window of b (ours)",
}
