"""Honest quotes from real data: how many come through, under which profile, and why the rest do not.

Which quotes are long enough and end cleanly is judged by the tests' own reading of the contract, not by the gate.
Prints every share with its floor, the refused honest quotes with their codes, and ends with exit code 1 if a floor is
missed or a quote is accepted in a contract that does not hold it.
"""

import multiprocessing
import pathlib
import re
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser

from benchmarks import given
from benchmarks.quoted_data import LANGUAGES, cuad_pdfs, cuad_texts, parts, pdf_text, records, sentences
from tests.mutation.borders import clean_end, clean_start, is_body
from tests.mutation.oracle import Source, long_enough, visible
from tests.mutation.reading import PROFILES
from verified_gate.gate import Gate

_PLAIN = str.maketrans({
    "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "‑": "-", "‐": "-", "−": "-", "…": "...",
    "ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "\u00ad": None, "\u200b": None, "\ufeff": None, "\u037e": ";",
})  # fmt: skip


class Refused:
    """Honest quotes that did not come through, for whoever mends the gate."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, where: str, code: str, quote: str) -> None:
        self.lines.append(f"  {code:22} {where:24} {quote[:150]!r}")

    def show(self) -> None:
        print(f"\nhonest quotes refused: {len(self.lines)}" + ("; the first 30:" if self.lines else ""))
        for line in self.lines[:30]:
            print(line)


class Floors:
    """Shares with the floor each must reach."""

    def __init__(self) -> None:
        self.missed: list[str] = []

    def check(self, name: str, passed: int, total: int, floor: float) -> None:
        share = passed / total if total else 0.0
        held = share >= floor
        print(f"  {name:58} {passed:6} of {total:6}  {share:7.2%}  floor {floor:.0%}  {'ok' if held else 'MISSED'}")
        if not held:
            self.missed.append(name)


def code_of(gate: Gate, quote: str) -> str:
    """`accepted`, or the code of the refusal."""
    found = gate.verify("k", quote)
    return "accepted" if type(found).__name__ == "VerifiedCitation" else str(found.code)


class Loose:
    """A text by its letters and digits alone, to find where a quote must stand however it is set."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.places = [at for at, char in enumerate(text) if is_body(char)]
        self.letters = "".join(text[at] for at in self.places)

    def spans(self, quote: str) -> list[tuple[int, int]]:
        wanted = "".join(char for char in quote if is_body(char))
        found, at = [], self.letters.find(wanted) if wanted else -1
        while at >= 0 and len(found) < 50:
            found.append((self.places[at], self.places[at + len(wanted) - 1] + 1))
            at = self.letters.find(wanted, at + 1)
        return found

    def clean(self, quote: str) -> bool:
        """Whether the quote has clean ends at one of its places."""
        return any(
            (not is_body(quote[0]) or clean_start(self.text, low))
            and (not is_body(quote[-1]) or clean_end(self.text, high))
            for low, high in self.spans(quote)
        )


def cuad(data: pathlib.Path, floors: Floors, refused: Refused) -> None:
    texts = cuad_pdfs(data)
    stages: Counter[str] = Counter()
    codes: dict[str, Counter[str]] = {profile: Counter() for profile in PROFILES}
    others: dict[str, Counter[str]] = {profile: Counter() for profile in PROFILES}
    by_contract: dict[str, list[str]] = {}
    for clause in records(data / "cuad" / "clauses.jsonl"):
        if clause["cid"] in texts:
            by_contract.setdefault(clause["cid"], []).extend(parts(clause["clause"]))
    for cid, quotes in by_contract.items():
        text = texts[cid]
        flat, plain = " ".join(text.split()), " ".join(text.translate(_PLAIN).split())
        joined = re.sub("(?<=[^\\W\\d_])(?:- |\ufffe|-)(?=[^\\W\\d_])", "-", plain)
        gates, loose = {profile: Gate({"k": text}, profile=profile) for profile in PROFILES}, Loose(text)
        for quote in quotes:
            one, two = " ".join(quote.split()), " ".join(quote.translate(_PLAIN).split())
            three = re.sub(r"(?<=[^\W\d_])(?:- |-)(?=[^\W\d_])", "-", two)
            for stage, held in (("exact", quote in text), ("white space", one in flat), ("typographic", two in plain),
                                ("hyphen at a line end", three in joined), ("letters and digits", bool(loose.spans(quote)))):  # fmt: skip
                if held:
                    stages[stage] += 1
                    break
            else:
                stages["lost"] += 1
            eligible = len(quote.split()) >= 4 and loose.clean(quote)
            for profile in PROFILES:
                code = code_of(gates[profile], quote)
                (codes if eligible else others)[profile][code] += 1
                if eligible and code != "accepted" and profile == "extracted":
                    refused.add(f"cuad {cid} {profile}", code, quote)
    total = sum(stages.values())
    print(f"\ncuad: {len(texts)} PDFs, {total} parts of clauses; first found after")
    for stage in ("exact", "white space", "typographic", "hyphen at a line end", "letters and digits", "lost"):
        print(f"  {stage:24}{stages[stage]:6}")
    eligible_count = sum(codes["verbatim"].values())
    print(f"parts with at least four words and clean ends: {eligible_count}")
    for profile, floor in (("verbatim", 0.0), ("typographic", 0.98), ("extracted", 0.99), ("editorial", 0.99)):
        floors.check(f"cuad, {profile}", codes[profile]["accepted"], eligible_count, floor)
        print(
            "    refused:", _codes(codes[profile]), "| of the other parts:", _codes(others[profile], also_accepted=True)
        )


