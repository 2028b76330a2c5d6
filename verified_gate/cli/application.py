"""What every command shares: registration, exit codes, options, and how faults are told."""

import functools
import json
import os
from collections.abc import Callable, Collection
from datetime import date
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Any, Final, ParamSpec

import typer
from typer.core import TyperCommand

from verified_gate import __version__
from verified_gate.cli.terminal import message_of, tell, write
from verified_gate.model import Actor, VerifiedGateError
from verified_gate.model.errors import QueryError
from verified_gate.model.folds import Profile
from verified_gate.retrieval.protocol import Constraints
from verified_gate.retrieval.query import MAX_LIMIT

P = ParamSpec("P")


class Exit(IntEnum):
    """What the shell is told."""

    RELEASED = 0
    WITHHELD = 1
    USAGE = 2
    FAULT = 3


STOPPED: Final = 130
"""By Ctrl-C."""


app = typer.Typer(
    name="verified-gate",
    help="Ask documents; only quotes that stand in the source leave.",
    epilog="Exit codes: 0 released or done, 1 abstained or withheld, 2 wrong usage, 3 operational fault.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    no_args_is_help=True,
)
evaluation = typer.Typer(
    name="eval", help="Measure against your own questions.", rich_markup_mode=None, no_args_is_help=True
)
app.add_typer(evaluation)
receipts = typer.Typer(
    name="receipt",
    help="Receipts of answers, for somebody who has nothing of ours.",
    rich_markup_mode=None,
    no_args_is_help=True,
)
app.add_typer(receipts)


def command(function: Callable[P, Exit]) -> Callable[P, None]:
    """Register `function` as a command: its result is the exit code, and our exceptions become messages."""
    return _registered(app, function)


def evaluation_command(function: Callable[P, Exit]) -> Callable[P, None]:
    """The same, under `eval`."""
    return _registered(evaluation, function)


def receipt_command(name: str) -> Callable[[Callable[P, Exit]], Callable[P, None]]:
    """The same, under `receipt`, by this name."""
    return lambda function: _registered(receipts, function, name)


def _registered(group: typer.Typer, function: Callable[P, Exit], name: str | None = None) -> Callable[P, None]:
    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        as_json = bool(kwargs.get("as_json"))
        _make_utf8(kwargs)
        try:
            code = function(*args, **kwargs)
        except QueryError as fault:
            code = _told(fault, Exit.USAGE, as_json=as_json)
        except BrokenPipeError:
            raise
        except KeyboardInterrupt:  # the frame around commands would end without a word
            tell("stopped")
            raise typer.Exit(STOPPED) from None
        except (VerifiedGateError, OSError) as fault:
            code = _told(fault, Exit.FAULT, as_json=as_json)
        raise typer.Exit(code)

    group.command(name, cls=_Command)(run)
    return run


class _Command(TyperCommand):
    """A command whose faults of usage are told in words for people."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except Exception as fault:  # of `click`, or of the copy of it in later versions of typer
            if isinstance(said := getattr(fault, "message", None), str):
                asks = any(each.name == "question" for each in self.params)
                vars(fault)["message"] = _for_people(said, asks=asks)
            raise


def _for_people(said: str, *, asks: bool) -> str:
    """What a library says of the arguments, without its own terms; to who `asks` without quotation marks, what to do."""
    said = said.removeprefix("Value error, ")
    if "unexpected extra argument" not in said:
        return said
    hint = "; put the whole question in quotation marks" if asks else ""
    return said.replace("argument(s)", "arguments") + hint


def _make_utf8(arguments: dict[str, Any]) -> None:
    """Bytes that are no text name nothing here; a path may hold them, and is none of these. Raises `BadParameter`."""
    for name, value in arguments.items():
        try:
            if isinstance(value, list):
                arguments[name] = [_encodable(each) for each in value]
            else:
                arguments[name] = _encodable(value)
        except UnicodeEncodeError:
            raise typer.BadParameter(f"{name.replace('_', '-')}: this is not UTF-8") from None


def _encodable(value: object) -> object:
    if not isinstance(value, str) or value.isascii():
        return value
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        value = _utf8(value)
        value.encode("utf-8")
    return value


def _told(fault: Exception, code: Exit, *, as_json: bool) -> Exit:
    """Tell a fault on standard error, and where JSON was asked for, to the reader of the pipe too."""
    from verified_gate.release.display import escaped_json

    tell(message_of(fault))
    if as_json:
        write(escaped_json(json.dumps({"error": message_of(fault)}, ensure_ascii=False)) + "\n")
    return code


def command_names() -> list[str]:
    """The commands in the order of the help; those of a group after its name."""

    def names(group: typer.Typer) -> list[str]:
        return [info.name or str(getattr(info.callback, "__name__", "")) for info in group.registered_commands]

    groups = {"receipt": receipts, "eval": evaluation}
    return [
        *names(app),
        *(each for name, group in groups.items() for each in (name, *(f"{name} {one}" for one in names(group)))),
    ]


def _version(wanted: bool) -> None:  # noqa: FBT001  # typer calls it
    if wanted:
        write(f"verified-gate {__version__}\n")
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Options of the whole."""


