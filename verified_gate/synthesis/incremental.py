"""Claims of a reply that is still being written: each is given away once its object is closed, and not before.

Only brackets outside of strings are followed here, to know where an object ends; each is looked at once. What stands
between them is decoded by the one strict decoder that reads whole replies, once: a parser of partial JSON can tell
neither where a value ends nor whether an unfinished string or a second member of the same name is to follow. Where the
text is anything but a reply as it was asked for (prose before it, claims that are no objects), nothing more is given
away, and the whole text decides at its end.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from verified_gate.model import decode_json
from verified_gate.model.proposal import MAX_JSON_CHARACTERS, MAX_JSON_DEPTH
from verified_gate.synthesis.pointer import NumberedPassage
from verified_gate.synthesis.protocol import WholeClaim
from verified_gate.synthesis.reply import ClaimReader, after_thoughts

MAX_HEAD: Final = 65_536
"""Code points before the claims begin; where more come, the reply is read at its end."""
MAX_CLAIMS: Final = 1_000
"""Claims that are given away one by one."""

_BLANK: Final = "\ufeff \t\r\n"
_THINK: Final = "<think>"
_THOUGHT: Final = "</think>"
_FENCE: Final = re.compile(r"```(?:json)?[ \t]*\r?\n", re.IGNORECASE)
_MARK: Final = re.compile(r'["\\{}\[\]]')
_IN_STRING: Final = re.compile(r'["\\]')
_CLAIMS: Final = re.compile(r'"claims"[ \t\r\n]{0,100}:[ \t\r\n]{0,100}\[\Z')
_TAIL: Final = 300
_LONGEST_FENCE: Final = 20
_OPENING: Final = {"}": "{", "]": "["}


class IncrementalReply:
    """Takes the text of a reply in pieces. Work is linear in the text, however it is cut."""

    def __init__(
        self,
        aliases: Mapping[str, str] | None = None,
        *,
        unescape: Callable[[str], str] | None = None,
        numbered: Mapping[str, NumberedPassage] | None = None,
    ) -> None:
        self._aliases = aliases
        self._reader = ClaimReader(unescape, numbered)
        self._step: Callable[[str], Iterator[WholeClaim]] | None = self._lead
        self._size = 0
        self._waiting = ""
        """Text before the reply's own `{`, as far as it may still matter."""
        self._parts: list[str] = []
        """Since the head, the last claim's end or the claim's own beginning."""
        self._held = 0
        self._stack: list[str] = []
        self._in_string = self._skip = False
        self._in_claims = False
        self._position = 0

    def feed(self, text: str) -> Iterator[WholeClaim]:
        """The claims that `text` completes."""
        self._size += len(text)
        if self._size > MAX_JSON_CHARACTERS:
            self._step = None
        if self._step is None or not text:
            return
        try:
            yield from self._step(text)
        except _AtItsEnd:
            self._step = None
            self._parts.clear()

    # --- before the reply -----------------------------------------------------------------------------------------

    def _lead(self, text: str) -> Iterator[WholeClaim]:
        """Pass over blanks, thoughts and the opening of a fence."""
        self._waiting = (self._waiting + text).lstrip(_BLANK)
        begin = after_thoughts(self._waiting)
        if begin is None:  # the thought may be long: of it only what may be the beginning of its end is kept
            self._waiting = _THINK + self._waiting[len(_THINK) :][-len(_THOUGHT) :]
            return
        self._waiting = self._waiting[begin:].lstrip(_BLANK)
        waiting = self._waiting
        fence = _FENCE.match(waiting)
        if fence is not None:
            waiting = waiting[fence.end() :].lstrip(_BLANK)
        if waiting.startswith("{"):
            self._step, self._waiting = self._scan, ""
            yield from self._scan(waiting)
        elif (waiting and fence is not None) or not (
            _THINK.startswith(waiting) or (waiting.startswith("`") and len(waiting) < _LONGEST_FENCE)
        ):
            raise _AtItsEnd

    # --- the reply ------------------------------------------------------------------------------------------------

    def _scan(self, text: str) -> Iterator[WholeClaim]:
        """Follow the brackets of `text`; `start` is where what is not whole yet begins in it."""
        start, position = 0, int(self._skip)
        self._skip = False
        while mark := (_IN_STRING if self._in_string else _MARK).search(text, position):
            position = mark.end()
            char, in_list = mark[0], self._in_claims and self._stack == ["{", "["]
            if char == "\\" and self._in_string:
                self._skip = position == len(text)
                position += 1
            elif char == '"' and not in_list:
                self._in_string = not self._in_string
            elif char == "{" and in_list:
                self._begin(text[start : mark.start()])
                start = mark.start()
                self._stack.append(char)
            elif char in "{[" and not in_list and len(self._stack) < MAX_JSON_DEPTH:
                self._stack.append(char)
                if not self._in_claims and self._stack == ["{", "["] and self._enters(text, start, position):
                    self._in_claims, start = True, position
            elif char in "}]" and not in_list and self._stack and self._stack[-1] == _OPENING[char]:
                self._stack.pop()
                if self._in_claims and self._stack == ["{", "["]:
                    yield self._whole("".join([*self._parts, text[start:position]]))
                    start = position
            else:  # the end of the claims or of the reply, or nothing that a reply holds
                raise _AtItsEnd
        self._hold(text[start:])

    def _hold(self, text: str) -> None:
        """Keep what belongs to something that is not whole."""
        if text:
            self._parts.append(text)
        if not self._in_claims:
            self._held += len(text)
            if self._held > MAX_HEAD:
                raise _AtItsEnd

    def _enters(self, text: str, start: int, position: int) -> bool:
        """Is the list that opens before `position` the claims of a reply that answers?"""
        tail = text[max(start, position - _TAIL) : position]
        if not _CLAIMS.search(tail if len(tail) == _TAIL else "".join(self._parts[-_TAIL:])[-_TAIL:] + tail):
            return False
        head = "".join([*self._parts, text[start:position]])
        reply = decode_json(f"{head}]}}") if len(head) <= MAX_HEAD else None
        if not isinstance(reply, dict) or reply.get("status", "answered") != "answered" or reply.get("claims") != []:
            raise _AtItsEnd
        self._parts.clear()
        return True

    def _begin(self, between: str) -> None:
        """A claim begins: nothing but a comma may stand between it and the one before."""
        gap = "".join([*self._parts, between]).strip(_BLANK)
        self._parts.clear()
        if gap != ("," if self._position else "") or self._position == MAX_CLAIMS:
            raise _AtItsEnd

    def _whole(self, text: str) -> WholeClaim:
        """The claim that has just closed. Where it is no JSON, the whole reply is none."""
        self._parts.clear()
        decoded = decode_json(f'{{"claims":[{text}]}}')
        if not isinstance(decoded, dict):
            raise _AtItsEnd
        (value,) = decoded["claims"]
        claim = self._reader.read(value, self._position)
        self._position += 1
        return WholeClaim(self._position - 1, claim, self._aliases)


class _AtItsEnd(Exception):
    """Nothing more is given away: the whole text decides at its end."""
