"""The command begins. Nothing is read before it is known what an interruption comes to: 130, and no word of Python."""

from __future__ import annotations

import sys

SOON = 1 / 50  # of a second after which an interruption that met with no one is sent again


def run() -> None:
    sys.unraisablehook = _not_lost
    try:
        from closecombat.cli.main import run as command

        command()
    except KeyboardInterrupt:  # while the command itself was read, or when all was said
        sys.exit(130)


def _not_lost(what: sys.UnraisableHookArgs) -> None:
    """Python drops what is raised while it tidies up, such as after an import: an interruption too, which one would
    have to ask for twice."""
    if what.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(what)
        return
    import signal
    import threading

    def again() -> None:
        if hasattr(signal, "pthread_kill"):  # wakes the command even where it waits
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        else:
            signal.raise_signal(signal.SIGINT)

    threading.Timer(SOON, again).start()
