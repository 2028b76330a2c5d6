"""What reading one file may cost, in one place. A file is hostile until read; whoever made it chose its size."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """Upper bounds for one file. What is over one of them is refused whole (`too_large`, `bomb`, `too_deep`,
    `timed_out`, `out_of_memory`), never cut short in silence.

    `file_bytes`: the file as it lies on the disk. `text_bytes`: a text or Markdown file. `unpacked_bytes`: all parts of
    a container together, unpacked; `members`: how many parts it may have. `pages`: of a PDF. `characters`: code points
    of the text that is read. `blocks`: headings, paragraphs, rows of it. `lines`: of a text or Markdown file. `depth`: elements inside each other.
    `seconds`: wall clock; `memory_bytes`: address space that a reader may take beyond its start. Both are held by the
    process that started the reader.
    """

    file_bytes: int = 100_000_000
    text_bytes: int = 10_000_000
    unpacked_bytes: int = 200_000_000
    members: int = 20_000
    pages: int = 20_000
    characters: int = 20_000_000
    blocks: int = 250_000
    lines: int = 500_000
    depth: int = 500
    seconds: float = 25.0
    memory_bytes: int = 900_000_000

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            if not getattr(self, name) > 0:
                raise ValueError(f"ReadingLimits.{name} must be over 0")
