"""From files to documents and their passages, each with its place and its pins.

Comes in: bytes, files and folders of Markdown, plain text, PDF, DOCX, ODT, HTML, EPUB, XLSX and CSV, and the operator's
labels. Goes out: frozen `SourceDocument`s (`read_document`, `read_file`, `read_directory`) and their `Passage`s (`cut`).
May fail: one `IngestError` that names every bad file, with nothing returned; `UnreadableFile`, with its code, for one that
gives no document; `ValueError` for wrong sizes. What is neither Markdown nor text is read by `formats/`, in processes
that can be killed (`Readers`). Imports `model/`, `text/` and PyYAML only, and the libraries of `formats/` in those
processes; knows no store.
"""

from verified_gate.ingest.cutting import Strategy, cut
from verified_gate.ingest.document import Labels, SourceDocument, Status
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.reading import Reading, read_directory, read_document, read_file
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile
from verified_gate.ingest.worker import Readers

__all__ = [
    "Labels",
    "Readers",
    "Reading",
    "ReadingLimits",
    "SourceDocument",
    "Status",
    "Strategy",
    "Unreadable",
    "UnreadableFile",
    "cut",
    "read_directory",
    "read_document",
    "read_file",
]
