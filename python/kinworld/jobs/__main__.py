"""Command line: ``python -m kinworld.jobs``."""

from ._cli import main

raise SystemExit(main())
