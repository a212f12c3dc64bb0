"""Agazzi, Bruno, Mosig García, Saviozzi, Romito (2026): synchronization by noise (arXiv 2604.26898)."""