def actor_of(tenant: str | None, groups: list[str] | None) -> Actor | None:
    """The actor that the flags name; none where they name nobody."""
    if tenant is None and not groups:
        return None
    if not tenant:
        raise typer.BadParameter("--group needs --tenant: groups belong to a tenant")
    if not all(groups or []):
        raise typer.BadParameter("the name of a group is empty")
    return Actor(tenant, frozenset(groups or ()))


def constraints_of(
    purpose: str | None, only: list[str] | None, prefer: list[str] | None, as_of: str | None
) -> Constraints:
    """The limits that the flags name. Raises `BadParameter` for what is no day."""
    try:
        day = None if as_of is None else date.fromisoformat(as_of)
    except ValueError:
        raise typer.BadParameter("--as-of takes a day such as 2026-01-31") from None
    try:
        return Constraints(
            purpose, only=None if only is None else frozenset(only), prefer=frozenset(prefer or ()), as_of=day
        )
    except (TypeError, ValueError) as fault:
        raise typer.BadParameter(str(fault)) from None


def _profile(name: str) -> str:
    try:
        return Profile.named(name).name
    except ValueError as fault:
        raise typer.BadParameter(str(fault)) from fault


def _reader_lang(code: str) -> str:
    from verified_gate.release.sentences import SENTENCES

    return _language(code, SENTENCES, "answers speak")


def _evidence_lang(code: str) -> str:
    from verified_gate.text.words import NEGATORS

    return _language(code, NEGATORS, "elisions are judged in") if code else ""


def _language(code: str, known: Collection[str], what: str) -> str:
    if code.replace("_", "-").partition("-")[0].casefold() not in known:
        raise typer.BadParameter(f"{what} {', '.join(sorted(known))}")
    return code


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
StoreFile = Annotated[Path, typer.Option("--corpus", metavar="FILE", help="The store's file.", show_default=False)]
Tenant = Annotated[
    str | None,
    typer.Option("--tenant", metavar="NAME", help=f"Ask as this tenant. {NO_BORDER}", show_default=False),
]
Groups = Annotated[
    list[str] | None,
    typer.Option("--group", metavar="NAME", help=f"Ask as a member; repeatable. {NO_BORDER}", show_default=False),
]
Purpose = Annotated[
    str | None,
    typer.Option(
        "--purpose",
        metavar="NAME",
        help="What it is for; documents with purposes are found for these alone.",
        show_default=False,
    ),
]
Only = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="COLLECTION", help="Look in this collection alone; repeatable.", show_default=False),
]
Prefer = Annotated[
    list[str] | None,
    typer.Option(
        "--prefer",
        metavar="COLLECTION",
        help="Look here first, and elsewhere if too little is found; repeatable.",
        show_default=False,
    ),
]
AsOf = Annotated[
    str | None,
    typer.Option("--as-of", metavar="DAY", help="Versions in force on that day, as 2026-01-31.", show_default=False),
]
ProfileName = Annotated[
    str,
    typer.Option("--profile", metavar="NAME", callback=_profile, help="verbatim, typographic, extracted or editorial."),
]
Lang = Annotated[
    str, typer.Option("--lang", metavar="CODE", callback=_reader_lang, help="Language of the reader: en, de.")
]
EvidenceLang = Annotated[
    str,
    typer.Option(
        "--lang",
        metavar="CODE",
        callback=_evidence_lang,
        help="Language of evidence that names none; elisions need one: en, de, fr, es, it, nl, pt.",
        show_default=False,
    ),
]
Limit = Annotated[int, typer.Option("--limit", metavar="N", min=1, max=MAX_LIMIT, help="Passages to retrieve.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
