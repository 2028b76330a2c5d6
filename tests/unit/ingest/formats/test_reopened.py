"""In which formatting elements browsers have words, each page with a twin that closes them where they were opened."""

import pytest

from verified_gate.ingest.formats.reopened import formatting, letters

DOCTYPE = b"<!DOCTYPE html>"


def found(body):
    """Name, letters and whether it was closed out of place, of each formatting element."""
    return [(each.name.decode(), each.letters, each.bent) for each in formatting(DOCTYPE + body.encode())]


@pytest.mark.parametrize(("body", "bent", "twin"), [
    ("<p><b>x</p>yy<p>zz</p>", 5, "<p><b>x</b></p>yy<p>zz</p>"),
    ("<p><em><b>x</em></p>yyyy", 5, "<p><em><b>x</b></em></p>yyyy"),
    ("<b>x<p>yy</b>zz", 3, "<b>x</b><p>yyzz"),
    ("<b>x<div>yy</div>zz", 5, "<b>x</b><div>yy</div>zz"),
    ("<table><tr><td><b>x<td>yy</table>zz", 1, "<table><tr><td><b>x</b><td>yy</table>zz"),
    ("<table><b>x<tr><td>yy</table>zz", 5, "<table><tr><td><b>x</b><td>yy</table>zz"),
    ("<object><b>x</object>yy", 1, "<object><b>x</b></object>yy"),
    ("<svg><g><b>x</svg>yy", 3, "<svg><g><b>x</b></svg>yy"),
    ("<math><mi><b>x</mi></math>yy", 3, "<math><mi><b>x</b></mi></math>yy"),
    ("<p><b>x</p><!-- </b> --><script></b></script>yy", 3, "<p><b>x</b></p><!-- <b> --><style><b></style>yy"),
    ("<p><b/>x</p>yy", 3, "<p><b></b>x</p>yy"),
    ("<h1><b>x</h2>yy", 3, "<h1><b>x</b></h2>yy"),
    ("<form><b>x</form>yy", 3, "<form><b>x</b></form>yy"),
    ("<p><b>x<table><tr><td>yy</table>", 1, "<p><b>x</b><table><tr><td>yy</table>"),
])  # fmt: skip
def test_an_element_left_open_holds_what_browsers_put_into_it_again(body, bent, twin):
    assert ("b", bent, True) in found(body)
    assert ("b", len("x") if "<b>x" in twin else 0, False) in found(twin)


def test_what_leaves_out_the_end_tags_that_it_may_leaves_nothing_open():
    for body in (
        "<ul><li><b>x</b><li><p><i>y</i><p><a>z</a></ul><dl><dt><u>a</u><dd><s>b</s></dl>",
        "<a><div><p>x</div></a><select><option>a<option>b</select><b>y</b>",
        "<table><tr><td><b>x</b><th><i>y</i><tr><td><a>z</a></table>",
        "<svg><a><text>x</text></a><font/></svg><font>y</font>",
    ):
        assert not any(bent for *_, bent in found(body))
    assert found("<b>x")[0][2] and found("<ul><li><b>x<li>y</b></ul>")[0][2]


def test_what_is_deeper_or_dearer_than_is_followed_is_none():
    assert formatting(DOCTYPE + b"<div>" * 501) is None and formatting(DOCTYPE + b"<div>" * 500) is not None
    left = "".join(f"<i id={number}>" for number in range(300)).encode()
    assert formatting(DOCTYPE + b"<p>" + left + b"<p>x</p>" * 9_000) is None
    assert formatting(DOCTYPE + b"<p>" + left + b"</i>" * 300 + b"<p>x</p>" * 9_000) is not None


def test_letters_are_counted_as_both_parsers_give_them():
    assert letters(b" a,\n&amp;&eacute;&nbsp;") == letters("a é\N{NO-BREAK SPACE}".encode()) == 3
    assert letters(b" .") == 0
