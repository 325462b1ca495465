"""`python -m groundrules`, as the command `groundrules`."""

from groundrules.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
