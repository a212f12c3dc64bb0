"""A second paper for the tests of the chain, with an experiment and no other room."""
