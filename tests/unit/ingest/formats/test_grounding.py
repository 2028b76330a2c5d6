"""Light letters are seen where their dark ground is painted behind them, and nowhere else."""

import pytest

from tests.pages import SECRET, page, seen, seen_words

DARK = "background:#000;color:#fff"


@pytest.mark.parametrize(("unseen", "twin"), [
    (f'<div style="display:contents;{DARK}"><p>{SECRET}', f'<div style="display:flow-root;{DARK}"><p>{SECRET}'),
    (f'<div style="visibility:hidden;{DARK}"><p style="visibility:visible">{SECRET}', f'<div style="{DARK}"><p>{SECRET}'),
    (f'<span style="{DARK}"><p>{SECRET}</p></span>', f'<span style="{DARK}"><i>{SECRET}</i></span>'),
    (f'<a style="{DARK}"><h2>{SECRET}</h2></a>', f'<a style="display:block;{DARK}"><h2>{SECRET}</h2></a>'),
    (f'<div style="{DARK};width:0;white-space:nowrap">{SECRET}', f'<div style="{DARK};width:90%">{SECRET}'),
    (f'<div style="{DARK};height:0">{SECRET}', f'<div style="{DARK};height:0;padding-top:90px">{SECRET}'),
    (f'<div style="{DARK};display:flex;max-height:0">{SECRET}', f'<div style="{DARK};max-height:0;min-height:40px">{SECRET}'),
    (f'<div style="background:linear-gradient(#000,#000);background-size:0 0;color:#fff">{SECRET}',
     f'<div style="background:linear-gradient(#000,#000);background-size:cover;color:#fff">{SECRET}'),
    (f'<div style="background:linear-gradient(#000,#000) 0 0/100% 2px no-repeat;color:#fff">{SECRET}',
     f'<div style="background:linear-gradient(#000,#000) 0 0/100% 90px no-repeat;color:#fff">{SECRET}'),
    (f'<div style="background:linear-gradient(#000,#000) no-repeat -900px 0;color:#fff">{SECRET}',
     f'<div style="background:linear-gradient(#000,#000) -900px 0;color:#fff">{SECRET}'),
])  # fmt: skip
def test_a_ground_that_is_not_painted_behind_words_is_none(unseen, twin):
    assert not seen(page(unseen))
    assert seen(page(twin))


@pytest.mark.parametrize(("box", "inner", "twin"), [
    (DARK, "position:fixed;top:300px", "position:static;top:300px"),
    (DARK, "position:absolute;top:300px", "position:sticky;top:0"),
    (DARK, "position:relative;top:50px", "position:relative;top:5px"),
    (f"{DARK};position:relative", "position:absolute;top:900px", "position:absolute;top:10px"),
])  # fmt: skip
@pytest.mark.parametrize("way", ["style", "class"])
def test_words_that_leave_their_dark_box_are_marked(box, inner, twin, way):
    def body(style):
        if way == "style":
            return page(f'<div style="{box}"><p style="{style}">{SECRET}</p></div>')
        return page(f'<div class="b"><p class="x">{SECRET}</p></div>', f"<style>.b{{{box}}} .x{{{style}}}</style>")

    assert not seen(body(inner))
    assert seen(body(twin))


def test_the_ground_of_the_page_itself_is_below_all():
    moved = '<p style="position:fixed;top:9px">Ninety are due.</p>'
    assert seen(page(moved, "<style>body{background:#000;color:#fff}</style>"))
    within = f'<div style="background:#fff;color:#000">{moved}</div>'
    assert not seen(page(within, "<style>body{background:#000}p{color:#fff}div p{color:#000}</style>"))
    assert seen(page(within, "<style>body{background:#eee}</style>"))


@pytest.mark.parametrize(("head", "dark"), [
    ("<style>:root{color-scheme:dark}</style>", True), ("<style>html{color-scheme:only dark}</style>", True),
    ('<meta name="color-scheme" content="dark">', True), ("<style>:root{color-scheme:light dark}</style>", False), ("", False),
])  # fmt: skip
def test_a_page_in_the_colours_of_night_shows_light_letters(head, dark):
    assert seen(page(f'<p style="color:#fff">{SECRET}</p>', head)) is dark
    assert seen(page(f'<p style="color:#121212">{SECRET}</p>', head)) is not dark
    assert seen(page(f"<p>{SECRET}</p>", head))


@pytest.mark.parametrize(("unseen", "twin"), [
    ("html{font-size:0}.x{font-size:1rem}", "html{font-size:62.5%}.x{font-size:1.6rem}"),
    ("html{font-size:.1px}body{font-size:16px}.x{font-size:2rem}", "html{font-size:.1px}body{font-size:16px}.x{font-size:2em}"),
])  # fmt: skip
def test_sizes_by_the_letters_of_the_page_are_as_small_as_those(unseen, twin):
    body = f'<p class="x">{SECRET}</p><p style="font-size:16px">Closing.</p>'
    assert SECRET not in seen_words(page(body, f"<style>{unseen}</style>"))
    assert SECRET in seen_words(page(body, f"<style>{twin}</style>"))


@pytest.mark.parametrize(("style", "around", "above"), [
    ("position:absolute;top:-50px", "", True), ("position:absolute;top:-50px", "position:relative", False),
    ("position:absolute;left:-40px", "", True), ("position:absolute;top:-5px", "", False),
    ("position:absolute;top:-50px", "transform:none", False),
])  # fmt: skip
def test_words_above_the_page_are_marked_where_nothing_else_holds_them(style, around, above):
    body = f'<div class="o"><p class="x">{SECRET}</p></div>'
    assert seen(page(body, f"<style>.o{{{around}}}.x{{{style}}}</style>")) is not above
