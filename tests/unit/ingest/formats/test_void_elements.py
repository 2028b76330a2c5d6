"""Which elements hold nothing, for browsers: those are closed at once, wherever one is and nowhere else."""

import time

import pytest

from verified_gate.ingest.formats.void_elements import closed


@pytest.mark.parametrize(
    ("page", "found"),
    [
        (b"<p>a<wbr>b", b"<p>a<wbr></wbr>b"),
        (b"<WBR class=a/>b", b"<WBR class=a/></wbr>b"),
        (b"<image src=a.png>b", b"<img src=a.png>b"),
        (b"<wbr a=it's><b hidden> it's> x</b>", b"<wbr a=it's></wbr><b hidden> it's> x</b>"),
        (b'<wbr ="x><b>', b'<wbr ="x></wbr><b>'),
        (b'<wbr a="b>c">d', b'<wbr a="b>c"></wbr>d'),
        (b"<wbr a='b>c' />d", b"<wbr a='b>c' /></wbr>d"),
        (b"<svg></svg><wbr>", b"<svg></svg><wbr></wbr>"),
        (b"<svg><title/></svg><p><embed src=a>x", b"<svg><title/></svg><p><embed src=a></embed>x"),
        (b"<svg><style/></svg><wbr>x", b"<svg><style/></svg><wbr></wbr>x"),
        (b"<svg/><source>x", b"<svg/><source></source>x"),
        (
            b"<svg><foreignObject><wbr>a</foreignObject><wbr>b",
            b"<svg><foreignObject><wbr></wbr>a</foreignObject><wbr>b",
        ),
        (b"<svg><p>a<wbr>b", b"<svg><p>a<wbr></wbr>b"),
        (b"<svg><embed>b", b"<svg><embed></embed>b"),
        (b"<!--a--><wbr>", b"<!--a--><wbr></wbr>"),
        (b"<!--><wbr>-->", b"<!--><wbr></wbr>-->"),
        (b"</ wbr><wbr>", b"</ wbr><wbr></wbr>"),
        (b"<isindex hidden>a</isindex>", b"<x-isindex hidden>a</x-isindex>"),
        (b"<svg><title/></svg><wbr>", b"<svg><title/></svg><wbr></wbr>"),
        (b"<svg><script href=a /></svg><wbr>", b"<svg><script href=a /></svg><wbr></wbr>"),
        (b"<script>a</script><wbr>", b"<script>a</script><wbr></wbr>"),
    ],
)
def test_an_element_that_holds_nothing_is_closed(page, found):
    assert closed(page) == found


@pytest.mark.parametrize(
    "page",
    [
        b"<p>a<wbrs>b",
        b"<isindexes>x</isindexes><b title='<isindex>'>",
        b"<spacer hidden>x</spacer><nextid><command>",
        b"<svg><source><text>x</text></source></svg>",
        b"<svg a=b/><source><text>x</text></source></svg>",
        b"<math><wbr>x</math>",
        b"<!-- <wbr> --> <!-- <wbr a='-->'",
        b"<!--<wbr>--!>",
        b"<? <wbr a><! <wbr a></ <wbr a>",
        b"<script>'<wbr>'</script >",
        b"<script/>'<wbr>'",
        b"<textarea><wbr></textareas><wbr>",
        b"<plaintext><wbr>",
        b'<b title="<wbr>">x',
        b"<b title=<wbr>x",
        b"<wbr",
        b'<wbr a="b>',
    ],
)
def test_what_is_none_is_left_as_it_is(page):
    assert closed(page) == page


@pytest.mark.parametrize(
    "piece",
    [
        b"<wbr ",
        b"<wbr '",
        b'<wbr a="',
        b"<!--<wbr>",
        b"<script><wbr>",
        b"<a =",
        b"<svg><wbr>",
        b"<wbr/",
        b"<wbr><svg><desc>",
        b"<wbr><svg></p>",
    ],
)
def test_work_is_in_proportion_to_the_page(piece):
    few, many = (cost(piece * number) for number in (10_000, 100_000))
    assert many < 40 * few + 0.3


def test_end_tags_of_what_is_not_open_cost_little():
    few, many = (cost(b"<wbr>" + b"<svg><desc>" * number + b"</p>" * number) for number in (2_000, 20_000))
    assert many < 40 * few + 0.3


def cost(page):
    start = time.process_time()
    closed(page)
    return time.process_time() - start


def test_drawings_without_end_cost_no_more():
    few, many = (cost(b"<wbr>" + b"<svg><desc>" * number + b"</p></desc>" * number) for number in (3_000, 24_000))
    assert many < 40 * few + 0.3
