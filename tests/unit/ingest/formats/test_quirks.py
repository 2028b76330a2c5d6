"""Pages without a document type, or with one of long ago, are read as browsers read those."""

import pytest

from tests.pages import page, ruled, seen

OLD = (
    "",
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">',
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">',
    "<!DOCTYPE other>",
)
OF_TODAY = (
    "<!doctype HTML>",
    '<!DOCTYPE html SYSTEM "about:legacy-compat">',
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">',
)


@pytest.mark.parametrize(("sheet", "attributes"), [
    (".Hid{display:none}", 'class="hid"'),
    (".hid{display:none}", 'class="a HID"'),
    ("#Hid{display:none}", 'id="hID"'),
    ("html .Hid{display:none}", 'class="hid"'),
    ("p:not(.Hid){color:red} p.HID:first-of-type ~ p, .Hid+p,.hiD{display:none}", 'class="hid"'),
    ("p{color:ffffff}", ""), ("p{color:fff}", ""), (".x{text-indent:-9999}", 'class="x"'), (".x{font-size:.1}", 'class="x"'),
    (".x{position:absolute;left:-9999}", 'class="x"'), (".x{margin:0 0 0 -9999}", 'class="x"'),
    ("", 'style="color:fffffe"'), ("", 'style="text-indent:-9999"'),
])  # fmt: skip
def test_what_only_hides_without_a_document_type_is_judged_so(sheet, attributes):
    assert not any(seen(ruled(sheet, attributes, doctype)) for doctype in OLD)
    assert all(seen(ruled(sheet, attributes, doctype)) for doctype in OF_TODAY)


@pytest.mark.parametrize(("hides", "twin"), [
    (".Hid{display:none}", ".Hidden{display:none}"), ('[class="Hid"]{display:none}', '[class="hid"]{display:none}'),
    ("p{color:ffffff}", "p{color:ffff}"), ("p{color:ffffff}", "p{background:000000}"), (".hid{text-indent:-9999}", ".hid{text-indent:-9}"),
    ("p{line-height:.1;overflow:hidden}", "p{line-height:1;overflow:hidden}"), (".hid{text-indent:calc(-9999px)}", ".hid{line-height:2}"),
])  # fmt: skip
def test_of_a_page_without_a_document_type_words_that_are_seen_come_through(hides, twin):
    assert not seen(ruled(hides, 'class="Hid"', ""))
    assert seen(ruled(twin, 'class="Hid"', ""))


def test_attributes_of_drawings_need_no_unit():
    drawing = '<svg><text y="20" font-size="{}">Ninety are due.</text></svg>'
    assert not seen(page(drawing.format(".1")))
    assert seen(page(drawing.format("16")))


@pytest.mark.parametrize(("late", "first"), [
    ("words<!DOCTYPE html>", "<!-- words --><!DOCTYPE html>words"),
    ("<p><!DOCTYPE html>", " \n<!DOCTYPE html><p>"),
    ("<script>'<!doctype html>'</script>", "<?xml version='1.0'?><!doctype html><script></script>"),
    ("<!--><p>--><!DOCTYPE html>", "<!--><!DOCTYPE html><p>"),
    ("<!DOCTYPE html x>", "<!DOCTYPE html >"),
    ('<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" x>', '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "x" y>'),
    ('<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.0 Transitional//EN" "x">', '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.0//EN">'),
    ('<!DOCTYPE html PUBLIC "-//IETF//DTD HTML//EN">', '<!DOCTYPE html PUBLIC "-//WAPFORUM//DTD XHTML Mobile 1.0//EN">'),
    ("<!DOCTYPE svg>", "<!x><!DOCTYPEhtml>"),
])  # fmt: skip
def test_a_document_type_counts_only_before_all_else_and_well_formed(late, first):
    sheet = ".Hid{display:none}"
    assert not seen(ruled(sheet, 'class="hid"', late))
    assert seen(ruled(sheet, 'class="hid"', first))
