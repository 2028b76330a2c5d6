"""Pages that hold one secret, and whether a reader of the page sees it."""

from tests.reading import hidden, read

SECRET = "Ninety are due."


def page(body: str, head: str = "", doctype: str = "<!DOCTYPE html>") -> str:
    return f"{doctype}<html><head><title>T</title>{head}</head><body><p>Opening.</p>{body}</body></html>"


def ruled(sheet: str, attributes: str = 'class="x"', doctype: str = "<!DOCTYPE html>") -> str:
    return page(f"<p {attributes}>{SECRET}</p>", f"<style>{sheet}</style>", doctype)


def seen(data: str, kind: str = "html") -> bool:
    """Whether the secret is read as what a reader sees."""
    found = read(kind, data)
    assert "Opening." in found.text
    return SECRET in found.text and not any(word in " ".join(hidden(found)) for word in SECRET.split())


def lost(data: str, kind: str = "html") -> tuple[str, ...]:
    """What is told of a page, the secret of which is read as seen."""
    assert SECRET in read(kind, data).text
    return read(kind, data).lost


def seen_words(data: str, kind: str = "html") -> str:
    """The text of a page without what is marked in it."""
    found = read(kind, data)
    return "".join(sign for at, sign in enumerate(found.text) if not any(a <= at < b for a, b in found.hidden))
