"""What most measures are started with: a folder of public data sets. Told by --help, and where it is not there."""

import argparse
import pathlib


def parser(told: str) -> argparse.ArgumentParser:
    """A parser whose help is the docstring of the measure."""
    return argparse.ArgumentParser(description=told, formatter_class=argparse.RawDescriptionHelpFormatter)


def folder(given: str) -> pathlib.Path:
    """A folder that exists."""
    path = pathlib.Path(given)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{given} is no folder")
    return path


def file(given: str) -> pathlib.Path:
    """A file that exists."""
    path = pathlib.Path(given)
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"{given} is no file")
    return path


def data(told: str) -> pathlib.Path:
    """The folder that a measure was started with, as its only argument; otherwise the process ends with exit code 2."""
    asked = parser(told)
    asked.add_argument("data", metavar="DATA", type=folder, help="folder with the public sets, each with its README")
    return asked.parse_args().data
