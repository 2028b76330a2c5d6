"""What a record holds, as it is read back: everything here came out of a file, and none of it is verified.

The summary tells codes, counts, the rights and limits of the request and which claims left, and names no document: it
stays when one is erased. The payload names keys and holds what was asked, proposed and released; it goes whole with each
document that it tells of. Each citation that left is a part of its own and tells of one version: it goes with that one
alone, so that the answer replays to a reader as if what was erased could not be read. A text is kept plain, or as a keyed
hash with its length in code points.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

RECORD_FORMAT = 2

Count = Annotated[int, Field(ge=0, lt=2**53)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _Read(BaseModel):
    """Strict, frozen; members that a later format adds are ignored."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore", hide_input_in_errors=True)


class Hashed(_Read):
    """A text that was not kept: its length in code points, and its HMAC under the operator's key where there is one."""

    hmac: Digest | None = None
    length: Count


Text = str | Hashed


class KeptActor(_Read):
    """Who asked."""

    tenant: str | None = None
    groups: list[str] = []
    active: bool = True


class KeptConstraints(_Read):
    """The hard limits of the request, as in `Constraints`; `as_of` in ISO form."""

    purpose: str | None = None
    remote: bool = False
    only: list[str] | None = None
    prefer: list[str] = []
    as_of: str | None = None


class Counts(_Read):
    """How much there was at each stage; `verified` and `released` count claims, the others say what they count."""

    found: Count = 0
    delivered: Count = 0
    left_out: Count = 0
    proposed_claims: Count = 0
    proposed_citations: Count = 0
    verified_claims: Count = 0
    verified_citations: Count = 0
    released_claims: Count = 0
    released_citations: Count = 0
    withheld_claims: Count = 0


class KeptWithheld(_Read):
    """A claim that did not leave."""

    position: Count
    codes: list[str]


class LeftClaim(_Read):
    """A claim that left; `citations` are 0-based numbers of citations that left."""

    position: Count
    citations: list[Count]


class Summary(_Read):
    """Codes and counts of one answer, who asked, and the claims that left and did not. `cited` are the commitments to
    the citations that left, as an entry commits to its parts. `complete` is false where a stream had not ended or broke; `earlier` names the
    records that the same run wrote before: of a part the last one, of the end all. `refused` counts the codes of refused claims and citations; `replies` are
    the codes of the exchanges with the synthesizer, in order.
    """

    format: Literal[2]
    code: str
    interrupted: str | None = None
    complete: bool = True
    earlier: list[str] = []
    plain: bool = False
    lang: str = "en"
    eligible: Count | None = None
    widened: bool = False
    channels: dict[str, Literal["ok", "partial", "unavailable"]] = {}
    constraints: KeptConstraints = KeptConstraints()
    policy: dict[str, str | int | bool | dict[str, int] | None] = {}
    attempts: Count = 0
    replies: list[str] = []
    refused: dict[str, Count] = {}
    counts: Counts = Counts()
    actor: KeptActor | None = None
    claims: list[LeftClaim] = []
    withheld: list[KeptWithheld] = []
    cited: list[Digest] = []


class Found(_Read):
    """A passage that retrieval gave."""

    key: str
    rank: Count
    channel: str


class Around(_Read):
    """A passage that was shown around others, and could not be cited. `sha256` is over its text as it was sent."""

    key: str
    sha256: Digest


class Delivered(_Read):
    """A passage in the request that was sent. `sha256` is over its text as it was sent, `headed` over title and headings."""

    key: str
    sha256: Digest
    headed: Digest | None = None
    document_id: str = ""
    version: str = ""
    text_sha256: str | None = None
    text: Text | None = None


class KeptCitation(_Read):
    """A citation as it was proposed. `delivered` is the delivered key that it stands for; `written` the key as it was
    written, where that is another.
    """

    delivered: str | None = None
    written: Text | None = None
    quote: Text | None = None
    malformed: str | None = None


class KeptClaim(_Read):
    """A claim as it was proposed."""

    text: Text | None = None
    citations: list[KeptCitation] = []
    malformed: str | None = None


class KeptSpan(_Read):
    """A citation that the gate verified, of the claim at `claim`."""

    claim: Count
    key: str
    start: Count
    end: Count
    offsets: Literal["document", "passage"]
    folds: list[str] = []


class KeptRefusal(_Read):
    """A refusal. `key` is set where it is a delivered one."""

    code: str
    stage: str
    key: str | None = None
    detail: str = ""
    claim: Count | None = None
    citation: Count | None = None


class Exchange(_Read):
    """One reply of the synthesizer and what the gate said of it. `first` is the position of its first claim, `cut` counts
    proposed claims that were not kept. `note` says what was unusual about the server's answer.
    """

    attempts: Count = 0
    code: str
    status: str | None = None
    claims: list[KeptClaim] = []
    first: Count = 0
    cut: Count = 0
    verified: list[KeptSpan] = []
    refusals: list[KeptRefusal] = []
    withheld: list[KeptWithheld] = []
    note: str = ""


class LeftCitation(_Read):
    """A citation that left. Whoever loads it has a proposal."""

    key: str
    keys: list[str] = []
    document_id: str = ""
    version: str = ""
    start: Count
    end: Count
    offsets: Literal["document", "passage"]
    quote: Text
    folds: list[str] = []
    passage_sha256: Digest
    text_sha256: str | None = None
    file_sha256: str | None = None
    origin: Literal["store", "caller"]


class LeftWording(_Read):
    """The wording of a claim that left."""

    position: Count
    text: Text


class Payload(_Read):
    """What was asked, found, delivered, proposed and released."""

    question: Text
    found: list[Found] = []
    delivered: list[Delivered] = []
    left_out: list[str] = []
    context: list[Around] = []
    exchanges: list[Exchange] = []
    claims: list[LeftWording] = []
    dropped: list[KeptRefusal] = []
    detail: Text = ""
    mentions: list[str] = []


class Mentions(_Read):
    """Of a payload, the versions that it tells of, as keys begin; one that a model made up as its keyed hash, where texts
    are kept so.
    """

    mentions: list[str]


class Erasure(_Read):
    """What an entry of kind `erasure` says: the numbers of the records whose payload was erased, and the SHA-256 of the
    names of versions that no payload is kept of from then on.
    """

    format: Literal[1]
    erased: list[Count]
    names: list[Digest] = []
