"""A paper for the tests of the chain: every room, and nothing that takes time."""
