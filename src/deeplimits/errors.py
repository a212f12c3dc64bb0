"""Errors that reach the user as one message, without a traceback."""


class UserError(Exception):
    """Something the user can mend: the message names the key or the file, and the remedy."""
