"""One module a printed table: tables in, CSV and LaTeX out."""
