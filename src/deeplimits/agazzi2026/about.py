"""The paper, as the report cites it."""

PAPER = {
    "title": "Stochastic Scaling Limits and Synchronization by Noise in Deep Transformer Models",
    "authors": "Agazzi, Bruno, Mosig García, Saviozzi, Romito",
    "arxiv": "2604.26898",
}
