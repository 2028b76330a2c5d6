"""Words of a page that its sheets, attributes or drawings keep from being seen, and that no quote may touch."""

import pytest

from tests.pages import SECRET, page, ruled
from tests.reading import read
from verified_gate import Gate, Passage, Refusal, VerifiedCitation


def verified(data: str) -> object:
    found = read("html", data)
    passage = Passage(key="a", text=found.text, document_id="d", start=0, hidden=found.hidden)
    return Gate([passage], profile="extracted").verify("a", SECRET)


@pytest.mark.code("not_visible")
@pytest.mark.parametrize(("hides", "shows"), [
    (ruled("p::first-line{color:#fff}"), ruled("p::first-line{color:#333}")),
    (ruled(".x{-webkit-text-stroke:9px #fff}"), ruled(".x{-webkit-text-stroke:.4px #333}")),
    (ruled('.x::after{content:"";position:absolute;inset:0;background:#fff}'), ruled('.x::after{content:"";background:#fff}')),
    (ruled(".X{color:#fff}", doctype=""), ruled(".X{color:#fff}")),
    (page(f'<div style="display:contents;background:#000;color:#fff">{SECRET}</div>'),
     page(f'<div style="background:#000;color:#fff">{SECRET}</div>')),
    (page(f"<svg width=90 height=50><text y=900>{SECRET}</text></svg>"), page(f"<svg width=90 height=50><text y=20>{SECRET}</text></svg>")),
    (page(f"<math mathcolor=white><mtext>{SECRET}</mtext></math>"), page(f"<math mathcolor=red><mtext>{SECRET}</mtext></math>")),
])  # fmt: skip
def test_what_a_page_hides_in_any_way_is_refused_and_its_twin_released(hides, shows):
    refusal = verified(hides)
    assert isinstance(refusal, Refusal) and refusal.code == "not_visible"
    assert isinstance(verified(shows), VerifiedCitation)
