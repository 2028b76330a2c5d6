"""Marks in running text that a reader or a renderer takes for more than words: links, markup, quotations, references.

Each pattern is linear in the text, for texts of the length that the limits of a proposal allow.
"""

import re
from typing import Final
from unicodedata import category

LINK: Final = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]{0,30}:[/\\]{2}|\b(?:https?|ftp|file|data|javascript|vbscript|mailto|tel|sms|blob|wss?):(?=\S)|\bwww\."
    r"|\]\(|(?<![\w/])//\w",
    re.IGNORECASE,
)
"""A link, whatever stands in the source."""

ADDRESS: Final = re.compile(
    r"(?<=\w)[.。．｡](?:[^\W\d_]{2,24}[/?#:]\S|(?:com|org|net|info|biz|io|app|dev|ai|co|uk|eu|us|de|at|ch|fr|es|it|nl|pl|ru|рф|cn|jp|br"
    r"|xyz|top|site|online|shop|me|tv)(?![\w.-]*\w))|(?<![\w])@\w|(?<=[\w.+-])@[\w-]{1,63}",
    re.IGNORECASE,
)
"""A bare domain, mail address or mention: some renderers make it a link. It may stand where the quotes hold it."""

MARKUP: Final = re.compile(
    r"<[A-Za-z/!?]|&(?:#\d|#x|[A-Za-z]\w{0,30};)|[*_]{2}|`|~~|(?:\A|\n)[ \t]{0,9}(?:#{1,6}[ \t]|>|-{2,}|={2,})|\||!\["
    r"|\d[*_]|[*_]\d"
)
CITATION_MARK: Final = re.compile(
    r"[\[［⟦〖〚⁅❲{](?:[^\[\]］⟧〗〛⁆❳}\n]{0,40}[\d#@]|\s{0,3}\^?(?:source|src|ref|doc|quelle|see|e)\b)[^\[\]］⟧〗〛⁆❳}\n]{0,40}[\]］⟧〗〛⁆❳}]"
    r"|[【】†‡〔〕\u2460-\u24ff\u2776-\u2793\u3200-\u32bf\U0001f51f\u20e3\ue000-\uf8ff]",
    re.IGNORECASE,
)
BRACKETED: Final = re.compile(r"[\[［⟦〖〚⁅❲{][^\[\]［］⟦⟧〖〗〚〛⁅⁆❲❳{}]*[\]］⟧〗〛⁆❳}]")
"""A remark in square brackets: it may stand where the quotes hold it, brackets and all."""

_RARE: Final = "".join(
    re.escape(char)
    for char in map(chr, range(0xF3A, 0xFF60))
    if category(char) in ("Ps", "Pe") and char not in "（）„‚「」『』《》〈〉【】"
)
BRACKET: Final = re.compile(rf"[{_RARE}\[\]［］⟦⟧〖〗〚〛⁅⁆❲❳{{}}]")
QUOTED: Final = re.compile(
    r"[“❝„‟〝]([^“”„‟❝❞〝〞]*)[“”❞〞]|«([^«»]*)»|»([^«»]*)«|‹([^‹›]*)›|›([^‹›]*)‹|[\"＂]([^\"＂]*)[\"＂]|「([^「」]*)」|『([^『』]*)』"
    r"|｢([^｢｣]*)｣|《([^《》]*)》|〈([^〈〉]*)〉|''([^']*)''|(?<!\w)[‘‚‛❛]([^‘‚‛❛❜]*?)[’‘❜](?!\w)"
    r"|(?<!\w)'((?:[^']|(?<=\w)'(?=\w))*)'(?!\w)"
)
OPEN_QUOTE: Final = re.compile(
    r"⟪|⟫|≪|≫|>>|<<|[﹁﹂⹂‶ˮꞌ՚]|,,|[“”„‟❝❞〝〞«»‹›\"＂「」『』｢｣《》〈〉‘‚‛❛❜❮❯❬❭´＇ʻ״⟨⟩]|(?<!\d)[″′]|''|(?<!\w)[’'ʼ](?=\w)|(?<!\w)’"
)
UNSHOWN: Final = re.compile(r"\]\([^()\s]{0,2000}\)|(?<![\d*_`])[*_`]++|(?<![*_`])[*_`]++(?!\d)")
"""Emphasis marks and the targets of links; not between two digits: `2**10` is not 210."""

UNSEEN: Final = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0\U000e0100-\U000e01ef]"
    r"|\w[\ufe00-\ufe0f]|\d[\u0300-\u036f\u20d0-\u20ff]"
)
"""Characters that show nothing, beyond those of format: between digits they make one number of two."""
