"""Reads the real data sets: texts, and the quotes that people marked in them. Shared by the benchmarks of the gate.

`data` is a folder with cuad, quotesum, clapnq, xquad and messy, each with its README.
"""

import json
import pathlib
import re
from collections.abc import Iterator

from tests.mutation.bank import Honest

LANGUAGES = ("en", "de", "es", "ar", "hi", "zh", "ru", "tr")
SENTENCE = re.compile(
    r"(?:[^.!?。！？؟।\n]|[.!?](?=[^\s\"')\]»”])){12,}?(?:[.!?؟।](?=[\s\"')\]»”]|$)[\"')\]»”]*|[。！？]|(?=\n)|$)"
)


def records(path: pathlib.Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def pdf_text(path: pathlib.Path) -> str:
    """The text of all pages, joined by line feeds, as PDFium returns it."""
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    try:
        return "\n".join(page.get_textpage().get_text_range() for page in document)
    finally:
        document.close()


def cuad_texts(data: pathlib.Path) -> dict[str, str]:
    return {path.stem: path.read_bytes().decode("utf-8") for path in sorted((data / "cuad" / "txt").glob("*.txt"))}


def cuad_pdfs(data: pathlib.Path) -> dict[str, str]:
    return {path.stem: pdf_text(path) for path in sorted((data / "cuad" / "pdf").glob("*.pdf"))}


def parts(clause: str) -> list[str]:
    """A clause part by part: `<omitted>` marks what the lawyers left out."""
    return [part.strip() for part in clause.split("<omitted>") if part.strip()]


def sentences(text: str) -> list[tuple[int, int]]:
    """Rough sentences: spans without white space at their ends."""
    found = []
    for match in SENTENCE.finditer(text):
        low, high = match.span()
        while low < high and text[low].isspace():
            low += 1
        while high > low and text[high - 1].isspace():
            high -= 1
        if high > low:
            found.append((low, high))
    return found


def window(text: str, start: int, end: int, size: int = 4000) -> tuple[int, int]:
    """A passage around a span: about `size` code points, its ends at line or word borders."""
    room = max(0, size - (end - start)) // 2
    low, high = max(0, start - room), min(len(text), end + room)
    if (low and (cut := text.find("\n", low, start)) >= 0) or (low and (cut := text.find(" ", low, start)) >= 0):
        low = cut + 1
    else:
        low = low if low == 0 else start
    if (high < len(text) and (cut := text.rfind("\n", end, high)) >= 0) or (
        high < len(text) and (cut := text.rfind(" ", end, high)) >= 0
    ):
        high = cut
    return low, high


def _windowed(text: str, start: int, end: int, lang: str = "en") -> Honest:
    low, high = window(text, start, end)
    return Honest(text[low:high], start - low, end - low, text[start:end], lang)


def cuad_quotes(data: pathlib.Path) -> Iterator[Honest]:
    """Each clause part in a window of its contract's text; from the PDFs, sentences with their broken lines."""
    texts = cuad_texts(data)
    for clause in records(data / "cuad" / "clauses.jsonl"):
        text = texts[clause["cid"]]
        for start, end in clause["txt_spans"]:
            if 20 <= end - start <= 1500:
                yield _windowed(text, start, end)
    for text in cuad_pdfs(data).values():
        for number, (start, end) in enumerate(sentences(re.sub(r"\r?\n(?=\S)", lambda m: " " * len(m[0]), text))):
            if number % 4 == 0 and 40 <= end - start <= 600:
                yield _windowed(text, start, end)


def quotesum_quotes(data: pathlib.Path) -> Iterator[Honest]:
    texts = {row["pid"]: row["text"] for row in records(data / "quotesum" / "passages.jsonl")}
    for row in records(data / "quotesum" / "answers.jsonl"):
        for quote in row["quotes"]:
            text = texts[quote["pid"]]
            if quote["found"] == "exact" and len(quote["quote"]) >= 15:
                start = text.find(quote["quote"])
                yield Honest(text, start, start + len(quote["quote"]), quote["quote"])
    for text in texts.values():
        for start, end in sentences(text):
            yield Honest(text, start, end, text[start:end])


def clapnq_quotes(data: pathlib.Path) -> Iterator[Honest]:
    for row in records(data / "clapnq" / "passages.jsonl"):
        for sentence in row["sentences"]:
            start = row["text"].find(sentence)
            if start >= 0 and len(sentence) >= 20:
                yield Honest(row["text"], start, start + len(sentence), sentence)


def xquad_quotes(data: pathlib.Path) -> Iterator[Honest]:
    for lang in LANGUAGES:
        for row in records(data / "xquad" / f"{lang}.passages.jsonl"):
            for start, end in sentences(row["text"]):
                yield Honest(row["text"], start, end, row["text"][start:end], lang)
