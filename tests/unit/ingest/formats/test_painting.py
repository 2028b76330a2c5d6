"""Words that are covered by what is painted over them, or that stand in boxes which nothing gives a size."""

import pytest

from tests.pages import ruled, seen


@pytest.mark.parametrize(("unseen", "twin"), [
    ("-webkit-text-stroke:9px #fff", "-webkit-text-stroke:.5px #fff"),
    ("-webkit-text-stroke:1px #fff", "-webkit-text-stroke:1px #333"),
    ("-webkit-text-stroke-color:#fff;-webkit-text-stroke-width:8px", "-webkit-text-stroke-color:#fff"),
    ("-webkit-text-stroke:thick white;paint-order:fill", "-webkit-text-stroke:thin"),
    ("outline:20px solid #fff;outline-offset:-20px", "outline:20px solid #fff"),
    ("outline:solid #fff;outline-width:20px;outline-offset:-20px", "outline:2px solid #fff;outline-offset:-2px"),
    ("backdrop-filter:invert(1)", "backdrop-filter:blur(4px) saturate(120%)"),
    ("-webkit-backdrop-filter:brightness(0)", "backdrop-filter:none"),
    ("font-size-adjust:0", "font-size-adjust:.5"), ("font-size-adjust:.01", "font-size-adjust:from-font"),
    ("font-size:math;math-depth:99", "font-size:math;math-depth:1"), ("math-depth:add(20)", "math-depth:auto-add"),
    ("content:linear-gradient(red,red)", "content:normal"), ("content:image-set('a.png' 1x)", "content:'(' counter(a)"),
])  # fmt: skip
def test_letters_that_are_painted_over_are_marked(unseen, twin):
    assert not seen(ruled(f".x{{{unseen}}}")) and not seen(ruled("", f'style="{unseen}"'))
    assert seen(ruled(f".x{{{twin}}}")) and seen(ruled("", f'style="{twin}"'))


@pytest.mark.parametrize(("unseen", "twin"), [
    ("contain:size;overflow:hidden", "contain:size;overflow:hidden;height:90px"), ("contain:strict", "contain:layout"),
    ("contain:size;overflow:clip", "contain:size"),
    ("contain:inline-size;overflow:hidden;float:left", "contain:inline-size;overflow:hidden"),
    ("flex:0 0 0;overflow:hidden", "flex:1 1 0;min-width:0;overflow:hidden"), ("flex:0 0 0;overflow:hidden", "flex:0 0 0"),
    ("flex:0;overflow:hidden", "flex:1;overflow:hidden"), ("flex:0 0 0;overflow:hidden", "flex:0 0 auto;overflow:hidden"),
    ("flex-basis:0;min-width:0;overflow:hidden", "flex-basis:0;flex-grow:1;min-width:0;overflow:hidden"),
    ("aspect-ratio:10000;width:10px;overflow:hidden", "aspect-ratio:16/9;width:400px;overflow:hidden"),
    ("padding-top:900px;height:20px;overflow:hidden;box-sizing:border-box", "padding-top:900px;height:20px;overflow:hidden"),
    ("padding:99px 0;height:20px;overflow:hidden;box-sizing:border-box",
     "padding:9px 0;height:40px;overflow:hidden;box-sizing:border-box"),
    ("height:0;overflow:hidden", "height:0;min-height:40px;overflow:hidden"),
    ("max-height:1px;overflow:hidden", "max-height:1px;min-height:2em;overflow:hidden"),
    ("height:0;min-height:1px;overflow:hidden", "width:0;min-width:9em;overflow:hidden"),
])  # fmt: skip
def test_words_in_a_box_without_room_are_not_seen(unseen, twin):
    assert not seen(ruled(f".x{{{unseen}}}"))
    assert seen(ruled(f".x{{{twin}}}"))


@pytest.mark.parametrize(("unseen", "twin"), [
    ("margin-left:-200%", "margin-left:-100%"), ("rotate:180deg;transform-origin:-900px", "rotate:180deg;transform-origin:50% 0"),
    ("transform:scale(2);transform-origin:-900px 0", "transform:none;transform-origin:-900px 0"), ("margin-top:-300px", "margin-top:-90px"),
    ("margin:-300px 0 0", "margin:-300px 0 0;padding-top:300px"), ("position:relative;top:-100px", "position:relative;top:-9px"),
])  # fmt: skip
def test_words_that_are_pulled_off_the_page_are_marked(unseen, twin):
    assert not seen(ruled(f".x{{{unseen}}}"))
    assert seen(ruled(f".x{{{twin}}}"))
