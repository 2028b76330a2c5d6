"""Squares of one brightness in the picture of a page: what is behind words in their colour, or letters that are solid."""

from functools import lru_cache
from typing import Final

STEPS: Final = 16
"""Of brightness, one as wide as the least difference that is seen."""
_NEAR: Final = 3


@lru_cache(4_096)
def level_of(colour: tuple[int, int, int, int] | None) -> int:
    """How bright a colour is drawn, of `STEPS`; black for none."""
    red, green, blue = colour[:3] if colour else (0, 0, 0)
    return (30 * red + 59 * green + 11 * blue) // 100 * STEPS // 256


def squares_of(pixels: bytearray, width: int, height: int, level: int, size: int) -> bytearray:
    """1 where a square of `size` pixels a side begins, at its upper left, that is nearly as bright; empty for none."""
    run, near, found = b"\1" * size, _near(level), bytearray()
    # each square lies on one of these rows, and holds one in `size` pixels of it
    rows_of = b"".join(pixels[at : at + width] for at in range(0, width * height, width * size))
    if 1 not in rows_of[::size].translate(near):
        return found
    every = rows_of.translate(near)
    at = every.find(run)
    while at >= 0:
        number, column = divmod(at, width)
        middle, end = number * size, every.find(b"\0", at)
        reach = (max(0, column - size + 1), min(width, (len(every) if end < 0 else end) - number * width + size - 1))
        if not any(run in _row(pixels, width, row, near, *reach) for row in (middle - size // 2, middle + size // 2)):
            at = every.find(run, end) if end >= 0 else -1  # a line: squares are as high as broad
            continue
        first, last = max(0, middle - size + 1), min(height, middle + size)
        rows = [_row(pixels, width, row, near, 0, width) for row in range(first, last)]
        if len(rows) >= size and sum(run in each for each in rows) >= size:
            for start in range(len(rows) - size + 1):
                begins = _starts(rows[start : start + size], size)
                if begins:
                    found = found or bytearray(width * height)
                    found[(first + start) * width : (first + start + 1) * width] = begins
        at = every.find(run, (number + 1) * width)
    return found


def _row(pixels: bytearray, width: int, row: int, near: bytes, left: int, right: int) -> bytearray:
    """Which pixels of a row are as bright, from `left` to `right`; none outside of the picture."""
    return pixels[max(0, row) * width + left : max(0, row) * width + right].translate(near) if row >= 0 else bytearray()


def is_near(one: int, other: int) -> bool:
    """May a picture of the one level be taken for the other?"""
    return abs(one - other) < _NEAR


@lru_cache(STEPS)
def _near(level: int) -> bytes:
    return bytes(is_near(level, each * STEPS // 256) for each in range(256))


def _starts(rows: list[bytearray], size: int) -> bytes:
    """Where `size` columns begin that are set in all rows; empty for none."""
    columns = int.from_bytes(rows[0], "little")
    for each in rows[1:]:
        columns &= int.from_bytes(each, "little")
    for _ in range(size - 1):
        columns &= columns >> 8
    return columns.to_bytes(len(rows[0]), "little") if columns else b""
