"""`python -m deeplimits`."""

import sys

from deeplimits.cli import main

sys.exit(main())
