"""`check` as an operator meets it: verdicts, explanations, and files that cannot be read."""

import json

import pytest

from tests.command_line import call, run

EVIDENCE = {
    "returns#c1": "You can return a bike within 30 days of delivery.",
    "warranty#c1": "The frame of a bike has a warranty of 5 years.",
}
HONEST = {"text": "You have 30 days.", "citations": [{"key": "returns#c1", "quote": "within 30 days of delivery"}]}
FALSE = {"text": "You have 90 days.", "citations": [{"key": "returns#c1", "quote": "within 90 days of delivery"}]}


@pytest.fixture
def files(tmp_path):
    def write(evidence=EVIDENCE, *claims):
        (tmp_path / "evidence.json").write_text(evidence if isinstance(evidence, str) else json.dumps(evidence))
        (tmp_path / "reply.json").write_text(json.dumps({"status": "answered", "claims": claims}))
        return "--evidence", tmp_path / "evidence.json", "--reply", tmp_path / "reply.json"

    return write


def test_check_prints_a_line_a_citation_and_exits_0_where_all_was_released(files):
    done = run("check", *files(EVIDENCE, HONEST))
    assert (done.code, done.err) == (0, "")
    released, summary = done.out.splitlines()
    assert released.split("  ")[:3] == ["released", "claims[0]", "returns#c1"]
    assert summary == "1 claim released, 0 withheld"


def test_check_prints_the_code_of_what_was_withheld_and_exits_1(files):
    done = call("check", *files(EVIDENCE, FALSE, HONEST))
    assert done.code == 1
    refused, *explained, released, summary = done.out.splitlines()
    assert all(line.startswith("    ") for line in explained)
    assert summary == "1 claim released, 1 withheld"
    assert refused.split("  ")[:3] == ["quote_mismatch", "claims[0].citations[0]", "returns#c1"]
    assert released.startswith("released")
    answer = json.loads(call("check", *files(EVIDENCE, FALSE, HONEST), "--json").out)
    assert [refusal["code"] for refusal in answer["dropped"]] == ["quote_mismatch"]
    assert [citation["origin"] for citation in answer["citations"]] == ["caller"]


def test_check_reads_passages_with_pins_from_lines_of_json(files):
    passage = {
        "key": "a",
        "text": EVIDENCE["returns#c1"],
        "document_id": "returns",
        "title": "Returns",
        "start": 1200,
        "location": {"heading": ["Returning"], "first_line": 7, "last_line": 7},
    }
    claim = HONEST | {"citations": [{"key": "a", "quote": "within 30 days of delivery"}]}
    (citation,) = json.loads(call("check", *files(json.dumps(passage), claim), "--json").out)["citations"]
    assert (citation["start"], citation["offsets"]) == (1222, "document")
    assert citation["label"] == "Returns (Returning, line 7) [a]"
    pinned = json.dumps(passage | {"sha256": "0" * 64})
    done = call("check", *files(pinned + "\n\n" + json.dumps(passage | {"key": "b"}), claim))
    assert done.code == 1
    assert done.out.startswith("integrity_failure")


def test_check_reads_one_of_its_files_from_standard_input(files):
    _, evidence, _, reply = files(EVIDENCE, HONEST)
    for arguments, piped in (
        (("--evidence", "-", "--reply", reply), evidence),
        (("--evidence", evidence, "--reply", "-"), reply),
    ):
        assert call("check", *arguments, stdin=piped.read_bytes()).code == 0
    assert call("check", "--evidence", "-", "--reply", "-").code == 2


def test_check_under_a_wider_profile_finds_what_verbatim_refuses(files):
    claim = HONEST | {"citations": [{"key": "returns#c1", "quote": "within  30\ndays of delivery"}]}
    assert call("check", *files(EVIDENCE, claim)).code == 1
    assert call("check", *files(EVIDENCE, claim), "--profile", "typographic").code == 0


@pytest.mark.parametrize(
    "reply",
    ["no json", "", "{", "[]", '{"status": "answered"}', '{"claims": 7}', '{"claims": []}', "\ufeff{}", "7" * 5000],
)
def test_check_of_an_unusable_reply_is_withheld_and_no_fault(files, tmp_path, reply):
    _, evidence, *_ = files()
    (tmp_path / "bad").write_text(reply)
    done = call("check", "--evidence", evidence, "--reply", tmp_path / "bad")
    assert (done.code, done.err) == (1, "")
    assert done.out


# --------------------------------------------------------------------------------------------------------- explanations

TEXT = "You can return a bike within 30 days of delivery. The buyer may, at any time, return the bike’s bell."


def _checked(files, quote, *more, text="It is so.", evidence=TEXT, key="a"):
    claim = {"text": text, "citations": [{"key": key, "quote": quote}]}
    arguments = ("check", *files({"a": evidence}, claim), *more)
    (told,) = json.loads(call(*arguments, "--json").out)["dropped"]
    return told["code"], told["explanation"], call(*arguments).out


