"""What every command shares: registration, exit codes, options, and how faults are told."""

import functools
import os
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Final, ParamSpec

import typer

from verified_gate.cli.terminal import fail
from verified_gate.model import Actor, VerifiedGateError
from verified_gate.model.errors import QueryError
from verified_gate.model.folds import Profile
from verified_gate.retrieval.query import MAX_LIMIT

P = ParamSpec("P")


class Exit(IntEnum):
    """What the shell is told."""

    RELEASED = 0
    WITHHELD = 1
    USAGE = 2
    FAULT = 3


app = typer.Typer(
    name="verified-gate",
    help="Ask documents; only quotes that stand in the source leave.",
    epilog="Exit codes: 0 released, 1 abstained or withheld, 2 wrong usage, 3 operational fault.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    no_args_is_help=True,
)


def command(function: Callable[P, Exit]) -> Callable[P, None]:
    """Register `function` as a command: its result is the exit code, and our exceptions become messages."""

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            code = function(*args, **kwargs)
        except QueryError as fault:
            fail(fault)
            code = Exit.USAGE
        except BrokenPipeError:
            raise
        except (VerifiedGateError, OSError) as fault:
            fail(fault)
            code = Exit.FAULT
        raise typer.Exit(code)

    app.command()(run)
    return run


def command_names() -> list[str]:
    """The commands in the order of the help."""
    return [info.name or str(getattr(info.callback, "__name__", "")) for info in app.registered_commands]


def actor_of(tenant: str | None, groups: list[str] | None) -> Actor | None:
    """The actor that the flags name; none where they name nobody."""
    if tenant is None and not groups:
        return None
    if not tenant:
        raise typer.BadParameter("--group needs --tenant: groups belong to a tenant")
    if not all(groups or []):
        raise typer.BadParameter("the name of a group is empty")
    return Actor(tenant, frozenset(groups or ()))


def _profile(name: str) -> str:
    try:
        return Profile.named(name).name
    except ValueError as fault:
        raise typer.BadParameter(str(fault)) from fault


def _utf8(text: str) -> str:
    """An argument read as UTF-8, whatever the locale calls itself; bytes that are not stay as they came."""
    try:
        return os.fsencode(text).decode("utf-8")
    except UnicodeError:
        return text


NO_BORDER: Final = "For the operator; whoever runs this command can name any, so it is no security border."

Question = Annotated[
    str,
    typer.Argument(metavar="QUESTION", callback=_utf8, help="What to ask, in one argument.", show_default=False),
]
Corpus = Annotated[
    Path,
    typer.Option("--corpus", metavar="PATH", help="A folder of documents, or a store's file.", show_default=False),
]
Tenant = Annotated[
    str | None,
    typer.Option("--tenant", metavar="NAME", help=f"Ask as this tenant. {NO_BORDER}", show_default=False),
]
Groups = Annotated[
    list[str] | None,
    typer.Option("--group", metavar="NAME", help=f"Ask as a member; repeatable. {NO_BORDER}", show_default=False),
]
ProfileName = Annotated[
    str,
    typer.Option("--profile", metavar="NAME", callback=_profile, help="verbatim, typographic, extracted or editorial."),
]
Lang = Annotated[str, typer.Option("--lang", metavar="CODE", help="Language of the reader: en, de.")]
Limit = Annotated[int, typer.Option("--limit", metavar="N", min=1, max=MAX_LIMIT, help="Passages to retrieve.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
