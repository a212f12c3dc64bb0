"""What of the estimates every run must give again."""

from deeplimits.verification.declaration import Compared

COMPARED = {"walks": Compared(count="walks")}
