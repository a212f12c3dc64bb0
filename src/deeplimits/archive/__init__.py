"""The archive: one zip of code, configuration and results that explains and checks itself."""
