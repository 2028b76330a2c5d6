"""Other labels for a text that is stored: what `ingest` refuses, the way that its message names, and who sees what."""

import json
import re
import shlex

import pytest

from tests.command_line import call
from verified_gate import AnswerEngine
from verified_gate.corpus.store import CorpusStore
from verified_gate.model import Actor

TEXT = "# Margin\n\nThe margin on a bike is 210 dollars.\n"
MEMBER, SELLER = ("--tenant", "acme"), ("--tenant", "acme", "--group", "sales")
ACTORS = {MEMBER: Actor("acme"), SELLER: Actor("acme", {"sales"})}


@pytest.fixture
def kb(tmp_path):
    return tmp_path / "kb.db"


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "all docs"
    (root / "sub").mkdir(parents=True)
    (root / "sub" / "margin.md").write_text(TEXT)
    return root


def ingest(kb, *arguments, code=0):
    done = call("ingest", *arguments, "--corpus", kb, "--json")
    assert done.code == code, done.err
    return json.loads(done.out)


def versions(kb):
    with CorpusStore.open(kb) as store:
        return {f"{each.document_id}@{each.version}": str(each.status) for each in store.operator.documents()}


def found(kb, *actor):
    return [hit["key"] for hit in json.loads(call("search", "margin", "--corpus", kb, *actor, "--json").out)]


def follow(kb, folder, *labels):
    """Do what the message of a refusal says, to the letter."""
    (fault,) = ingest(kb, folder, *labels, code=3)["failed"]
    marks = [shlex.split(each) for each in re.findall("`verified-gate (mark [^`]*)`", fault["why"])]
    for each in marks:
        assert call(*each).code == 0
    file, version = re.search(
        r"ingest (.*) alone, with the same options.* and `--version (.*?)`", fault["why"]
    ).groups()
    told = ingest(kb, file, *labels, "--version", version)
    assert told["documents"] == 1
    return len(marks)


# ------------------------------------------------------------------------------------------------------- the audience


@pytest.mark.parametrize(("before", "after"), [(MEMBER, SELLER), (SELLER, MEMBER)])
def test_an_audience_changes_by_withdrawal_as_the_refusal_says_and_neither_sees_the_others_version(
    kb, folder, before, after
):
    ingest(kb, folder, *before)
    with CorpusStore.open(kb) as store:
        answer = AnswerEngine(store).answer("What is the margin on a bike?", actor=ACTORS[before])
        cited = answer.citations[0].to_dict()
        assert store.resolve(cited, ACTORS[before]).status == "current"
    assert follow(kb, folder, *after) == 1
    assert versions(kb) == {"sub/margin@1": "withdrawn", "sub/margin@2": "current"}
    assert ingest(kb, folder, *after)["unchanged"] == 1, "the folder it lies in does nothing then"
    assert found(kb, *after) == ["acme:sub/margin@2#c0"]
    with CorpusStore.open(kb) as store:
        for actor in ACTORS.values():
            assert store.passage("acme:sub/margin@1#c0", actor) is None
            assert store.resolve(cited, actor).status == "unavailable"
        seen = {name: [each.version for each in store.documents(actor)] for name, actor in ACTORS.items()}
        assert seen[after] == ["2"]
        member = store.passage("acme:sub/margin@2#c0", ACTORS[MEMBER])
    if after == SELLER:  # a seller is a member: what is for all members is for him too
        assert (seen[MEMBER], member, found(kb, *MEMBER)) == ([], None, [])
    else:
        assert member is not None


