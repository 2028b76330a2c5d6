"""Squares of one brightness in the picture of a page: what is behind words in their colour, or letters that are solid."""

from functools import lru_cache
from typing import Final

_STEPS: Final = 16
"""Of brightness, one as wide as the least difference that is seen."""


@lru_cache(4_096)
def level_of(colour: tuple[int, int, int, int] | None) -> int:
    """How bright a colour is drawn, of `_STEPS`; black for none."""
    red, green, blue = colour[:3] if colour else (0, 0, 0)
    return (30 * red + 59 * green + 11 * blue) // 100 * _STEPS // 256


def squares_of(pixels: bytearray, width: int, height: int, level: int, size: int) -> bytearray:
    """1 where a square of `size` pixels a side begins, at its upper left, that is nearly as bright; empty for none."""
    run, near, found = b"\1" * size, _near(level), bytearray()
    # each square lies on one of these rows
    every = b"".join(pixels[at : at + width] for at in range(0, width * height, width * size)).translate(near)
    at = every.find(run)
    while at >= 0:
        middle = at // width * size
        first, last = max(0, middle - size + 1), min(height, middle + size)
        rows = [pixels[row * width : (row + 1) * width].translate(near) for row in range(first, last)]
        if len(rows) >= size and sum(run in each for each in rows) >= size:  # else it is a line
            for start in range(len(rows) - size + 1):
                begins = _starts(rows[start : start + size], size)
                if begins:
                    found = found or bytearray(width * height)
                    found[(first + start) * width : (first + start + 1) * width] = begins
        at = every.find(run, (at // width + 1) * width)
    return found


@lru_cache(_STEPS)
def _near(level: int) -> bytes:
    return bytes(abs(level - each * _STEPS // 256) < 3 for each in range(256))


def _starts(rows: list[bytearray], size: int) -> bytes:
    """Where `size` columns begin that are set in all rows; empty for none."""
    columns = int.from_bytes(rows[0], "little")
    for each in rows[1:]:
        columns &= int.from_bytes(each, "little")
    for _ in range(size - 1):
        columns &= columns >> 8
    return columns.to_bytes(len(rows[0]), "little") if columns else b""
