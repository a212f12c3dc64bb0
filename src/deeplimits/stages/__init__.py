"""The stages of the chain, one module each; `deeplimits.cli` calls them."""
