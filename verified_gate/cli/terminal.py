"""How text reaches the screen: coloured and wrapped on a terminal, whole and plain into a pipe."""

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import typer

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
        text = Text(line.text, style="" if console.no_color else STYLES.get(line.kind, ""))
        console.print(Padding(text, (0, 0, 0, line.indent), expand=False))


def write(text: str) -> None:
    """Print text that is already safe for a terminal."""
    sys.stdout.write(text)


def fail(fault: Exception) -> None:
    """Tell a fault on standard error: its message, no traceback."""
    from verified_gate.release.display import one_line

    for line in str(fault).splitlines() or [type(fault).__name__]:
        typer.echo(f"verified-gate: {one_line(line)}", err=True)
