"""Fedorov, Sander, Elie, Marion, Laurière: clustering by value noise (arXiv 2601.21942)."""
