"""Fields of a Word document: which words are instructions, which are results, and what form fields show."""

from dataclasses import dataclass
from typing import Final

from verified_gate.ingest.formats.markup import Element
from verified_gate.ingest.formats.word_names import child, every, value, word_name

_OFF: Final = frozenset({"0", "false", "off"})
_LONGEST: Final = 1_000
_SHOWING_NOTHING: Final = frozenset(
    {"TC", "XE", "RD", "TA", "SET", "ASK", "NEXT", "NEXTIF", "SKIPIF", "PRINT", "PRIVATE", "ADVANCE", "BIDIOUTLINE",
     "DATA", "FORMTEXT", "HYPERLINK", "REF", "IF", "IMPORT", "EMBED", ""}
)  # fmt: skip
"""Fields that show nothing, or nothing where they have no result."""
_OF_PAGES: Final = frozenset({"PAGE", "NUMPAGES", "SECTION", "SECTIONPAGES"})
_BUTTONS: Final = frozenset({"MACROBUTTON", "GOTOBUTTON"})
"""They show the rest of their own instruction."""


@dataclass(slots=True)
class _Field:
    in_result: bool = False
    is_form: bool = False
    code: str = ""


class Fields:
    """Those that are open, the innermost last. `untold`: how many showed something that the file does not hold."""

    def __init__(self) -> None:
        self._open: list[_Field] = []
        self.untold = 0

    def __len__(self) -> int:
        return len(self._open)

    @property
    def in_instruction(self) -> bool:
        """Whether the words that come next are shown by no reader."""
        return not all(each.in_result for each in self._open)

    def instruct(self, text: str) -> None:
        """A piece of an instruction."""
        if self._open and len(self._open[-1].code) < _LONGEST:
            self._open[-1].code += text

    def turn(self, sign: Element, *, in_margin: bool = False) -> str:
        """A field begins, comes to its result, or ends; what is shown of it there."""
        kind = value(sign, "fldCharType")
        if kind == "begin":
            form = child(sign, "ffData")
            shown, silent = self._entered(form), self.in_instruction
            chosen = child(form, "ddList") is not None or child(form, "checkBox") is not None
            self._open.append(_Field(is_form=chosen))
            return "" if silent else shown
        if kind == "separate" and self._open:
            self._open[-1].in_result = not self._open[-1].is_form
        elif kind == "end" and self._open:
            field = self._open.pop()
            if not (field.in_result or field.is_form or self.in_instruction):
                return self._without_result(field.code, in_margin=in_margin)
        return ""

    def simple(self, element: Element, *, in_margin: bool) -> None:
        """A field without signs, whose results are its children."""
        if next(every(element, "t"), None) is None and not self.in_instruction:
            self._without_result(value(element, "instr"), in_margin=in_margin)

    def _without_result(self, code: str, *, in_margin: bool) -> str:
        words = code.split(None, 2)
        name = words[0].upper() if words else ""
        if name in _BUTTONS:
            return words[2] if len(words) > 2 else ""
        if name not in _SHOWING_NOTHING and not (in_margin and name in _OF_PAGES):
            self.untold += 1
        return ""

    def _entered(self, form: Element | None) -> str:
        """What a field of a form shows that is in no run: a choice, a box that is ticked or not."""
        for each in form if form is not None else ():
            name = word_name(each)
            if name == "checkBox":
                ticked = child(each, "checked")
                ticked = child(each, "default") if ticked is None else ticked
                return "☒" if ticked is not None and value(ticked).lower() not in _OFF else "☐"
            if name == "ddList":
                entries = [value(entry) for entry in each if word_name(entry) == "listEntry"]
                at = value(child(each, "result")) or value(child(each, "default")) or "0"
                if at.isdecimal() and len(at) < 5 and int(at) < len(entries):
                    return entries[int(at)]
                self.untold += 1
        return ""
