"""The page on lifecycles: its code runs, and gives what stands beside it."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "lifecycle.md"


def test_the_code_of_the_page_gives_what_it_says():
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, object] = {}
    exec(code.partition("store.resolve")[0], names)
    assert [citation.version for citation in names["now"].citations] == ["2"]
    assert [citation.version for citation in names["then"].citations] == ["1"]
    assert [citation.document_id for citation in names["priced"].citations] == ["margin"]
    said = []
    for line in code[code.index("store.resolve") :].splitlines():
        statement, _, comment = line.partition("#")
        said.append((eval(statement, names), comment))
    current, changed, unavailable, finished = said
    assert f'"{current[0]}"' in current[1]
    assert changed[0] is None
    assert f'"{unavailable[0]}"' in unavailable[1]
    assert finished[0] is True
    names["store"].close()
