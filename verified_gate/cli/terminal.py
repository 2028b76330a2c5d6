"""How text reaches the screen: coloured and wrapped on a terminal, whole and plain into a pipe."""

import errno
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from verified_gate.release.render import Line

STYLES: Final = {
    "claim": "bold",
    "abstention": "yellow",
    "label": "cyan",
    "pins": "dim",
    "withheld": "yellow",
    "released": "green",
    "refused": "red",
}

_WORDS: Final = {
    errno.ENOENT: "no such file or folder",
    errno.EACCES: "may not be read or written: look at its permissions",
    errno.EPERM: "may not be read or written: look at its permissions",
    errno.EISDIR: "is a folder, and a file is needed",
    errno.ENOTDIR: "a part of this path is no folder",
    errno.ENOSPC: "the disk is full",
    errno.ENAMETOOLONG: "this name is too long for a file",
}


def show(lines: "Iterable[Line]") -> None:
    """Print lines. A pipe gets each on one line; `NO_COLOR` and a dumb terminal get no colours."""
    if not sys.stdout.isatty():
        for line in lines:
            write(f"{' ' * line.indent}{line.text}\n")
        return
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console(highlight=False, markup=False, emoji=False)
    for line in lines:
        if not line.text:
            console.print()
            continue
        style = "" if console.no_color else STYLES.get(line.kind, "")
        if line.hanging:
            width = max(20, console.width - line.indent - line.hanging)
            first, *others = Text(line.text[line.hanging :], style).wrap(console, width) or [Text()]
            console.print(Text(line.text[: line.hanging], style) + first)
            for other in others:
                console.print(Padding(other, (0, 0, 0, line.hanging), expand=False))
        else:
            console.print(Padding(Text(line.text, style), (0, 0, 0, line.indent), expand=False))


def write(text: str) -> None:
    """Print text that is already safe for a terminal."""
    sys.stdout.write(text)


def tell(message: str) -> None:
    """Tell something on standard error, under the name of the program; a terminal gets it wrapped."""
    from verified_gate.release.display import one_line

    for line in message.splitlines():
        text = f"verified-gate: {one_line(line)}"
        if sys.stderr.isatty():
            columns = max(20, shutil.get_terminal_size().columns)
            text = textwrap.fill(text, columns, subsequent_indent="  ", break_on_hyphens=False)
        sys.stderr.write(f"{text}\n")


def message_of(fault: Exception) -> str:
    """What a fault says, in words and without a traceback."""
    if isinstance(fault, OSError) and fault.errno is not None:
        place = f"{os.fsdecode(fault.filename)}: " if isinstance(fault.filename, str | bytes) else ""
        return f"{place}{os_words(fault)}"
    return str(fault) or type(fault).__name__


def os_words(fault: OSError) -> str:
    """Why the system refused, without its number."""
    return _WORDS.get(fault.errno or 0, (fault.strerror or type(fault).__name__).lower())


def quoted(text: str, size: int = 60) -> str:
    """A name out of somebody's file, as it can stand in a message: on one line, disarmed, shortened."""
    from verified_gate.release.display import isolated

    short = isolated(text[: 4 * size])
    return f"“{short[:size]}…”" if len(short) > size or len(text) > 4 * size else f"“{short}”"
