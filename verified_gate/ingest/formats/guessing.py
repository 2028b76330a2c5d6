"""Whether a text whose encoding nobody declared, and that was taken for windows-1252, probably is in another one.

Any bytes are some text in windows-1252, so it is judged by what stands where: letters of other scripts come out as long
runs of signs beyond ASCII, letters of Latin scripts of the east and bytes of older systems as signs or capitals within
words, and as letters side by side that no language of western Europe has in one word. Text that is told from neither
(a few such words in a long page, say) is taken for what it was read as.
"""

import re
from collections import Counter
from typing import Final

_USUAL: Final = "\xa0§©«\xad®°´·»–—‘’“”„†•…‹›€™"
"""Signs that stand beside words of the west; in a run of others they count for nothing."""
_RUN: Final = re.compile(rf"[^\x00-\x7f{_USUAL}]{{3,}}")
_STRANGE: Final = re.compile(rf"[^\x00-\x7f{_USUAL}]")
_LETTERS: Final = "A-Za-zÀ-ÖØ-öø-ÿŠŒŽšœžŸ"
_WITHIN: Final = re.compile(
    r"(?<=[A-Za-z])[¡-¦¨ª«¯±-³µ¶¸-¿×÷†-‡ˆ‰‹›„“”‚ƒ˜™€](?=[A-Za-z])|(?<=[a-z])[À-ÖØ-ÞŠŒŽŸ](?=[a-z])"
)
_WORD: Final = re.compile(f"[{_LETTERS}]+")
_LANGUAGES: Final = tuple(
    re.compile(f"(?:[a-z]|{letters})+")
    for letters in (
        "[äöüßéàè]", "[àâæéèêëîïôœùûüÿñ]|ç(?=[aouàâéùô]|$)", "[áéíóúüñ]", "[àèéíïòóúü·]|ç(?=[aouàòóú]|$)",
        "[áâàéêíóôúü]|ã(?=[oesi]|$)|õ(?=e)|ç(?=[aouáâãàóôõú])", "[àéèòù]|ì(?=$)|[îíú](?=$)", "[åæøéòóôêâèàü]", "[åäöéàüšž]",
        "[áéíóúýþæðö]", "[áíóúýæøð]", "[éëïöüèêáóí]", "[äöüõšžé]", "[çë]", "[êëéèôûïîáóú]", "[âêîôûáàèéïöüù]", "[çñêéèôïíáâîëü]",
        "[àèìòùáéó]", "[äâëêïîöôüû]", "[áéíóúýšžäô]",
    )
)  # fmt: skip
"""The letters of one word: German, French, Spanish, Catalan, Portuguese, Italian, Danish and Norwegian, Swedish and
Finnish, Icelandic, Faroese, Dutch, Estonian, Albanian, Afrikaans, Welsh, and others."""
_ALPHABETS: Final = (
    ("èæðšž", ("šž", "èæð")),  # of the south east
    ("áèïéíåòóôàšúýžä", ("è", "šž", "áí")),  # Slovak and Czech
    ("áéíóöõúüû", ("õ", "áé", "öü")),  # Hungarian
    ("ýþðüöçâî", ("ý", "þ", "çöü")),  # Turkish
    ("àèæëáðøûþ", ("ë", "ðþû", "èøáà")),  # Lithuanian
)
"""What the letters of a language come out as, and of which of them there must be some."""
_MOST_RUNS, _MOST_WITHIN, _MOST_MIXED, _MOST_OTHER, _LEAST = 0.2, 0.05, 0.03, 0.95, 0.05
"""Shares: of signs that stand in runs; of words with a sign in them, or with letters of no one language; of letters that
are those of another alphabet, and of those that there must be."""
_FEW, _ENOUGH = 5, 10
"""Words with letters beyond ASCII of which one tells enough, and letters by which an alphabet is known."""


def is_doubtful(text: str) -> bool:
    """Whether a text that was read as windows-1252 is probably none. Work is linear in it."""
    if text.isascii():
        return False
    strange = len(_STRANGE.findall(text))
    if sum(len(run) for run in _RUN.findall(text) if len(set(run)) > 1) > _MOST_RUNS * strange:
        return True
    words = [word.lower() for word in _WORD.findall(text) if not word.isascii()]
    within = len(_WITHIN.findall(text))
    if within > _MOST_WITHIN * (len(words) + within) and (within > 1 or len(words) <= _FEW):
        return True
    mixed = sum(not any(each.fullmatch(word) for each in _LANGUAGES) for word in words)
    if mixed > _MOST_MIXED * len(words) and (mixed > 1 or len(words) <= _FEW):
        return True
    letters = Counter(letter for word in words for letter in word if not letter.isascii())
    return letters.total() > _ENOUGH and any(_is_of(letters, *each) for each in _ALPHABETS)


def _is_of(letters: Counter[str], alphabet: str, needed: tuple[str, ...]) -> bool:
    """Whether nearly all letters are of an alphabet, and none of the groups of it that must be there is missing."""
    shares = (sum(letters[each] for each in group) / letters.total() for group in (alphabet, *needed))
    return next(shares) > _MOST_OTHER and all(share > _LEAST for share in shares)
