"""deeplimits: replication of papers on noise and step sizes in deep learning theory."""

__version__ = "0.1.0"
