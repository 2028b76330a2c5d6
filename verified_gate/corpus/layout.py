"""What is in the index and who may read which part of it: small arrays kept in memory, never text.

A layout belongs to one epoch of the store. Segments are immutable, so that a layout of the next epoch reads anew
only those whose live counts changed. Slots of all segments are numbered through: `base` of the segment plus slot.
"""

import sqlite3
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from verified_gate.corpus.document import groups_of
from verified_gate.corpus.indexing import require_tokenizer
from verified_gate.corpus.tally import setting_of
from verified_gate.corpus.vocabulary import KEY, Prints, hashes_of, read_prints
from verified_gate.model import Access, Actor

Array = npt.NDArray[Any]

MAX_SCOPES: Final = 256
"""Actors whose permitted runs are remembered; the rest is computed again."""
FEW_RUNS: Final = 128
"""An actor who may read no more runs than this gets them in one statement, whatever segments they are in."""
FEW_SLOTS: Final = 65_536
"""Of so few slots all postings are read at once: choosing among them would take longer."""


@dataclass(frozen=True, slots=True)
class Segment:
    """The runs of one segment, as arrays by run number."""

    id: int
    changed: int
    slots: int
    lengths: Array
    audience: Array
    first: Array
    size: Array
    live: Array
    live_tokens: Array
    dead: Array | None
    """By slot: True where its document is not current. None where nothing is, or nothing is live."""
    prints: dict[int, Prints] = field(default_factory=dict)
    """By run: the vocabularies that were read already."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The runs of one segment that an actor may read: those from `begin` to `end` of the scope.

    `whole`: they are all there are. `settled`: these are all live, too, as wholes.
    """

    segment: Segment
    base: int
    begin: int
    end: int
    whole: bool
    settled: bool


@dataclass(frozen=True, slots=True)
class Scope:
    """What an actor may read: runs, and the counts behind every score (live passages, and their tokens)."""

    audiences: frozenset[int]
    reaches: tuple[Reach, ...]
    passages: int
    tokens: int
    codes: Array
    """By run that is read, in order: segment times 65,536, plus run."""
    bases: Array
    """By run that is read: the base of its segment."""
    firsts: Array
    """By run that is read: its first slot, numbered through."""
    ends: Array
    """By run that is read: how many slots it and the runs before it have."""
    shifts: Array
    """By run that is read: its first slot, less the slots of the runs before it."""
    alive: Array
    """By run that is read: is it live as a whole?"""
    mixed: Array
    """By run that is read: is it live in part?"""
    frequencies: dict[str, int] = field(default_factory=dict)
    """Document frequencies that were counted already, in this scope and epoch."""

    @property
    def few(self) -> bool:
        """Are so few runs read that all their rows of a term are read in one statement?"""
        return len(self.codes) <= FEW_RUNS

    @property
    def small(self) -> bool:
        """And so few passages that all rows of all terms are?"""
        return self.few and (not len(self.ends) or bool(self.ends[-1] <= FEW_SLOTS))


def held_by(connection: sqlite3.Connection, layout: "Layout", scope: Scope, terms: Sequence[str]) -> Array:
    """By term and run that is read: may the run hold the term? Where an actor may not read all of a segment, its runs
    are asked before its postings are, which lie among those of others.
    """
    held = np.ones((len(terms), len(scope.codes)), dtype=bool)
    asked = [reach for reach in scope.reaches if not reach.whole]
    if not asked:
        return held
    hashes = hashes_of(terms, layout.key)
    for reach in asked:
        known = reach.segment.prints
        runs = (scope.codes[reach.begin : reach.end] & 65_535).tolist()
        unknown = [run for run in runs if run not in known]
        if unknown:
            known.update(read_prints(connection, reach.segment.id, unknown))
        for place, run in enumerate(runs, reach.begin):
            held[:, place] = known[run].hold(hashes)
    return held


