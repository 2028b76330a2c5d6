"""The folds of the quote check: one table, from which the documentation of the contract is generated.

A fold is named, does one thing, and says why it is safe, with an honest example that it lets through and a
dishonest neighbour that stays refused. The gate implements each under its name. Source: MATCHING, "Folds and profiles".
"""

from dataclasses import dataclass

FOLD_TABLE_VERSION = 1
"""Part of the key under which the fold of a passage may be kept; raised when any fold changes."""


@dataclass(frozen=True, slots=True)
class Fold:
    """One fold. `side`: source, quote or both. `honest` and `dishonest` are (source, quote) pairs."""

    name: str
    profile: str
    maps: str
    side: str
    safe: str
    honest: tuple[str, str]
    dishonest: tuple[str, str]


def _table(*folds: Fold) -> dict[str, Fold]:
    return {fold.name: fold for fold in folds}


FOLDS: dict[str, Fold] = _table(
    Fold(
        "whitespace",
        "typographic",
        "Any run of white space, line breaks, no-break and thin spaces equals one space.",
        "both",
        "A space is never invented or lost: between two letters or digits it stays one space.",
        ("within 30\n   days of delivery", "within 30 days of delivery"),
        ("there is no table here", "there is notable here"),
    ),
    Fold(
        "quotes",
        "typographic",
        "Typographic and straight quotation marks and apostrophes; «» and „“ count as quotation marks.",
        "both",
        "Double marks equal double marks only, single ones single ones; primes (feet, minutes) are no quotation marks.",
        ("the tenant’s “last” day", 'the tenant\'s "last" day'),
        ("a board 5″ in width", 'a board 5" in width'),
    ),
    Fold(
        "dashes",
        "typographic",
        "Hyphens and dashes of all lengths, and the minus sign, equal `-`.",
        "both",
        "A dash stays a dash: it is never dropped, and never equals a plus or a space.",
        ("a well‑known — and feared – rule", "a well-known - and feared - rule"),
        ("a change of −5 % this year", "a change of +5 % this year"),
    ),
    Fold(
        "ellipsis",
        "typographic",
        "`…` equals `...`.",
        "both",
        "Both stand in the text; leaving something out is another matter (`elision`).",
        ("and so on… until noon", "and so on... until noon"),
        ("is not permitted to terminate", "is … permitted to terminate"),
    ),
    Fold(
        "ligatures",
        "typographic",
        "The presentation forms U+FB00 to U+FB06 (ﬀ ﬁ ﬂ ﬃ ﬄ ﬅ ﬆ) equal their letters.",
        "both",
        "Only forms made for typesetting; œ, æ and ĳ are letters of their own.",
        ("the ﬁnal eﬃcient oﬀer", "the final efficient offer"),
        ("a case of œdema here", "a case of oedema here"),
    ),
    Fold(
        "invisible",
        "typographic",
        "Soft hyphen, zero-width space, joiner and non-joiner, word joiner and byte order mark count as nothing.",
        "both",
        "Not where the script needs them: Arabic and Indic joiners, joined emoji, Thai word separators stay.",
        ("the in\u00adfor\u00admation \u200bgiven here", "the information given here"),
        ("no re\u200bfunds at all", "no ref unds at all"),
    ),
    Fold(
        "canonical",
        "typographic",
        "Canonical equivalence (NFC and NFD), never compatibility.",
        "both",
        "Unicode declares the two spellings the same text; `10²` and `102` are not.",
        ("un cafe\u0301 au lait", "un café au lait"),
        ("an area of 10² m", "an area of 102 m"),
    ),
    Fold(
        "fullwidth",
        "typographic",
        "Full-width forms of ASCII letters, digits and punctuation (U+FF01 to U+FF5E) equal the ASCII ones.",
        "both",
        "A form for typesetting beside ideographs, one character for one character.",
        ("ＡＢＣ１２３（株）の規約", "ABC123(株)の規約"),
        ("fee of １５ euros each", "fee of 5 euros each"),
    ),
    Fold(
        "line-hyphen",
        "extracted",
        "A hyphen at a line end between two letters may be joined or kept; soft hyphens and the marks that PDF "
        "readers leave for such a hyphen count as one.",
        "source",
        "Only where the source breaks its line, and never between digits.",
        ("the infor-\nmation given", "the information given"),
        ("pages 10-\n15 of it", "pages 1015 of it"),
    ),
    Fold(
        "cjk-break",
        "extracted",
        "A line break between two characters of scripts without spaces counts as nothing.",
        "source",
        "Such scripts set no space there, so the break carries nothing.",
        ("患者被给予静\n脉注射头孢", "患者被给予静脉注射头孢"),
        ("患者被给予静\n脉注射头孢", "患者被给予动脉注射头孢"),
    ),
    Fold(
        "list-marks",
        "extracted",
        "Bullets (`• ▪ ◦ ·` and the like) may be left out; `-` and `*` only at the start of a line and before a space.",
        "source",
        "Never before a digit, a sign or a currency: `- 5 %` may be a number.",
        ("You may\n• return it\n• keep it", "You may return it keep it"),
        ("It fell by\n- 5 % last year", "It fell by 5 % last year"),
    ),
    Fold(
        "table-borders",
        "extracted",
        "`|` between cells and the rules of Markdown tables count as white space.",
        "source",
        "Only where white space or a line end stands on both sides, so that |x| and P(A|B) stay.",
        ("| Bike | 30 days |\n|---|---|\n| Lamp | 7 days |", "30 days Lamp 7 days"),
        ("| Bike | 30 days |\n| Lamp | 7 days |", "Bike 7 days Lamp"),
    ),
    Fold(
        "markdown",
        "extracted",
        "Emphasis marks around words, links `[text](target)` as their text, the `#` of headings may be left out.",
        "source",
        "Marks inside a word, and single ones without a partner, stay.",
        ("You have **30 days** to [send it](https://a.example) back", "You have 30 days to send it back"),
        ("the area is 5 * 3 * 2 metres", "the area is 5 3 2 metres"),
    ),
    Fold(
        "footnotes",
        "extracted",
        "Bracketed marks only, `[3]` and `[^3]`, after a word may be left out.",
        "source",
        "Never superscripts (`10²`), and a mark that is quoted must be the right one.",
        ("it was first seen[3] in spring", "it was first seen in spring"),
        ("it was first seen[3] in spring", "it was first seen[4] in spring"),
    ),
    Fold(
        "entities",
        "extracted",
        "Named and numeric character references of HTML equal their characters.",
        "both",
        "Only complete references with a semicolon, decoded once.",
        ("Smith &amp; Sons pay 5&nbsp;%", "Smith & Sons pay 5 %"),
        ("less than &lt; 5 mg", "less than > 5 mg"),
    ),
    Fold(
        "furniture",
        "extracted",
        "Running headers, footers, page numbers, and footnotes that a paragraph goes on over, may be left out between lines.",
        "source",
        "Only where ingest has marked them in the passage.",
        ("shall pay the\nPage 7\nwhole amount due", "shall pay the whole amount due"),
        ("shall pay the\nPage 7\nwhole amount due", "shall pay the Page 8 whole amount due"),
    ),
    Fold(
        "end-punctuation",
        "editorial",
        "A final `.`, `,` or `;` may be added to the quote, or stand for another of them.",
        "quote",
        "One mark at the very end; a number that goes on after it is still split (`quote_splits_token`).",
        ("within 30 days of delivery", "within 30 days of delivery."),
        ("within 1.5 days of it", "within 1."),
    ),
    Fold(
        "kept-quotes",
        "editorial",
        "Quotation marks around the whole quote count as nothing.",
        "quote",
        "One pair, at both ends.",
        ("within 30 days of delivery", "“within 30 days of delivery”"),
        ("within 30 days of delivery", "“within 60 days of delivery”"),
    ),
    Fold(
        "bracket-case",
        "editorial",
        "`[T]he` equals `the`, and `[t]he` equals `The`.",
        "quote",
        "One bracketed letter at the start of a word: the editor shows what was changed.",
        ("because the buyer may return it", "[T]he buyer may return it"),
        ("because the buyer may return it", "[T]his buyer may return it"),
    ),
    Fold(
        "capitals",
        "editorial",
        "Letter case, where the words concerned are all capitals in the source and more than three in a row.",
        "source",
        "A heading in capitals carries no meaning in its case; `US` in a sentence does.",
        ("MARKETING AND TRANSPORT SERVICES AGREEMENT", "Marketing and Transport Services Agreement"),
        ("shipped to the US today", "shipped to the us today"),
    ),
    Fold(
        "elision",
        "editorial",
        "`…`, `...` or `[...]` may stand for up to 200 characters left out inside one sentence.",
        "quote",
        "Each part has two words, and nothing left out negates or limits, by a word list of the source's language; "
        "what was left out is restored in the citation.",
        ("The buyer may, at any time, return the bike.", "The buyer may … return the bike."),
        ("The buyer may not, at any time, return the bike.", "The buyer may … return the bike."),
    ),
)

_ORDER = ("verbatim", "typographic", "extracted", "editorial")


@dataclass(frozen=True, slots=True)
class Profile:
    """A set of folds. `Profile.named("extracted")`, or `Profile.of("whitespace", "quotes")` for one's own."""

    name: str
    folds: frozenset[str]

    @classmethod
    def named(cls, name: str) -> "Profile":
        """One of verbatim, typographic, extracted, editorial; each includes the ones before it."""
        if name not in _ORDER:
            raise ValueError(f"no profile of that name; there are: {', '.join(_ORDER)}")
        upto = _ORDER[: _ORDER.index(name) + 1]
        return cls(name, frozenset(fold.name for fold in FOLDS.values() if fold.profile in upto))

    @classmethod
    def of(cls, *folds: str) -> "Profile":
        """A profile of one's own, from names of folds."""
        unknown = [fold for fold in folds if fold not in FOLDS]
        if unknown:
            raise ValueError(f"unknown folds: {len(unknown)}; there are: {', '.join(FOLDS)}")
        return cls("+".join(name for name in FOLDS if name in folds) or "verbatim", frozenset(folds))


PROFILES: dict[str, Profile] = {name: Profile.named(name) for name in _ORDER}
