# _overlap.py: do elements of arrays lie at the same addresses?
# SPDX-License-Identifier: BSD-3-Clause
"""Whether two arrays share memory, and whether elements of one array do.

Both are questions about whole numbers: is a distance a sum of steps, each taken a number of times
between two bounds? The search goes from the longest step to the shortest. What the shorter ones can
still reach leaves one or two numbers for each, because views of one array have nested steps. Where
they are not nested and the search gets long, the answer is yes: then the arrays may overlap.
"""
from __future__ import annotations

from typing import Dict, List, Sequence, Tuple

_MOST_TRIES = 10000  # views of one array need some 2 ** dimensions


def _reachable(distance: int, terms: Sequence[Tuple[int, int, int]], not_by_nothing: bool) -> bool:
    """Whether distance is a sum of step * x with low <= x <= high over terms (step, low, high),
    step above 0. not_by_nothing: with some x that is not 0."""
    order = sorted(terms, reverse=True)
    low, high = [0], [0]  # what the last terms reach
    for step, least, most in reversed(order):
        low.insert(0, low[0] + step * least)
        high.insert(0, high[0] + step * most)
    tries = 0
    stack: List[Tuple[int, int, bool]] = [(0, distance, False)]
    while stack:
        at, left, moved = stack.pop()
        tries += 1
        if tries > _MOST_TRIES:
            return True
        if at == len(order):
            if moved or not not_by_nothing:
                return True
            continue
        step, least, most = order[at]
        first = max(least, -((high[at + 1] - left) // step))
        last = min(most, (left - low[at + 1]) // step)
        if last - first > _MOST_TRIES:
            return True
        stack.extend((at + 1, left - step * x, moved or x != 0) for x in range(first, last + 1))
    return False


def overlaps_itself(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether two elements of an array lie at one address."""
    if len(shape) == 1:
        return strides[0] == 0 and shape[0] > 1
    if 0 in shape:
        return False
    dims = sorted((abs(step), n) for n, step in zip(shape, strides) if n > 1)
    reach = 0
    for step, n in dims:
        if step <= reach:
            break
        reach += (n - 1) * step
    else:
        return False  # each step is longer than all that the shorter ones reach
    return dims[0][0] == 0 or _reachable(0, [(step, 1 - n, n - 1) for step, n in dims], True)


# Address, bytes of an element, shape, strides.
Place = Tuple[int, int, Sequence[int], Sequence[int]]


def _ends(place: Place) -> Tuple[int, int]:
    """The first byte of an array, and the one behind its last."""
    low, size, shape, strides = place
    high = low + size
    for n, stride in zip(shape, strides):
        reach = (n - 1) * stride * size
        if reach < 0:
            low += reach
        else:
            high += reach
    return low, high


def share_memory(a: Place, b: Place) -> bool:
    """Whether two arrays have a byte in common."""
    if 0 in a[2] or 0 in b[2]:
        return False
    (of_a, behind_a), (of_b, behind_b) = _ends(a), _ends(b)
    if behind_a <= of_b or behind_b <= of_a:
        return False
    bounds: Dict[int, Tuple[int, int]] = {1: (1 - b[1], a[1] - 1)}  # bytes inside of an element
    for (_, size, shape, strides), sign in ((a, 1), (b, -1)):
        for n, stride in zip(shape, strides):
            step, most = abs(stride) * size, (n - 1) * (sign if stride > 0 else -sign)
            if step and most:
                low, high = bounds.get(step, (0, 0))
                bounds[step] = (low + min(most, 0), high + max(most, 0))
    return _reachable(b[0] - a[0], [(step, *ends) for step, ends in bounds.items()], False)
