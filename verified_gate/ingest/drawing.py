"""Where a quote stands on the page of a PDF, asked when it is needed, from the very file that was read.

The file is named by the hash of its bytes, which is checked first; the text of the page as it reads now is compared
with the one that is stored of it, so that another reader is told as such and no other words are marked. All of the page
is compared: where words moved, the same ones may by chance stand where the quote stood.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from verified_gate.ingest.extracted import Page
from verified_gate.ingest.folder import bytes_of, shown
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.worker import Readers, shared_readers
from verified_gate.model.errors import CorpusError

Box = tuple[float, float, float, float]
"""Left, bottom, right, top: points (1/72 inch) from the lower left corner of the page."""


class ReadsOtherwise(CorpusError):
    """The very file that was read, and a page of it reads otherwise now: another reader read it, or an OCR program."""


def on_pages(pages: Sequence[Page], start: int, end: int) -> list[tuple[int, tuple[int, int]]]:
    """The pages that `[start, end)` of a document's text stands on, each with its part in the page's own text."""
    found = []
    for page in pages:
        first, last = max(start, page.start), min(end, page.end)
        if first < last:
            found.append((page.number, (first - page.start, last - page.start)))
    return found


def boxes(
    file: str | Path | bytes,
    file_sha256: str,
    page: int,
    span: tuple[int, int],
    text: str,
    *,
    password: str | None = None,
    readers: Readers | None = None,
) -> tuple[Box, ...]:
    """The boxes around `span` of the text of `page` (from 1), one for each line or piece of one. `text` is what is stored
    of that page.

    Raises `CorpusError` where the file is another one, `ReadsOtherwise` where the page's text is not `text`,
    `UnreadableFile`.
    """
    message = {"task": "boxes", "page": page, "spans": [span], "password": password}
    told, _ = _done(file, file_sha256, message, text, readers)
    return tuple((box[0], box[1], box[2], box[3]) for box in told["boxes"][0])


def draw(
    file: str | Path | bytes,
    file_sha256: str,
    page: int,
    spans: Sequence[tuple[int, int]] = (),
    text: str = "",
    *,
    scale: float = 2.0,
    password: str | None = None,
    readers: Readers | None = None,
) -> bytes:
    """`page` as a PNG, `scale` pixels a point, with `spans` of `text` marked, which is what is stored of that page.
    Without spans the text is not asked for. Raises as `boxes` does.
    """
    message = {"task": "draw", "page": page, "spans": list(spans), "scale": scale, "password": password}
    _, picture = _done(file, file_sha256, message, text, readers)
    return picture


def _loaded(path: Path) -> bytes:
    """The file's bytes. What lies there now may be a pipe or a device, which never ends: neither is waited for."""
    most = ReadingLimits().file_bytes
    data = bytes_of(path, str(path), lambda _: most + 1)
    if not isinstance(data, bytes):
        raise CorpusError("; ".join(f"{place}: {why}" for place, why in data))
    if len(data) > most:
        raise CorpusError(f"{shown(str(path))}: is larger than {most:,} bytes, and so not the file that was read")
    return data


def _done(
    file: str | Path | bytes,
    file_sha256: str,
    message: dict[str, Any],
    text: str,
    readers: Readers | None,
) -> tuple[Any, bytes]:
    data = file if isinstance(file, bytes) else _loaded(Path(file))
    if hashlib.sha256(data).hexdigest() != file_sha256:
        raise CorpusError("the file is not the one that was read: its hash is another")
    if not data.startswith(b"%PDF-") and b"%PDF-" not in data[:1024]:
        raise CorpusError("the file is no PDF, and has no pages that could be drawn")
    told, picture = (readers or shared_readers()).run(message, data)
    if message["spans"] and told["text"] != text:
        raise ReadsOtherwise(
            "the page reads otherwise now than it is stored, since another reader read it, or an OCR program: nothing is"
            " marked; `verified-gate ingest --reread` reads unchanged files again"
        )
    return told, picture
