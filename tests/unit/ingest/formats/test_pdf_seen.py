"""How words that are not seen are found among the words of a page: quickly, and as if each letter had been asked for."""

from pathlib import Path

import pytest

from tests.pdf_files import BODY, HELVETICA, box, build, picture, shown, stream_of
from verified_gate.ingest.formats.pdf import read
from verified_gate.ingest.formats.pdf_characters import Characters
from verified_gate.ingest.limits import ReadingLimits

FILES = sorted((Path(__file__).parents[3] / "data" / "messy" / "pdf").glob("*.pdf"))
LIMITS = ReadingLimits()
SEEN = shown(BODY, y=600)
SECRET = "Hidden words here."


def unseen(extracted):
    return [extracted.text[start:end] for start, end in extracted.hidden]


def test_what_one_page_shows_is_not_seen_on_another():
    """Pages are drawn on the same sheets, at the same size or at another."""
    dark = box(60, 690, 300, 30) + shown(SECRET, colour="1 g")
    white = shown(SECRET, colour="1 g")
    extracted = read(build(SEEN + dark, SEEN + white, SEEN, SEEN + shown(SECRET), SEEN + white, SEEN + dark), LIMITS)
    pages = [next(page.number for page in extracted.pages if start < page.end) for start, _ in extracted.hidden]
    assert (pages, unseen(extracted)) == ([2, 5], [SECRET, SECRET])


@pytest.mark.parametrize("count", [1, 64, 65, 300])
def test_unseen_words_are_marked_however_many_objects_they_stand_in(count):
    words = [shown(f"Word{n}", y=790 - 2.5 * n, mode=3) for n in range(count)]
    extracted = read(build(SEEN.replace(" 600 Tm", " 10 Tm") + "".join(words)), LIMITS)
    found = [word for piece in unseen(extracted) for word in piece.split()]
    assert sorted(found) == sorted(f"Word{n}" for n in range(count))
    assert BODY in extracted.text and not any(BODY in piece for piece in unseen(extracted))


@pytest.mark.parametrize("code", ["0000", "0002", "000D", "00AD", "0020 0051", "FFFF", "D800", "200B"])
def test_unseen_letters_with_an_odd_meaning_are_marked_as_asking_each_letter_finds_them(code, monkeypatch):
    meaning = f"/CIDInit /ProcSet findresource begin begincmap 1 beginbfchar <51> <{code}> endbfchar endcmap end"
    font = HELVETICA.replace(b">>", b"/ToUnicode 8 0 R >>") + b"\nendobj\n8 0 obj\n" + stream_of(meaning.encode())
    data = build(SEEN + shown("QQQ", mode=3)).replace(HELVETICA, font)
    quick = read(data, LIMITS)
    assert quick.text.startswith(BODY)
    monkeypatch.setattr(Characters, "may_belong", lambda *_: True)
    assert read(data, LIMITS) == quick
    assert quick.hidden or not quick.text[len(BODY) :].strip()


def test_objects_without_words_hide_none():
    spaces = "".join(shown(" ", y=500 + n) for n in range(100))
    assert read(build(spaces + SEEN), LIMITS).hidden == ()
    assert unseen(read(build(spaces + SEEN + shown(SECRET, mode=3)), LIMITS)) == [SECRET]


PAGES = [
    SEEN + shown(SECRET, mode=3),
    SEEN + shown(SECRET, colour="1 g") + shown(" ", y=500),
    SEEN + shown(SECRET) + box(60, 690, 300, 30, "1 g"),
    SEEN + picture(60, 690, 300, 30) + shown(SECRET, mode=3),
    SEEN + shown(SECRET, x=2000) + shown(SECRET, size=0.5) + shown(SECRET, y=-50),
    SEEN + "q 0 0 10 10 re W n " + shown(SECRET) + "Q\n",
    SEEN + shown(" ", y=500) + shown("Words that are seen."),
]


@pytest.mark.parametrize("data", [build(page) for page in PAGES] + [path.read_bytes() for path in FILES])
def test_to_ask_the_few_unseen_objects_for_their_words_finds_what_asking_each_letter_finds(data, monkeypatch):
    options = {"password": "openpassword", "scans": "kept"}
    quick = read(data, LIMITS, **options)
    monkeypatch.setattr(Characters, "may_belong", lambda *_: True)
    assert read(data, LIMITS, **options) == quick
