"""Passages of real text from Debian documentation packages, as JSONL for `benchmarks.million`.

    apt-get download linux-doc-6.1 debian-handbook …          # into a folder; nothing is installed
    python -m benchmarks.debian FOLDER PASSAGES > passages.jsonl

Each line is {"text", "package"}: 55 to 105 words, neighbours of one file in their order, no paragraph twice. Where the
packages do not give enough, windows that overlap the first ones (by a half, then other shares) fill up.
"""

import gzip
import html
import json
import pathlib
import re
import subprocess
import tempfile

from benchmarks import given

LEAST, MOST = 55, 105
_SKIPPED = re.compile(r"(?is)<(script|style|head|nav)\b.*?</\1>")
_BLOCK_END = re.compile(r"(?i)</(?:p|div|li|td|th|h[1-6]|pre|dd|dt|tr|section)>|<br ?/?>")
_TAG = re.compile(r"<[^<>]{0,2000}>")
KINDS = (".html", ".htm", ".txt", ".rst", ".txt.gz", ".rst.gz", ".html.gz", ".page", ".xhp")


def paragraphs_of(path):
    data = path.read_bytes()
    if path.name.endswith(".gz"):
        data = gzip.decompress(data)
    text = data.decode("utf-8", "ignore")
    if "<" in text and re.search(r"(?i)<(html|p|page|helpdocument)\b", text):
        text = html.unescape(_TAG.sub(" ", _BLOCK_END.sub("\n\n", _SKIPPED.sub(" ", text))))
    for part in re.split(r"\n\s*\n", text):
        words = part.split()
        if len(words) >= 8 or (len(part) > 30 and not part.isascii()):
            yield words


def files_of(folder):
    for package in sorted(pathlib.Path(folder).glob("*.deb")):
        with tempfile.TemporaryDirectory() as place:
            subprocess.run(["dpkg-deb", "-x", str(package), place], check=True)
            for path in sorted(pathlib.Path(place).rglob("*")):
                if path.is_file() and not path.is_symlink() and path.name.endswith(KINDS):
                    yield package.name.partition("_")[0], path


def pieces(words):
    """Runs of words, 55 to 105 of them; words of scripts without spaces are long, so characters count too."""
    piece, size = [], 0
    for word in words:
        piece.append(word)
        size += max(1, len(word) // 3 if not word.isascii() else 1)
        if size >= MOST:
            yield " ".join(piece)
            piece, size = [], 0
    if size >= LEAST:
        yield " ".join(piece)


def main(folder, passages):
    seen, made, kept = set(), 0, []
    for package, path in files_of(folder):
        words = []
        for paragraph in paragraphs_of(path):
            mark = hash(" ".join(paragraph))
            if mark not in seen:
                seen.add(mark)
                words += paragraph
        for text in pieces(words):
            print(json.dumps({"text": text, "package": package}, ensure_ascii=False))
            made += 1
            if made >= passages:
                return
        if len(kept) < 4_000_000:
            kept.append((package, words))
    for share in (1 / 2, 1 / 4, 3 / 4, 1 / 8):
        for package, words in kept:
            for text in pieces(words[int(share * MOST) :]):
                print(json.dumps({"text": text, "package": package}, ensure_ascii=False))
                made += 1
                if made >= passages:
                    return


if __name__ == "__main__":
    asked = given.parser(__doc__)
    asked.add_argument("folder", type=given.folder)
    asked.add_argument("passages", type=int)
    main(**vars(asked.parse_args()))
