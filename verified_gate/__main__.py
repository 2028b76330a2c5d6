"""`python -m verified_gate` is the command line."""

from verified_gate.cli import main

if __name__ == "__main__":
    main()
