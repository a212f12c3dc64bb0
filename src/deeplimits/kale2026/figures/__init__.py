"""One module a figure: tables in, figure out."""