def _codes(counter: Counter[str], *, also_accepted: bool = False) -> str:
    shown = [f"{code} {count}" for code, count in counter.most_common() if also_accepted or code != "accepted"]
    return ", ".join(shown) or "none"


def quotesum(data: pathlib.Path, floors: Floors, refused: Refused) -> None:
    texts = {row["pid"]: row["text"] for row in records(data / "quotesum" / "passages.jsonl")}
    print("\nquotesum")
    for profile, kinds in (("verbatim", ("exact",)), ("typographic", ("exact", "whitespace"))):
        codes: Counter[str] = Counter()
        short: Counter[str] = Counter()
        for row in records(data / "quotesum" / "answers.jsonl"):
            for quote in row["quotes"]:
                text, words = texts[quote["pid"]], quote["quote"]
                if quote["found"] not in kinds:
                    continue
                code = code_of(Gate({"k": text}, profile=profile), words)
                (codes if long_enough(words, text) else short)[code] += 1
                if long_enough(words, text) and code != "accepted":
                    refused.add(f"quotesum {profile}", code, words)
        floors.check(f"quotesum, {profile}, long enough", codes["accepted"], sum(codes.values()), 0.99)
        print("    refused:", _codes(codes), "| too short:", _codes(short, also_accepted=True))


class _Text(HTMLParser):
    """The visible text of a page: a line break at each block, nothing from scripts, navigation, permalinks and the
    addresses that an EPUB builder writes behind each link."""

    _BLOCKS = frozenset(
        [
            "p",
            "div",
            "li",
            "ul",
            "ol",
            "dl",
            "dt",
            "dd",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "pre",
            "table",
            "tr",
            "td",
            "th",
            "section",
            "br",
            "blockquote",
            "title",
        ]
    )
    _SILENT = frozenset(("script", "style", "nav", "head"))

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.silent = 0
        self.permalink = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent += tag in self._SILENT
        kind = dict(attrs).get("class") or ""
        self.permalink = (tag == "a" and "headerlink" in kind) or "link-target" in kind
        if tag in self._BLOCKS:
            self.pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in self._SILENT and self.silent > 0
        self.permalink = self.permalink and tag not in ("a", "span")
        if tag in self._BLOCKS:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.silent and not self.permalink:
            self.pieces.append(data)


def html_text(page: str) -> str:
    reader = _Text()
    reader.feed(page)
    reader.close()
    return "".join(reader.pieces)


def manual_formats(folder: pathlib.Path) -> dict[str, list[str]]:
    """The texts of one manual per format; HTML and EPUB come in chapters."""
    pages = [html_text(path.read_text(encoding="utf-8")) for path in sorted((folder / "html").glob("*.html"))]
    with zipfile.ZipFile(next(folder.glob("*.epub"))) as book:
        names = [name for name in book.namelist() if name.endswith((".xhtml", ".html"))]
        chapters = [html_text(book.read(name).decode("utf-8")) for name in names]
    return {"PDF": [pdf_text(next(folder.glob("*.pdf")))], "EPUB": chapters, "HTML": pages}


_WRAP = "\x00"
"""Where the TXT builder broke a line after a hyphen."""


