"""Verification: whether a finished run agrees with the code as it is, and with the release."""
