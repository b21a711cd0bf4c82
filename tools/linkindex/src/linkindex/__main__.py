import sys

from linkindex.cli import main

sys.exit(main())
