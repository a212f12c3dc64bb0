"""The replication report: its parts, each from files that the chain has made."""
