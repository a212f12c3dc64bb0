"""Kale, Manupriya, Marion, Bach, Raj: growing steps in logistic regression (arXiv 2602.18946)."""
