"""Rectangles and transformations on a page, in points, as a PDF counts: upwards from the lower left corner."""

from typing import Final

Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""

Matrix = tuple[float, float, float, float, float, float]
UNIT: Final[Matrix] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def times(inner: Matrix, outer: Matrix) -> Matrix:
    """First `inner`, then `outer`."""
    if outer is UNIT:
        return inner
    a, b, c, d, e, f = inner
    k, l, m, n, o, p = outer  # noqa: E741
    return (a * k + b * m, a * l + b * n, c * k + d * m, c * l + d * n, e * k + f * m + o, e * l + f * n + p)


def moved(box: Box, by: Matrix) -> Box:
    """The upright rectangle around what becomes of `box`."""
    if by is UNIT:
        return box
    a, b, c, d, e, f = by
    if not b and not c and a > 0 < d:
        return (box[0] * a + e, box[1] * d + f, box[2] * a + e, box[3] * d + f)
    corners = [(x * a + y * c + e, x * b + y * d + f) for x in (box[0], box[2]) for y in (box[1], box[3])]
    across, up = [x for x, _ in corners], [y for _, y in corners]
    return (min(across), min(up), max(across), max(up))


def common(one: Box, other: Box) -> Box:
    """What both cover; of no area where they do not meet."""
    return (max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3]))


def area(box: Box) -> float:
    """Square points, 0 for what is none."""
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])
