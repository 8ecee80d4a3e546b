"""The command begins. Nothing is read before it is known what an interruption comes to: 130, and no word of Python."""

from __future__ import annotations

import sys


def run() -> None:
    try:
        from closecombat.cli.main import run as command

        command()
    except KeyboardInterrupt:  # while the command itself was read, or when all was said
        sys.exit(130)
