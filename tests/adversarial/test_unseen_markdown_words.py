"""Words of a Markdown text that no reader of the page sees are never quoted; those that he sees are."""

import pytest

from verified_gate import Gate, Refusal, VerifiedCitation
from verified_gate.ingest import cut, read_document

WORDS = "The rent is 500 euros a month."


def verdict(text):
    """The code of a refusal, or "" where the quote is released."""
    passages = cut(read_document(f"Lease of a flat.\n\n{text}\n\nEnd.".encode(), "lease.md"))
    passage = next(each for each in passages if WORDS in each.text)
    outcome = Gate([passage], profile="extracted").verify(passage.key, WORDS)
    assert isinstance(outcome, Refusal | VerifiedCitation)
    return outcome.code if isinstance(outcome, Refusal) else ""


@pytest.mark.code("not_visible")
@pytest.mark.parametrize(
    ("unseen", "seen"),
    [
        (f"<div hidden><div>a</div>{WORDS}</div>", f"<div hidden><div>a</div></div>{WORDS}"),
        (f"<div\nhidden>{WORDS}</div>", f"<div\nclass=hidden>{WORDS}</div>"),
        (f"<span hidden><div></span>{WORDS}</div></span>", f"<span hidden></span><div>{WORDS}</div>"),
        (f"<div>\n```\n<p hidden>{WORDS}</p>\n```\n</div>", f"```\n<p hidden>{WORDS}</p>\n```"),
        (f"a <script>{WORDS}</script>", f"a <kbd>{WORDS}</kbd>"),
        (f"<template>{WORDS}</template>", f"<details>{WORDS}</details>"),
        (f'<p style="font-size:0">{WORDS}</p>', f'<p style="font-size:9pt">{WORDS}</p>'),
        (f"a <font color=white>{WORDS}</font>", f"<p style='background:#000'><font color=white>{WORDS}</font></p>"),
        (f"a <?x {WORDS} ?>", f"a &lt;?x {WORDS} ?>"),
        (f"a <!X {WORDS}>", f"a <1X {WORDS}>"),
        (f'[x](http://y "{WORDS}")', f"[{WORDS}](http://y)"),
        (f'[x]:\nhttp://y\n"{WORDS}"', f'[x]\nhttp://y\n"{WORDS}"'),
        (f"<!-- {WORDS} -->", f"a\n\n    <!-- {WORDS} -->"),
        (f"`` <!-- {WORDS} --> `", f"`` <!-- {WORDS} --> ``"),
        (f"~~{WORDS}~~ It is 400.", f"\\~~{WORDS}~~ It is 400."),
        (f"<img src=x alt='{WORDS}'>", f"<b>{WORDS}</b>"),
    ],
)
def test_words_that_no_reader_of_the_page_sees_are_refused_and_their_twins_released(unseen, seen):
    assert verdict(unseen) == "not_visible"
    assert verdict(seen) == ""
