"""Pages without a `<body>` tag: all that browsers show of them is read, from the first element on."""

import time

import pytest

from tests.reading import read
from verified_gate.ingest.formats.markup import parse_html
from verified_gate.ingest.formats.opening_body import with_body

START = "<!DOCTYPE html><meta charset=utf-8><title>t</title>"
WORDS = "<p>The zebra pays.</p>"


@pytest.mark.parametrize(
    "tag",
    [
        "main",
        "section",
        "header",
        "nav",
        "figure",
        "search",
        "label",
        "button",
        "ruby",
        "mark",
        "custom-el",
        "p",
        "div",
    ],
)
@pytest.mark.parametrize(
    "start", [START, "<html lang=en><head><title>t</title>", f"{START}<!-- <body> -->\n", f"{START}</head>"]
)
def test_the_first_element_of_a_page_without_a_body_tag_is_read(start, tag):
    found = read("html", f"{start}<{tag}>{WORDS}</{tag}><p>Another.</p>")
    assert found.text.split() == ["The", "zebra", "pays.", "Another."]
    assert not found.lost


def test_a_line_that_begins_with_such_an_element_stays_one_line():
    assert read("html", f"{START}<mark>Do not</mark> pay the keeper.").text == "Do not pay the keeper."


@pytest.mark.parametrize(("sheet", "seen"), [("section ~ .x", False), ("title ~ .x", True)])
def test_neighbours_are_those_in_the_body(sheet, seen):
    found = read(
        "html", f"{START}<style>{sheet}{{display:none}}</style><section></section><p class=x>The zebra pays.</p><p>End."
    )
    assert ("zebra" in found.text and not found.hidden) is seen


@pytest.mark.parametrize(("name", "seen"), [("hidden", False), ("lang=en", True)])
def test_the_attributes_of_a_body_that_comes_too_late_are_its_own(name, seen):
    page = f"<!DOCTYPE html><head><title>t</title><x-y></x-y></head><body {name}>{WORDS}</body>"
    root = parse_html(page.encode())
    assert [body.keys() for body in root.iter("body")] == [[name.partition("=")[0]]]
    assert bool(read("html", page).text) is seen


@pytest.mark.parametrize(
    ("page", "found"),
    [
        (b"<title>t</title> Hello <main>", b"<title>t</title> <body>Hello <main>"),
        (b"<script>'<main>'</script><b>", b"<script>'<main>'</script><body><b>"),
        (
            b"<template><template></template><i></template>\n<i>",
            b"<template><template></template><i></template>\n<body><i>",
        ),
        (b"<noscript><img></noscript><nav>", b"<noscript><img></noscript><body><nav>"),
        (b"</head><noscript>a</noscript>", b"</head><body><noscript>a</noscript>"),
        (b"<?xml version='1.0'?><html></p></html>a", b"<?xml version='1.0'?><html></p><body></html>a"),
        (b"<x-y></x-y></head><body class=a><p>", b"<body class=a><x-y></x-y></head><p>"),
        (b"<x-y><script>'<body a>'</script>", b"<body><x-y><script>'<body a>'</script>"),
        (b"<title>t</title><body a><x-y>", None),
        (b"<head></head><frameset><frame></frameset>", None),
        (b'<meta content="<main>">', None),
        (b"<title><main>", None),
        (b"<main", None),
    ],
)
def test_a_body_opens_where_browsers_open_it(page, found):
    assert with_body(page) == (found or page)


@pytest.mark.parametrize(
    "piece", [b"<meta>", b"<template>", b"<!-- ", b"<title>", b"<noscript>", b"<x-y><body ", b"<x-y '"]
)
def test_work_is_in_proportion_to_the_page(piece):
    few, many = (cost(piece * number) for number in (5_000, 50_000))
    assert many < 40 * few + 0.3


def cost(page):
    start = time.process_time()
    with_body(page)
    return time.process_time() - start
