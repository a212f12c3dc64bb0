"""One module an experiment: its schema, and a cell in, rows out."""
