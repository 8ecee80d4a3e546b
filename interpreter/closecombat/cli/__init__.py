"""The commands: arguments in, exit code out."""

import gc

FEWER_COLLECTIONS = 200_000  # new objects: a command makes many that stay, modules first, and is soon over

gc.set_threshold(FEWER_COLLECTIONS)