def manual_sentences(text: str) -> list[str]:
    """Whole sentences of the running text of a TXT manual: blocks at the left margin or behind a list mark."""
    found = []
    for block in re.split(r"\n[ \t]*\n", text):
        lines = block.split("\n")
        if re.match(r"^\s{2,}(?![*\d])", lines[0]) or any(
            set(line.strip()) <= set("=-*~^+|") for line in lines if line.strip()
        ):
            continue  # code, a heading's rule, a table
        unbroken = re.sub(r"(?<=[^\W_])-[ \t]*\n[ \t]*(?=[^\W_])", f"-{_WRAP}", block)
        joined = re.sub(r"^(?:\*|-|\d+\.|[a-z]\.)\s+", "", " ".join(unbroken.split()))
        if not joined.endswith((".", "!", "?")):
            continue
        found += [joined[low:high] for low, high in sentences(joined)]
    return [
        sentence for sentence in found if len(sentence.split()) >= 6 and sentence[0].isupper() and sentence[-1] in ".!?"
    ]


_BUILDER_MARKS = re.compile(r"[\"*_`<>|\[\]{}\\]|https?:|\w@\w|--")


def manuals(data: pathlib.Path, floors: Floors, refused: Refused) -> None:
    print("\nmanuals: sentences of the TXT against the other formats")
    for lang in ("en", "de"):
        folder = data / "messy" / "manuals" / f"developers-reference.{lang}"
        wrapped = list(dict.fromkeys(manual_sentences(next(folder.glob("*.txt")).read_text(encoding="utf-8"))))
        broken = [quote for quote in wrapped if _WRAP in quote and not _BUILDER_MARKS.search(quote)]
        quotes = [quote.replace(_WRAP, "") for quote in wrapped]
        plain = [quote for quote in quotes if not _BUILDER_MARKS.search(quote)]
        for kind, texts in manual_formats(folder).items():
            whole = Loose("\n".join(texts))
            here = [quote for quote in plain if whole.spans(quote)]
            for profile in PROFILES[:3]:
                gates = [Gate({"k": text}, profile=profile) for text in texts if text.strip()]
                codes: Counter[str] = Counter()
                for quote in plain:
                    codes_here = [code_of(gate, quote) for gate in gates]
                    best = "accepted" if "accepted" in codes_here else Counter(codes_here).most_common()[-1][0]
                    codes[best] += 1
                    if best != "accepted" and profile == "extracted":
                        refused.add(f"manual {lang} {kind}", best + ("" if quote in here else " (other words)"), quote)
                floor = 0.97 if profile == "extracted" else 0.0
                floors.check(f"manual {lang}, {kind}, {profile}", codes["accepted"], len(plain), floor)
            as_broken = sum(any(code_of(gate, q.replace(_WRAP, "\n")) == "accepted" for gate in gates) for q in broken)
            as_spaced = sum(any(code_of(gate, q.replace(_WRAP, " ")) == "accepted" for gate in gates) for q in broken)
            print(
                f"    {len(broken)} of them break a line after a hyphen in the TXT: {as_broken} accepted with the break in the "
                f"quote, {as_spaced} with a space there (`co- maintainer`)"
            )
            marked = [quote for quote in quotes if quote not in set(plain)]
            through = sum(any(code_of(gate, quote) == "accepted" for gate in gates) for quote in marked)
            print(f"    {len(plain) - len(here)} stand there in other words or not at all; of {len(marked)} more with marks "
                  f'that only the TXT has ("literal", *emphasis*, links): {through} accepted')  # fmt: skip


def xquad(data: pathlib.Path, floors: Floors, refused: Refused) -> None:
    print("\nxquad: answer spans and sentences as quotes, by language (classes judged by the tests' own reading)")
    print(f"  {'':4}{'spans':>6}{'too short':>11}{'unclean end':>13}{'hidden':>8}{'left':>6}{'verbatim':>10}{'typogr.':>9}"
          f"   codes of the spans under verbatim")  # fmt: skip
    totals: dict[str, list[int]] = {profile: [0, 0] for profile in PROFILES}
    for lang in LANGUAGES:
        texts = {row["pid"]: row["text"] for row in records(data / "xquad" / f"{lang}.passages.jsonl")}
        gates = {(pid, p): Gate({"k": text}, profile=p) for pid, text in texts.items() for p in PROFILES}
        rule: Counter[str] = Counter()
        codes: Counter[str] = Counter()
        left = {profile: [0, 0] for profile in PROFILES}
        for row in records(data / "xquad" / f"{lang}.questions.jsonl"):
            text, low, high = texts[row["pid"]], row["start"], row["end"]
            quote = text[low:high]
            kind = _kind(text, quote, low, high)
            rule[kind] += 1
            for profile in PROFILES:
                code = code_of(gates[row["pid"], profile], quote)
                if profile == "verbatim":
                    codes[code] += 1
                if kind == "left" or (kind == "hidden" and profile != "verbatim" and visible(quote, text, profile)):
                    left[profile][0] += code == "accepted"
                    left[profile][1] += 1
                    if code != "accepted":
                        refused.add(f"xquad {lang} {profile} span", code, quote)
        print(f"  {lang:4}{sum(rule.values()):6}{rule['too short']:11}{rule['unclean end']:13}{rule['hidden']:8}{rule['left']:6}"
              f"{_share(left['verbatim']):>10}{_share(left['typographic']):>9}   {_codes(codes, also_accepted=True)}")  # fmt: skip
        for profile, pair in left.items():
            totals[profile][0] += pair[0]
            totals[profile][1] += pair[1]
        _xquad_sentences(lang, texts, gates, floors, refused)
    for profile, (passed, total) in totals.items():
        floors.check(f"xquad, all spans left, {profile}", passed, total, 1.0)