class Layout:
    """The index at one epoch."""

    def __init__(self, epoch: int, key: int, segments: list[Segment], audiences: dict[int, Access]) -> None:
        self.epoch = epoch
        self.key = key
        """Of the hashes of terms: see `vocabulary`."""
        self.segments = segments
        self.audiences = audiences
        sizes = [segment.slots for segment in segments]
        self.bases = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))
        self._bases: list[int] = self.bases.tolist()
        empty = np.zeros(0, dtype=np.uint32)
        self.lengths: Array = np.concatenate([empty, *(segment.lengths for segment in segments)])
        self.live: Array | None = None
        """By slot: True where its document is current; None where all are."""
        if any(segment.dead is not None for segment in segments):
            dead = [np.zeros(each.slots, dtype=bool) if each.dead is None else each.dead for each in segments]
            self.live = ~np.concatenate(dead)
        self.within: dict[object, Array | None] = {}
        """By permission and limits of a request: the slots that may be hits, None where all that is live may."""
        self._scopes: OrderedDict[tuple[Actor | None, bool], Scope] = OrderedDict()

    def scope(self, actor: Actor | None, *, historic: bool = False) -> Scope:
        """What `actor` may read. With `historic` runs without a live passage are read as well."""
        remembered = self._scopes.get((actor, historic))
        if remembered is not None:
            return remembered
        audiences = frozenset(number for number, access in self.audiences.items() if access.permits(actor))
        permitted = np.zeros(max(self.audiences, default=0) + 1, dtype=bool)
        permitted[list(audiences)] = True
        reaches: list[Reach] = []
        nothing = np.zeros(0, dtype=np.int64)
        codes, bases, firsts, sizes, lives = [nothing], [nothing], [nothing], [nothing], [nothing]
        passages = tokens = end = 0
        for segment, base in zip(self.segments, self._bases, strict=False):
            read = permitted[segment.audience]
            passages += int(segment.live[read].sum())
            tokens += int(segment.live_tokens[read].sum())
            if not historic:
                read = read & (segment.live > 0)
            if np.any(read):
                runs = np.flatnonzero(read)
                begin, end = end, end + len(runs)
                whole = len(runs) == len(read)
                settled = whole and bool((segment.live == segment.size).all())
                reaches.append(Reach(segment, base, begin, end, whole, settled))
                codes.append(segment.id * 65_536 + runs)
                bases.append(np.full(len(runs), base))
                firsts.append(segment.first[runs] + base)
                sizes.append(segment.size[runs])
                lives.append(segment.live[runs])
        first, size, live = np.concatenate(firsts), np.concatenate(sizes), np.concatenate(lives)
        ends = np.cumsum(size)
        scope = Scope(
            audiences,
            tuple(reaches),
            passages,
            tokens,
            np.concatenate(codes),
            np.concatenate(bases),
            first,
            ends,
            first - ends + size,
            alive=live == size,
            mixed=(live > 0) & (live < size),
        )
        self._scopes[actor, historic] = scope
        while len(self._scopes) > MAX_SCOPES:
            self._scopes.popitem(last=False)
        return scope

    def code(self, number: int) -> int:
        """The segment and the slot in it of a slot numbered through: segment times 2**32, plus slot."""
        index = bisect_right(self._bases, number) - 1
        return (self.segments[index].id << 32) + number - self._bases[index]


def read_layout(connection: sqlite3.Connection, known: Layout | None) -> Layout:
    """The layout of the snapshot that `connection` reads, with what of `known` still holds."""
    epoch = setting_of(connection, "epoch")
    if known is not None and known.epoch == epoch:
        return known
    require_tokenizer(connection)
    kept = {} if known is None else {(segment.id, segment.changed): segment for segment in known.segments}
    segments = [
        kept.get((identity, changed)) or _read_segment(connection, identity, changed, slots)
        for identity, changed, slots in connection.execute(
            "SELECT id, changed, slots FROM segment ORDER BY id"
        ).fetchall()
    ]
    audiences = {
        number: Access(tenant or None, groups_of(groups))
        for number, tenant, groups in connection.execute("SELECT id, tenant, groups FROM audience")
    }
    return Layout(epoch, setting_of(connection, KEY), segments, audiences)


def _read_segment(connection: sqlite3.Connection, identity: int, changed: int, slots: int) -> Segment:
    (lengths,) = connection.execute("SELECT lengths FROM segment WHERE id = ?", (identity,)).fetchone()
    runs = np.array(
        connection.execute(
            "SELECT audience, first, slots, live, live_tokens FROM run WHERE segment = ? ORDER BY number", (identity,)
        ).fetchall(),
        dtype=np.int64,
    ).reshape(-1, 5)
    audience, first, size, live, live_tokens = runs.T
    dead = None
    if np.any(live != size):
        dead = np.zeros(slots, dtype=bool)
        gone = connection.execute(
            "SELECT first, first + slots FROM placement LEFT JOIN document ON document.id = placement.document"
            " WHERE segment = ? AND status IS NOT 'current'",
            (identity,),
        )
        for start, end in gone:
            dead[start:end] = True
    return Segment(
        identity, changed, slots, np.frombuffer(lengths, dtype="<u4"), audience, first, size, live, live_tokens, dead
    )
