"""The figures of this paper that the README shows small, each with what a reader sees in it."""

FIGURES = {
    "phase_diagram": "two tokens end antipodal only where d − 2 < cosh 2β, as often as predicted",
    "exponent": "the exponent at the antipode changes sign at the threshold",
    "noise_ablation": "accuracy of trained networks with and without the noise of the values",
}