def _kind(text: str, quote: str, low: int, high: int) -> str:
    if not long_enough(quote, text):
        return "too short"
    if not visible(quote, text, "verbatim"):
        return "hidden"
    return "left" if clean_start(text, low) and clean_end(text, high) else "unclean end"


def _share(pair: list[int]) -> str:
    return f"{pair[0] / pair[1]:.1%}" if pair[1] else "-"


def _xquad_sentences(lang: str, texts: dict[str, str], gates: dict, floors: Floors, refused: Refused) -> None:
    for profile in ("verbatim", "typographic"):
        passed = total = 0
        for pid, text in texts.items():
            for low, high in sentences(text):
                quote = text[low:high]
                if not long_enough(quote, text):
                    continue  # a piece that the rough splitter cut at an abbreviation
                if profile == "verbatim" and _kind(text, quote, low, high) == "hidden":
                    continue
                code = code_of(gates[pid, profile], quote)
                passed += code == "accepted"
                total += 1
                if code != "accepted":
                    refused.add(f"xquad {lang} {profile} sentence", code, quote)
        floors.check(f"xquad {lang}, sentences, {profile}", passed, total, 1.0)


def _foreign(task: tuple[pathlib.Path, list[str], str]) -> tuple[Counter[str], list[str]]:
    """Every clause against the contracts named, other than its own."""
    data, contracts, profile = task
    texts = cuad_texts(data)
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    clauses = [(row["cid"], part) for row in records(data / "cuad" / "clauses.jsonl") for part in parts(row["clause"])]
    for cid in contracts:
        gate, source = Gate({"k": texts[cid]}, profile=profile), Source(texts[cid])
        for own, quote in clauses:
            if own == cid:
                continue
            found = gate.verify("k", quote)
            counts["tried"] += 1
            if type(found).__name__ != "VerifiedCitation":
                continue
            counts["accepted"] += 1
            if source.holds_at(quote, profile, found.start, found.end):
                counts["held there too"] += 1
            else:
                wrong.append(f"  {cid} {profile} {quote[:200]!r} at {found.start}-{found.end}")
    return counts, wrong


def wrong_source(data: pathlib.Path, floors: Floors) -> None:
    contracts = sorted(cuad_texts(data))
    print("\nwrong source: each clause part of cuad against the 119 other contracts")
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        for profile in ("verbatim", "editorial"):
            counts: Counter[str] = Counter()
            wrong: list[str] = []
            for part_counts, part_wrong in pool.imap_unordered(
                _foreign, [(data, contracts[n::24], profile) for n in range(24)]
            ):
                counts.update(part_counts)
                wrong += part_wrong
            print(f"  {profile}: {counts['tried']} tried, {counts['accepted']} accepted, {counts['held there too']} of them held by "
                  f"that contract too, {len(wrong)} WRONG")  # fmt: skip
            for line in wrong[:20]:
                print(line)
            if wrong:
                floors.missed.append(f"wrong source, {profile}")


def main(data: pathlib.Path) -> None:
    floors, refused = Floors(), Refused()
    steps: tuple[Callable[[pathlib.Path, Floors, Refused], None], ...] = (cuad, quotesum, manuals, xquad)
    for step in steps:
        began = time.perf_counter()
        step(data, floors, refused)
        print(f"  ({time.perf_counter() - began:.0f} s)")
    wrong_source(data, floors)
    refused.show()
    if floors.missed:
        print("\nMISSED: " + "; ".join(floors.missed))
        sys.exit(1)


if __name__ == "__main__":
    main(given.data(__doc__))
