"""The paper, as the report cites it."""

PAPER = {
    "title": "Clustering in Deep Stochastic Transformers",
    "authors": "Fedorov, Sander, Elie, Marion, Laurière",
    "arxiv": "2601.21942",
}
