"""What of Markdown no reader of the page sees, each with a twin that is seen."""

import pytest

from verified_gate.ingest import cut, read_document
from verified_gate.ingest.unseen_markdown import unseen


def marked(text):
    return [text[start:end] for start, end in unseen(text)]


@pytest.mark.parametrize(("text", "hidden"), [
    ("a <!-- The fee. --> b", ["<!-- The fee. -->"]),
    ("a\n<!-- The\n\nfee. -->\nb <!-- c", ["<!-- The\n\nfee. -->", "<!-- c"]),
    ("<div hidden>The fee.</div> b", ["<div hidden>The fee.</div>"]),
    ("<P style='display:none'>The fee.</P> b", ["<P style='display:none'>The fee.</P>"]),
    ("[x]: http://a.b 'The fee.'\nb", ["[x]: http://a.b 'The fee.'"]),
    ("[x]: <http://a.b>\n  (The fee.)\nb", ["[x]: <http://a.b>", "  (The fee.)"]),
    ("İ <!-- x --> y", ["<!-- x -->"]),
])  # fmt: skip
def test_what_is_not_seen_is_marked(text, hidden):
    assert marked(text) == hidden


@pytest.mark.parametrize("text", [
    "a `<!-- The fee. -->` b", "```\n<!-- The fee. -->\n```\nb", "<input hidden> The fee.", "[^1]: The fee.",
    "<div class='a hidden b'>The fee.</div>", "[Note]: the fee is 9 euros.", "5 < 6 and 7 > 3", "[a](b 'c')",
])  # fmt: skip
def test_what_is_seen_is_not_marked(text):
    assert marked(text) == []


def test_passages_carry_what_is_hidden_in_them_and_plain_text_has_none():
    body = b"# Fees\n\nThe fee is 9 euros. <!-- The fee is 900 euros. --> It is due.\n"
    for name, hidden in (("a.md", ["<!-- The fee is 900 euros. -->"]), ("a.txt", [])):
        passages = cut(read_document(body, name))
        assert [each.text[start:end] for each in passages for start, end in each.hidden] == hidden


def test_work_grows_with_the_text():
    for text in ("<!--" * 50_000, "<a hidden>" * 20_000, "[a]: b\n" * 20_000, "`<!-- " * 20_000, "<a " * 50_000):
        assert unseen(text) is not None
