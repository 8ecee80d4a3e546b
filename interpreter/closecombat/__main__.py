"""`python -m closecombat`, the same as the command."""

from closecombat.cli.main import main

if __name__ == "__main__":
    main()
