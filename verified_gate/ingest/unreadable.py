"""Why a file gives no document: one code each, for people and for `--json`. Nothing of such a file is stored."""

from enum import StrEnum

from verified_gate.model.errors import IngestError


class Unreadable(StrEnum):
    """Reasons. A file that gives some of its text is no failure: its coverage is `partial`."""

    UNKNOWN_KIND = "unknown_kind"
    """None of the kinds that are read."""
    MISSING_PACKAGE = "missing_package"
    """The packages that read this kind are not installed."""
    ENCRYPTED = "encrypted"
    """It needs a password, or another than was given."""
    NEEDS_OCR = "needs_ocr"
    """Its pages are pictures, without a text layer."""
    OCR_FAILED = "ocr_failed"
    """The OCR program that was handed in raised an exception, or gave no text."""
    NO_TEXT = "no_text"
    """It was read and holds no text."""
    NOT_TEXT = "not_text"
    """Meant to be text, and not UTF-8 (or what the file declares)."""
    DAMAGED = "damaged"
    """It breaks the rules of its own format, or was cut off."""
    TOO_LARGE = "too_large"
    """Over the limit of bytes, pages, characters or parts."""
    BOMB = "bomb"
    """It unpacks to far more than it is."""
    TOO_DEEP = "too_deep"
    """Elements inside each other beyond the limit."""
    EXTERNAL_REFERENCE = "external_reference"
    """It declares entities, or wants something fetched from outside of itself, to be read at all."""
    UNSAFE_PATH = "unsafe_path"
    """It names a part of itself that lies outside of its container."""
    TIMED_OUT = "timed_out"
    """Reading took longer than the limit and was stopped."""
    OUT_OF_MEMORY = "out_of_memory"
    """Reading took more memory than the limit and was stopped."""
    CRASHED = "crashed"
    """The process that read it died."""


class UnreadableFile(IngestError):
    """A file that gives no document. `reason` is the code; `detail` says what and where, without the file's words;
    `place` is the file's name where it is known.
    """

    def __init__(self, reason: Unreadable, detail: str = "", place: str = "") -> None:
        self.reason = Unreadable(reason)
        self.detail = detail
        self.place = place
        super().__init__([(place or "the file", self.why)])

    @property
    def why(self) -> str:
        """`encrypted: needs a password`."""
        return f"{self.reason}: {self.detail}" if self.detail else str(self.reason)

    def at(self, place: str) -> "UnreadableFile":
        """The same, of the file that is called `place`."""
        return UnreadableFile(self.reason, self.detail, place)

    def __reduce__(self) -> tuple[type["UnreadableFile"], tuple[Unreadable, str, str]]:
        return UnreadableFile, (self.reason, self.detail, self.place)