def test_an_altered_quote_is_shown_beside_the_nearest_text(files):
    code, explained, shown = _checked(files, "within 90 days of delivery")
    assert (code, explained["wider_profile"]) == ("quote_mismatch", None)
    assert (explained["nearest"]["source"], explained["nearest"]["quote"]) == (
        "30 days of delivery",
        "90 days of delivery",
    )
    assert TEXT[explained["nearest"]["start"] : explained["nearest"]["end"]] == "within 30 days of delivery"
    assert "source “30 days of delivery”, quote “90 days of delivery”" in shown


def test_the_profile_that_would_let_a_quote_pass_is_named_with_its_folds(files):
    code, explained, shown = _checked(files, "return the bike's bell")
    assert (code, explained["wider_profile"], explained["folds"]) == ("quote_mismatch", "typographic", ["quotes"])
    assert "--profile typographic" in shown
    assert "(U+2019, U+0027)" in shown


def test_a_quote_inside_a_number_is_shown_with_the_whole_words_of_the_source(files):
    code, _, shown = _checked(files, "0 days of delivery")
    assert code == "quote_splits_token"
    assert "the source has “30 days of delivery.”; the quote begins between “3” and “0”" in shown
    long = "In the event that the other party fails to observe or perform any obligation, warranty, duty or thing of "
    _, explained, shown = _checked(files, f"{long}Section 14", evidence=f"{long}Section 14.1 of it.")
    assert "Section 14.1”; the quote ends between “14” and “.1”" in shown
    assert explained["nearest"]["split"] == ["14", ".1"]


def test_white_space_that_differs_is_made_visible(files):
    code, _, shown = _checked(files, "You can return a bike", evidence="You can\r\nreturn a bike.")
    assert code == "quote_mismatch"
    assert "source “␍␊return a bike”, quote “␠return a bike”" in shown
    assert "source ends" not in shown
    _, _, shown = _checked(files, "You can return a bike", evidence="You can\u00a0return a bike.")
    assert "source “\\xa0return a bike”, quote “␠return a bike” (U+00A0, U+0020)" in shown


def test_letters_that_look_alike_inside_a_word_are_told_by_their_numbers(files):
    _, _, shown = _checked(files, "return the b\u0456ke now", evidence="return the bike now")
    assert "source “bike now”, quote “b\u0456ke now” (U+0069, U+0456)" in shown


def test_an_elision_needs_the_language_of_the_evidence(files):
    elided = "The buyer may … return the bike"
    code, explained, shown = _checked(files, elided)
    assert (code, explained["needs_lang"], explained["wider_profile"]) == ("quote_elided", True, None)
    assert "--lang" in shown
    code, explained, shown = _checked(files, elided, "--lang", "en")
    assert (code, explained["needs_lang"], explained["wider_profile"]) == ("quote_elided", False, "editorial")
    claim = {"text": "It is so.", "citations": [{"key": "a", "quote": elided}]}
    arguments = ("check", *files({"a": TEXT}, claim), "--profile", "editorial")
    assert (call(*arguments).code, call(*arguments, "--lang", "en-GB").code) == (1, 0)


@pytest.mark.parametrize(
    ("text", "quote", "code", "told"),
    [
        ("You have 60 or 70 days.", "within 30 days of delivery", "number_unsupported", "unsupported: “60”, “70”"),
        ("See <b>this</b>.", "within 30 days of delivery", "wording_unsafe", "markup"),
        ("It is so.", "of", "quote_too_short", "at least three words"),
        ("It is so.", "", "quote_missing", "no quote"),
    ],
)
def test_the_rule_that_was_broken_is_told(files, text, quote, code, told):
    refused, explained, shown = _checked(files, quote, text=text)
    assert refused == code
    assert explained["rule"]
    assert told in shown


def test_a_question_and_a_cited_quote_support_a_number(files):
    _, explained, _ = _checked(files, "within 30 days of delivery", "--question", "60?", text="60 or 70, not 30.")
    assert explained["numbers"] == ["70"]


def test_no_explanation_carries_an_escape_sequence_or_much_text(files):
    hostile = "Press \x1b[31m" + "x" * 500 + " the button \u202etwice now."
    code, explained, shown = _checked(files, hostile.replace("button", "bottom"), evidence=hostile)
    assert code == "hidden_characters"
    assert not set("\x1b\u202e") & set(shown)
    assert max(map(len, shown.splitlines())) < 250
    _, _, shown = _checked(files, "one two three", key="\x1b[31m" + "k" * 90)
    assert "\x1b" not in shown


def test_only_the_first_refusals_of_a_long_reply_are_explained(files):
    claims = [
        {"text": "So.", "citations": [{"key": "a", "quote": f"within {number} days of delivery"}]}
        for number in range(31, 91)
    ]
    done = call("check", *files({"a": TEXT}, *claims))
    assert done.out.count("first difference") == 50
    assert "10 further refusals" in done.err