def test_while_a_version_is_in_force_for_others_none_follows_it_and_a_draft_waits(kb, folder):
    ingest(kb, folder, *MEMBER)
    file = folder / "sub" / "margin.md"
    assert ingest(kb, file, *SELLER, "--version", "2", code=3)["documents"] == 0
    assert ingest(kb, folder, *SELLER, "--replace", code=3)["documents"] == 0
    assert ingest(kb, file, *SELLER, "--version", "2", "--draft")["documents"] == 1
    assert call("mark", "acme:sub/margin@2", "current", "--corpus", kb).code == 3
    assert found(kb, *MEMBER) == ["acme:sub/margin@1#c0"]
    assert call("mark", "acme:sub/margin@1", "withdrawn", "--corpus", kb).code == 0
    assert call("mark", "acme:sub/margin@2", "current", "--corpus", kb).code == 0
    assert (found(kb, *MEMBER), found(kb, *SELLER)) == ([], ["acme:sub/margin@2#c0"])


def test_a_changed_text_for_another_audience_needs_the_withdrawal_alone(kb, folder):
    ingest(kb, folder, *MEMBER)
    (folder / "sub" / "margin.md").write_text(TEXT.replace("210", "220"))
    (fault,) = ingest(kb, folder, *SELLER, code=3)["failed"]
    (mark,) = re.findall("`verified-gate (mark [^`]*)`", fault["why"])
    assert "--version" not in fault["why"]
    assert call(*shlex.split(mark)).code == 0
    assert ingest(kb, folder, *SELLER)["documents"] == 1
    assert (found(kb, *MEMBER), found(kb, *SELLER)) == ([], ["acme:sub/margin@2#c0"])


def test_a_file_that_goes_and_comes_back_gives_nothing_back_to_an_audience_of_before(kb, folder):
    file = folder / "sub" / "margin.md"
    ingest(kb, folder, *MEMBER)
    file.unlink()
    assert ingest(kb, folder, *MEMBER, "--prune")["withdrawn"] == 1
    file.write_text(TEXT)
    assert follow(kb, folder, *SELLER) == 0, "nothing is in force that would have to be withdrawn"
    file.unlink()
    ingest(kb, folder, *SELLER, "--prune")
    file.write_text(TEXT)
    assert ingest(kb, folder, *SELLER)["restored"] == [str(file)]
    assert versions(kb) == {"sub/margin@1": "withdrawn", "sub/margin@2": "current"}
    with CorpusStore.open(kb) as store:
        assert store.documents(ACTORS[MEMBER]) == []
        assert store.passage("acme:sub/margin@1#c0", ACTORS[MEMBER]) is None


def test_a_file_that_was_public_and_is_a_tenants_is_told_by_the_name_that_ends_it(kb, folder):
    ingest(kb, folder)
    told = ingest(kb, folder, *SELLER)
    assert [(each["audience"], each["document"]) for each in told["elsewhere"]] == [("public", "sub/margin@1")]
    assert found(kb) == ["sub/margin@1#c0"], "until the operator says so"
    assert call("mark", told["elsewhere"][0]["document"], "withdrawn", "--corpus", kb).code == 0
    assert (found(kb), found(kb, *SELLER)) == ([], ["acme:sub/margin@1#c0"])
    assert ingest(kb, folder, *SELLER)["elsewhere"] == []


# ------------------------------------------------------------------------------------------------------- other labels


@pytest.mark.parametrize(
    "labels", [("--collection", "prices"), ("--lang", "en"), ("--purpose", "pricing"), ("--effective-to", "2999-01-01")]
)
def test_other_labels_of_the_same_text_take_the_place_of_the_old_or_follow_them(kb, folder, labels):
    ingest(kb, folder)
    (fault,) = ingest(kb, folder, *labels, code=3)["failed"]
    assert "or pass --replace" in fault["why"]
    assert follow(kb, folder, *labels) == 0
    assert versions(kb) == {"sub/margin@1": "superseded", "sub/margin@2": "current"}
    assert ingest(kb, folder, *labels)["unchanged"] == 1
    assert ingest(kb, folder, "--replace")["replaced"] == 1
    assert versions(kb) == {"sub/margin@1": "superseded", "sub/margin@2": "current"}
    with CorpusStore.open(kb) as store:
        assert [(each.collection, each.lang) for each in store.documents() if each.version == "2"] == [("default", "")]


