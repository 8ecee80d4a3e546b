"""`python -m closecombat`, the same as the command."""

from closecombat.cli.begin import run

if __name__ == "__main__":
    run()
