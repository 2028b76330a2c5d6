"""What `ingest` tells of what came of the files, in words and as JSON."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from verified_gate.cli.corpora import counted, tell_left_out
from verified_gate.cli.terminal import tell, write
from verified_gate.corpus.writing import Added
from verified_gate.ingest.folder import shown
from verified_gate.release import escaped_json

MOST_TOLD: Final = 20
"""Lines of one kind on standard error; `--json` tells all."""


@dataclass(frozen=True, slots=True)
class Way:
    """How to ingest: whether files are believed, may take the place of stored ones, are read again where another reader
    read them, and whether anything is changed; and the version that one file is stored as.
    """

    trusted: bool = False
    replace: bool = False
    prune: bool = False
    dry_run: bool = False
    as_json: bool = False
    password: str | None = None
    version: str | None = None
    reread: bool = False


@dataclass(slots=True)
class Told:
    """What came of the files. Of those of which a document is there (`read`), `left_alone` were not read further, since their
    bytes are stored. `without_text`
    are files that nothing can be found in. `removed` are files that are gone, `moved` those of them whose documents lie
    elsewhere now, each with the place; `gone_in_force` the versions in force of those that are gone, and `same_bytes`, of those whose bytes lie
    elsewhere as another document, the place and its version. `outdated` are those that stay stored as another reader read them than the one of now; of
    those that were read again, `read_otherwise` have another text or other marks now. `not_read`: by their paths, files
    that are stored and failed, each with the code; `still_in_force` are the versions of these, and `read_again` are files
    that failed before.
    """

    added: Added = field(default_factory=Added)
    read: int = 0
    left_alone: int = 0
    drafts: int = 0
    changed: int = 0
    partial: list[dict[str, Any]] = field(default_factory=list)
    failed: list[dict[str, str]] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    without_text: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    moved: dict[str, str] = field(default_factory=dict)
    gone_in_force: list[tuple[str, str]] = field(default_factory=list)
    same_bytes: dict[str, tuple[str, str]] = field(default_factory=dict)
    withdrawn: int = 0
    restored: list[str] = field(default_factory=list)
    former: list[tuple[str, str]] = field(default_factory=list)
    elsewhere: list[tuple[str, str, str]] = field(default_factory=list)
    not_in_force: list[tuple[str, str]] = field(default_factory=list)
    not_read: dict[str, str] = field(default_factory=dict)
    still_in_force: list[tuple[str, str]] = field(default_factory=list)
    read_again: list[str] = field(default_factory=list)
    outdated: list[str] = field(default_factory=list)
    read_otherwise: list[str] = field(default_factory=list)
    read_as_before: int = 0
    files_failed: int = 0
    disregarded: list[tuple[str, ...]] = field(default_factory=list)

    def fail(self, faults: Sequence[tuple[str, str]], code: str) -> None:
        """One file failed, for these faults."""
        self.files_failed += 1
        self.failed += [{"file": place, "code": code, "why": why} for place, why in faults]


def tell_all(told: Told, way: Way) -> None:
    """The command's output."""
    tell_left_out(told.drafts, told.skipped)
    _tell_disregarded(told.disregarded)
    if way.as_json:
        _write_json(_as_json(told, way))
        return
    _tell_some(f"{each['file']}: {each['why']}" for each in told.failed)
    _tell_some(_partly(each) for each in told.partial)
    _tell_some(f"{name}: holds no text that can be found" for name in told.without_text)
    _tell_some(
        f"{shown(path)}: its text of before is in force, {shown(name)}, until the file can be read, or `verified-gate mark`"
        " marks it withdrawn"
        for path, name in told.still_in_force
    )
    done = "would be withdrawn" if way.dry_run else "was withdrawn"
    _tell_some(_gone(told, way, done))
    _tell_some(f"{shown(path)}: is back, and what was withdrawn is as before" for path in told.restored)
    stays = done if way.prune else "stays; --prune withdraws it"
    _tell_some(f"{shown(path)}: is another document now; {shown(name)} of before {stays}" for path, name in told.former)
    too = "stands stored for another audience too"
    _tell_some(
        f"{shown(path)}: {too}: {name}, as {shown(version)}; `verified-gate mark` it withdrawn to end that"
        for path, name, version in told.elsewhere
    )
    stays = "and stays so, whatever its file holds: `verified-gate mark` puts it in force"
    _tell_some(f"{shown(path)}: {shown(what)}, {stays}" for path, what in told.not_in_force)
    _tell_readers(told, way)
    added = told.added
    would = "would be stored" if way.dry_run else "stored"
    passages = counted(added.passages, "passage", "passages")
    replaced = f", {added.replaced:,} in the place of another text" if added.replaced else ""
    documents = counted(added.documents, "document", "documents")
    write(f"{documents} {would} ({passages}){replaced}; {added.unchanged:,} unchanged\n")
    if told.partial or told.failed or len(told.removed) > len(told.moved):
        withdrawn = "would be withdrawn" if way.dry_run else "withdrawn"
        counts = {
            "read": told.read - told.left_alone,
            "unchanged": added.unchanged,
            "partial": len(told.partial),
            "skipped": len(told.skipped),
            "failed": told.files_failed,
            withdrawn if way.prune else "gone": told.withdrawn if way.prune else len(told.removed) - len(told.moved),
        }
        write(", ".join(f"{name} {count:,}" for name, count in counts.items()) + "\n")


