"""Agazzi, Bruno, Mosig García, Saviozzi, Romito: synchronization by noise (arXiv 2604.26898)."""
