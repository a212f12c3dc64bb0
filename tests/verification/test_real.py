"""Two cheap experiments of the real papers, small: verified, and wrong formulas named."""

from pathlib import Path
from typing import Any

import pytest

from deeplimits import config, digest
from deeplimits.agazzi2026 import theory
from deeplimits.kale2026 import schedules
from deeplimits.verification import run
from deeplimits.verification.release import write
from toy_chain import Chain
from toy_project import CHECKOUT
