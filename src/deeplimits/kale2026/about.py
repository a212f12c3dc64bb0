"""The paper, as the report cites it."""

PAPER = {
    "title": "Exponential Convergence of (Stochastic) Gradient Descent "
    "for Separable Logistic Regression",
    "authors": "Kale, Manupriya, Marion, Bach, Raj",
    "arxiv": "2602.18946",
}
