"""What only a layout decides is told where it looks so: words that their box cuts off, and boxes that lie over words."""

import pytest

from tests.pages import SECRET, lost, page

CUT = ("1 place where words may be cut off by their box",)
OVER = ("1 place where a box may lie over words",)
LONG = "Words and more of them, line after line. " * 9


def styled(box, body):
    """The same page with the rule in an attribute, in a rule of a class, and in one that asks what is around."""
    inner = f"<div {{}}>{body}</div><p>{SECRET}</p>"
    yield page(inner.format(f'style="{box}"'))
    yield page(inner.format('class="x"'), f"<style>.x{{{box}}}</style>")
    yield page(inner.format('class="x"'), f"<style>body > .x{{{box}}}</style>")


@pytest.mark.parametrize(("box", "body"), [
    ("-webkit-line-clamp:2;overflow:hidden", LONG), ("height:20px;overflow:hidden", LONG), ("max-height:3em;overflow:hidden", LONG), ("height:1.5em;overflow-y:clip", "<p>a<p>b"),
    ("width:200px;overflow:hidden", '<div style="display:flex;width:400px"><p>a</p><p>b</p></div>'),
    ("height:20px;overflow:hidden", '<p style="margin-top:40px">a'), ("height:20px;overflow:hidden", '<i style="height:40px"></i>a'),
    ("height:20px;overflow:hidden", '<p style="position:absolute;top:60px">a'),
    ("height:30px;overflow:hidden", '<p style="transform:translateY(60px)">a'), ("width:50px;overflow:hidden", '<p style="margin-left:300px">a'),
])  # fmt: skip
def test_a_box_that_looks_too_small_for_its_words_is_told(box, body):
    for data in styled(box, body):
        assert lost(data) == CUT
    for changed in (
        box.replace("hidden", "auto").replace("clip", "visible"),
        "overflow:hidden",
        "height:90vh;overflow:hidden",
    ):
        for data in styled(changed, body):
            assert lost(data) == ()


@pytest.mark.parametrize(("box", "body"), [
    ("height:20px;overflow:hidden", "Menu"), ("-webkit-line-clamp:2;overflow:hidden", "Menu"), ("height:2000px;overflow:hidden", LONG), ("height:20px;overflow:hidden", ""),
    ("max-width:900px;overflow:hidden", LONG), ("height:20px;overflow:hidden", '<p style="display:none">a</p>b'),
])  # fmt: skip
def test_a_box_with_room_for_its_words_is_not_told(box, body):
    for data in styled(box, body):
        assert lost(data) == ()


@pytest.mark.parametrize(("box", "body", "twin"), [
    ("position:absolute;top:0;width:500px;height:60px;background:#fff", "", "position:absolute;top:0;width:500px;height:2px;background:#fff"),
    ("position:absolute;width:500px;height:60px;background:#333", "", "position:absolute;width:500px;height:60px;background:rgba(0,0,0,.3)"),
    ("position:relative;top:-45px;background:#fff", "Menu", "position:relative;top:-5px;background:#fff"),
    ("position:relative;margin-top:-50px;background:#fff", "Menu", "position:relative;margin-top:-50px"),
    ("position:absolute;width:500px;height:60px;background:#fff", "", "position:absolute;width:500px;height:60px;background:#fff;z-index:-1"),
])  # fmt: skip
def test_a_box_with_a_ground_that_may_lie_over_words_is_told(box, body, twin):
    assert [lost(data) for data in styled(box, body)] == [OVER] * 3
    assert [lost(data) for data in styled(twin, body)] == [()] * 3


def test_a_white_box_over_the_whole_page_is_told_wherever_its_rule_stands():
    for data in styled("position:fixed;inset:0;background:#fff", ""):
        assert lost(data) == ("1 box laid over the whole page",)
    for data in styled("position:fixed;inset:0", ""):
        assert lost(data) == ()
