"""One module an experiment that needs one: its table in, estimates with errors out."""
