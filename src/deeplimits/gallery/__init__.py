"""The gallery of the README: small figures, verdicts and badges, written from a finished run."""