def tell_none(told: Told, way: Way, why: str) -> None:
    """As JSON, that there was no document at all: the same members as where there was one, and `error`."""
    tell(why)
    _write_json({"error": why, **_as_json(told, way)})


def _write_json(members: dict[str, Any]) -> None:
    write(escaped_json(json.dumps(members, ensure_ascii=False)) + "\n")


def _gone(told: Told, way: Way, done: str) -> Iterator[str]:
    """Files that are gone, each time as long as what was read from them can still be cited."""
    yield from (
        f"{shown(path)}: is gone from there; its document lies at {shown(place)} now, and stays as it was"
        for path, place in told.moved.items()
    )
    removed = [path for path in told.removed if path not in told.moved]
    if way.prune:
        yield from (f"{shown(path)}: is gone, and {done}{_as_another(told, path)}" for path in removed)
        return
    cited = dict(told.gone_in_force)
    for path in removed:
        stays = f"{shown(cited[path])} is still in force" if path in cited else "its draft stays"
        twice = ", and both are stored until then" if path in told.same_bytes else ""
        yield f"{shown(path)}: is gone, and {stays}; --prune withdraws it{_as_another(told, path)}{twice}"


def _as_another(told: Told, path: str) -> str:
    """That a file which is gone was moved, or copied: its id was made of its path, and its new place made another."""
    if path not in told.same_bytes:
        return ""
    place, name = told.same_bytes[path]
    return f"; the same bytes are at {shown(place)} now, as another document, {shown(name)}"


def tell_stopped(told: Told, way: Way) -> None:
    """Ctrl-C leaves whole documents only, and the same call goes on with the others."""
    if way.dry_run:
        tell("stopped; nothing was to be changed, and nothing was")
        return
    if not (told.added.documents or told.added.unchanged or told.withdrawn):
        tell("stopped before anything was stored; the same command begins anew")
        return
    documents = counted(told.added.documents, "document", "documents")
    before = f", {told.added.unchanged:,} before" if told.added.unchanged else ""
    withdrawn = f", {told.withdrawn:,} withdrawn" if told.withdrawn else ""
    tell(f"stopped: {documents} stored{before}{withdrawn}, each of them whole; the same command goes on from there")


def _as_json(told: Told, way: Way) -> dict[str, Any]:
    return {
        "documents": told.added.documents,
        "unchanged": told.added.unchanged,
        "replaced": told.added.replaced,
        "passages": told.added.passages,
        "changed": told.changed,
        "drafts": told.drafts,
        "partial": told.partial,
        "skipped": [{"file": name, "why": why} for name, why in told.skipped],
        "failed": told.failed,
        "without_text": told.without_text,
        "removed": told.removed,
        "moved": [{"file": path, "now": place} for path, place in told.moved.items()],
        "same_bytes": [
            {"file": path, "now": place, "document": name} for path, (place, name) in told.same_bytes.items()
        ],
        "withdrawn": told.withdrawn,
        "restored": told.restored,
        "former": [{"file": path, "document": name} for path, name in told.former],
        "elsewhere": [{"file": path, "audience": name, "document": version} for path, name, version in told.elsewhere],
        "not_in_force": [{"file": path, "why": what} for path, what in told.not_in_force],
        "still_in_force": [{"file": path, "document": name} for path, name in told.still_in_force],
        "outdated": told.outdated,
        "read_otherwise": told.read_otherwise,
        "read_as_before": told.read_as_before,
        "dry_run": way.dry_run,
    }


def _tell_readers(told: Told, way: Way) -> None:
    """That a document is not what its file reads as now is the reader's own doing, and no change of the file."""
    becomes = "another text of the same version" if way.replace else "a new version"
    becomes = f"would be {becomes}" if way.dry_run else f"is {becomes}"
    _tell_some(
        f"{name}: the same file, but another reader reads it otherwise; it {becomes}" for name in told.read_otherwise
    )
    if told.read_as_before:
        files = counted(told.read_as_before, "file reads", "files read")
        tell(f"{files} as before with another reader")
    count = len(told.outdated) + told.added.outdated
    if not count:
        return
    were = counted(count, "unchanged file stays", "unchanged files stay")
    way_out = (
        "--replace takes what is read now in the place of their versions"
        if way.reread
        else "--reread reads them again, and what reads otherwise becomes a new version"
    )
    tell(f"{were} stored as another reader read them, before this program or a library of it changed: {way_out}")


def _partly(each: dict[str, Any]) -> str:
    lost = each["lost"]
    more = f" and {len(lost) - 3:,} more" if len(lost) > 3 else ""
    return f"{each['file']}: not all of it could be read{': ' if lost else ''}{', '.join(lost[:3])}{more}"


def _tell_some(lines: Iterator[str]) -> None:
    left = 0
    for number, line in enumerate(lines):
        if number < MOST_TOLD:
            tell(line)
        else:
            left += 1
    if left:
        tell(f"and {left:,} more; --json tells all")


def _tell_disregarded(unheard: Sequence[tuple[str, ...]]) -> None:
    """A label that a file claims for itself and that does not hold is told: it may have been meant to protect it."""
    if unheard:
        names = ", ".join(sorted({name for names in unheard for name in names}))
        files = counted(len(unheard), "file", "files")
        tell(f"front matter did not count for {names} in {files}; --trust-front-matter lets it")
