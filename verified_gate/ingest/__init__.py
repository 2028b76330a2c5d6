"""From files to documents and their passages, each with its place and its pins.

Comes in: bytes, a file or a folder of Markdown and plain text, and the operator's labels. Goes out: frozen
`SourceDocument`s (`read_document`, `read_file`, `read_directory`) and their `Passage`s (`cut`). May fail: one
`IngestError` that names every bad file and its fault, with nothing returned; `ValueError` for wrong sizes.
Imports `model/`, `text/` and PyYAML only; knows no store.
"""

from verified_gate.ingest.cutting import Strategy, cut
from verified_gate.ingest.document import Labels, SourceDocument, Status
from verified_gate.ingest.reading import Reading, read_directory, read_document, read_file

__all__ = [
    "Labels",
    "Reading",
    "SourceDocument",
    "Status",
    "Strategy",
    "cut",
    "read_directory",
    "read_document",
    "read_file",
]
