"""Marks in running text that a reader or a renderer takes for more than words: links, markup, quotations, references.

Each pattern is linear in the text.
"""

import re
from typing import Final

LINK: Final = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]{0,30}://|\b(?:javascript|data|mailto|vbscript|file):|\bwww\.|\]\(|(?<![\w/])//\w"
    r"|(?<=\w)\.[A-Za-z]{2,24}/\w",
    re.IGNORECASE,
)
MAIL: Final = re.compile(r"(?<=[\w.+-])@[\w-]{1,63}\.\w")
MARKUP: Final = re.compile(
    r"<[A-Za-z/!?]|&(?:#\d|#x|[A-Za-z]\w{0,30};)|[*_]{2}|`|~~|(?:\A|\n)[ \t]{0,9}(?:#{1,6}[ \t]|>|\|)|!\["
)
CITATION_MARK: Final = re.compile(
    r"[\[［⟦〖](?:[^\[\]］⟧〗\n]{0,40}[\d#@]|\s{0,3}\^?(?:source|src|ref|doc|quelle|see|e)\b)[^\[\]］⟧〗\n]{0,40}[\]］⟧〗]"
    r"|[【】†‡〔〕\u2460-\u24ff\u2776-\u2793\ue000-\uf8ff]",
    re.IGNORECASE,
)
QUOTED: Final = re.compile(
    r"[“❝„‟〝]([^“”„‟❝❞〝〞]*)[“”❞〞]|«([^«»]*)»|»([^«»]*)«|‹([^‹›]*)›|›([^‹›]*)‹|[\"＂]([^\"＂]*)[\"＂]|「([^「」]*)」|『([^『』]*)』"
    r"|《([^《》]*)》|〈([^〈〉]*)〉|''([^']*)''|(?<!\w)[‘‚‛❛]([^‘‚‛❛❜]*?)[’‘❜](?!\w)|(?<![\w'])'([^']*)'(?![\w'])"
)
OPEN_QUOTE: Final = re.compile(r"[“”„‟❝❞〝〞«»‹›\"＂「」『』《》〈〉‘‚‛❛❜]|''|(?<!\w)’")
