"""`python -m labsupport` does what the command `labsupport` does."""

import sys

from labsupport.cli import main

sys.exit(main())
