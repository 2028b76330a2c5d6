"""Every hypothesis strategy of the suite that more than one test uses."""

from hypothesis import strategies as st

WORDS = (
    "return", "bike", "within", "30", "days", "of", "delivery", "the", "fee", "is", "5", "%", "−5", "1,500.50", "$20", "10²",
    "not", "non-refundable", "can’t", "x-ray", "“quoted”", "café", "cafe\u0301", "Straße", "l’homme", "ﬁnal", "a–b",
    "你好", "静脉注射", "３０", "これは", "العربية", "والمدرسة", "हिन्दी", "क्षत्रिय", "สัญญา", "שלום", "👩\u200d👩\u200d👧", "👋🏽", "🇩🇪", "🇫🇷🇩🇪",
    "e\u0323\u0301", "각", "\u1112\u1161\u11ab", "[3]", "**bold**", "&amp;", "&nbsp;", "…", "...", "infor-\nmation", "|", "•", "-",
    "THE", "TENANT", "MUST", "PAY", "NOW", "می\u200cخواهم", "in\u00adfor", "＄５",
)  # fmt: skip
SPACES = (
    " ",
    " ",
    " ",
    " ",
    "  ",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "\t",
    "\u00a0",
    "\u2009",
    "\u3000",
    "",
    ". ",
    ", ",
    "。",
)

words = st.sampled_from(WORDS)


@st.composite
def documents(draw: st.DrawFn, least: int = 3, most: int = 30) -> str:
    """A text of telling words in many scripts, joined by every kind of white space, perhaps after a byte order mark."""
    parts = draw(st.lists(words, min_size=least, max_size=most))
    spaces = draw(st.lists(st.sampled_from(SPACES), min_size=len(parts), max_size=len(parts)))
    text = "".join(word + space for word, space in zip(parts, spaces, strict=True))
    return ("\ufeff" if draw(st.integers(0, 9)) == 0 else "") + text


@st.composite
def quotes_of(draw: st.DrawFn, text: str) -> str:
    """Some substring of a text, not empty."""
    start = draw(st.integers(0, len(text) - 1))
    end = draw(st.integers(start + 1, len(text)))
    return text[start:end]


@st.composite
def quoted(draw: st.DrawFn) -> tuple[str, str]:
    """A text and a substring of it that is a sound quote: telling words with words of any script between them."""
    between = [draw(words) for _ in range(3)]
    spaces = draw(st.lists(st.sampled_from([" ", " ", "  ", "\n", "\r\n", "\u00a0"]), min_size=6, max_size=6))
    parts = ["Whole", between[0], "words", between[1], "stand", between[2], "here"]
    quote = "".join(part + space for part, space in zip(parts, [*spaces, ""], strict=True))
    return f"{draw(documents(0))}. {quote}. {draw(documents(0))}", quote


any_text = st.text(st.characters(), max_size=60)
"""Any string, lone surrogates included."""

any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | any_text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(any_text, inner, max_size=4),
    max_leaves=12,
)

any_value = (
    any_json
    | st.binary(max_size=8)
    | st.tuples(any_text)
    | st.frozensets(st.integers(), max_size=2)
    | st.complex_numbers()
)