@pytest.mark.parametrize("status", ["withdrawn", "revoked"])
def test_replacing_under_other_labels_undoes_no_mark_and_a_version_that_is_named_is_a_new_one(kb, folder, status):
    ingest(kb, folder)
    assert call("mark", "sub/margin@1", status, "--corpus", kb).code == 0
    assert ingest(kb, folder, "--replace")["unchanged"] == 1
    assert ingest(kb, folder, "--replace", "--collection", "prices", code=3)["replaced"] == 0
    assert (versions(kb), found(kb)) == ({"sub/margin@1": status}, [])
    file = folder / "sub" / "margin.md"
    assert ingest(kb, file, "--collection", "prices", "--version", "1", code=3)["documents"] == 0
    assert ingest(kb, file, "--collection", "prices", "--version", "2")["documents"] == 1
    assert versions(kb) == {"sub/margin@1": status, "sub/margin@2": "current"}


def test_replacing_under_other_labels_is_done_where_nothing_was_taken_back(kb, folder):
    ingest(kb, folder)
    assert ingest(kb, folder, "--replace", "--collection", "prices")["replaced"] == 1
    assert versions(kb) == {"sub/margin@1": "current"}


# ---------------------------------------------------------------------------------------------------------- --version


def test_a_version_that_is_named_is_stored_once_and_the_next_text_follows_it(kb, folder):
    file = folder / "sub" / "margin.md"
    assert ingest(kb, file, "--version", "2024-06")["documents"] == 1
    assert ingest(kb, file, "--version", "2024-06")["unchanged"] == 1
    assert ingest(kb, file, "--version", "2024-07", "--dry-run")["documents"] == 1
    assert versions(kb) == {"margin@2024-06": "current"}
    file.write_text(TEXT + "\nMore.\n")
    assert ingest(kb, file)["documents"] == 1
    assert versions(kb) == {"margin@2024-06": "superseded", "margin@1": "current"}
    assert call("erase", "margin@2024-06", "--corpus", kb).code == 0
    assert ingest(kb, file, "--version", "2024-06", code=3)["documents"] == 0, "an erased name is not given again"


@pytest.mark.parametrize("more", [["--version", ""], ["--version", "a@b"], ["--version", "a b"]])
def test_a_name_that_is_no_versions_is_wrong_usage(kb, folder, more):
    assert call("ingest", folder / "sub" / "margin.md", "--corpus", kb, *more).code == 2
    assert call("ingest", folder / "sub" / "margin.md", "--corpus", kb, "--version", "a").code == 0


def test_a_folder_or_several_files_are_not_one_version(kb, folder):
    file = folder / "sub" / "margin.md"
    assert call("ingest", folder, "--corpus", kb, "--version", "2").code == 2
    assert call("ingest", file, file, "--corpus", kb, "--version", "2").code == 2
    assert call("ingest", file, "--corpus", kb, "--version", "2").code == 0


def test_a_text_whose_version_was_erased_is_stored_under_the_name_that_the_refusal_gives(kb, folder):
    ingest(kb, folder)
    assert call("erase", "sub/margin@1", "--corpus", kb).code == 0
    (fault,) = ingest(kb, folder, code=3)["failed"]
    (version,) = re.findall("`--version (.*?)`", fault["why"])
    assert ingest(kb, folder / "sub" / "margin.md", "--version", version)["documents"] == 1
    assert set(versions(kb)) == {"margin@2"}, "what was erased is no document any more that it would be one of"


def test_no_version_is_advised_where_the_id_is_another_files(kb, folder, tmp_path):
    ingest(kb, folder / "sub")
    (tmp_path / "margin.md").write_text("Another margin.\n")
    (fault,) = ingest(kb, tmp_path / "margin.md", code=3)["failed"]
    assert ("--version" in fault["why"], str(folder / "sub" / "margin.md") in fault["why"]) == (False, True)
    assert ingest(kb, tmp_path / "margin.md", "--version", "7", code=3)["documents"] == 0
    assert versions(kb) == {"margin@1": "current"}