@pytest.mark.parametrize(
    ("claims", "summary"),
    [
        ([HONEST, HONEST], "2 claims released, 0 withheld"),
        ([FALSE], "0 claims released, 1 withheld"),
        (
            [{**HONEST, "citations": [*HONEST["citations"], *FALSE["citations"]]}],
            "1 claim released, 0 withheld, 1 citation refused",
        ),
        ([], "nothing was released"),
    ],
)
def test_the_last_line_says_in_words_what_became_of_the_claims(files, claims, summary):
    assert call("check", *files(EVIDENCE, *claims)).out.splitlines()[-1] == summary


# ----------------------------------------------------------------------------------------------------- files and faults


def test_a_json_list_of_passages_is_evidence_too(files):
    passages = [{"key": key, "text": text, "title": "Returns"} for key, text in EVIDENCE.items()]
    for written in (json.dumps(passages), json.dumps(passages, indent=2), "\n".join(map(json.dumps, passages))):
        assert call("check", *files(written, HONEST)).code == 0


@pytest.mark.parametrize(
    "evidence",
    [
        "",
        "not json",
        "[1, 2]",
        "7",
        '{"a": 1}',
        '{"key": "a", "text": 7}',
        '{"key": "a", "text": "b", "sha265": "misspelt"}',
        '{"key": "a", "text": "b", "start": -1}',
        '{"key": "a", "text": "b", "location": []}',
        '{"key": "a", "text": "b", "location": {"line": 1}}',
        '{"key": "a", "text": "b", "location": {"heading": "x"}}',
        '{"key": "a", "text": "b", "location": {"first_line": "1"}}',
        '{"key": "a", "text": "b", "sha256": 7}',
        '{"key": "a", "text": null}',
        "{}",
        '{"key": "a", "text": "b"}\n{"key": "a", "text": "c"}',
        '{"key": "a", "text": "b"}\n{"key": "c", "text": "c"',
        "[" * 100_000,
    ],
)
def test_evidence_that_cannot_be_read_exits_3_and_names_the_place(files, evidence):
    done = call("check", *files(evidence, HONEST))
    assert (done.code, done.out) == (3, "")
    assert "evidence.json" in done.err


@pytest.mark.parametrize(
    ("evidence", "named"),
    [
        ('{"a": "x", "b": "y", "a": "z"}', ["“a”", "twice"]),
        ('{"a": "x",\n "b": }', ["evidence.json:2", "column"]),
        ('{"a": "x", "b": ["y"]}', ["“b”", "a list"]),
        ('[{"key": "a", "text": "x"}, {"key": "b"}]', ["passage 2", "“b”", "text is missing"]),
        ('[{"key": "a", "text": "x"}, {"key": "a", "text": "y"}]', ["passage 2", "“a”", "passage 1"]),
        ('[{"key": "a", "text": "x", "key": "b"}]', ["“key”", "twice"]),
        (
            '{"key": "a", "text": "x"}\n\n{"key": "b", "text": "y", "sha265": "z"}',
            ["evidence.json:3", "“b”", "“sha265”"],
        ),
        ('{"key": "a", "text": "x"}\n{"key": "a", "text": "y"}', ["evidence.json:2", "“a”", ":1"]),
        ('{"key": "a", "text": "x"}\n{"key": "b", "text": "y", "start": 1.5}', ["evidence.json:2", "“b”", "start"]),
        ('{"key": "a", "text": "x"}\n{"key": "b",, "text"}', ["evidence.json:2", "column 13"]),
        ('{"key": "a", "text": "b", "location": {"line\x7f": 1}}', ["“line␡”"]),
        (f'{{"{"k" * 500}": 7}}', ["“" + "k" * 60 + "…”", "a number"]),
        (f'{{"a": {"7" * 5000}}}', ["a number is too long"]),
    ],
)
def test_a_fault_of_the_evidence_names_option_file_line_key_and_member(files, evidence, named):
    done = call("check", *files(evidence, HONEST))
    assert (done.code, done.out) == (3, "")
    assert len(done.err.splitlines()) == 1
    assert all(part in done.err for part in ["--evidence", "evidence.json", *named])


def test_a_fault_is_told_to_the_reader_of_a_pipe_too(files):
    done = call("check", *files("", HONEST), "--json")
    assert done.code == 3
    assert json.loads(done.out)["error"] in done.err


@pytest.mark.parametrize("name", ["--evidence", "--reply"])
@pytest.mark.parametrize("fault", ["missing", "folder", "bytes"])
def test_a_file_that_cannot_be_read_exits_3(files, tmp_path, name, fault):
    arguments = list(files(EVIDENCE, HONEST))
    bad = tmp_path / fault
    if fault == "folder":
        bad.mkdir()
    if fault == "bytes":
        bad.write_bytes(b"\xff\xfe\x00")
    arguments[arguments.index(name) + 1] = bad
    done = call("check", *arguments)
    assert (done.code, done.out) == (3, "")
    assert fault in done.err
    assert name in done.err
    assert "Errno" not in done.err
