"""The rules behind the claims, by subject; `claims.py` gathers them."""
