"""Grids, cells and jobs.

A grid is a list of products of axes, written {axis: values}; a cell is one point of it; a job is
the set of cells that agree on the experiment's `split` axes. Values have been typed by the
experiment's schema before they come here, and are kept sorted, so that their order in the
configuration means nothing.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from deeplimits import rng
from deeplimits.digest import canonical, key

Value = float | int | str | bool
Product = Mapping[str, Sequence[Value]]
Point = dict[str, Value]


@dataclass(frozen=True)
class Job:
    """The cells of one simulation job, as products; `name` is derived from its split values."""

    name: str
    products: tuple[Product, ...]


def ordered(products: Iterable[Product]) -> list[dict[str, list[Value]]]:
    """The same grid with sorted values and products: one form for every order of writing."""
    sorted_values = [{a: sorted(p[a]) for a in sorted(p)} for p in products]
    return sorted(sorted_values, key=canonical)


def size(products: Iterable[Product]) -> int:
    """Number of cells."""
    return sum(math.prod(len(values) for values in product.values()) for product in products)


def cells(products: Iterable[Product]) -> Iterator[Point]:
    """All cells, one dictionary {axis: value} each."""
    for product in products:
        for values in itertools.product(*product.values()):
            yield dict(zip(product, values, strict=True))


def overlap(products: Sequence[Product]) -> Point | None:
    """A cell that two of the products share, or None.

    The time grows with the number of values in the products, not with the number of their pairs.
    """
    return _shared(products, list(products[0]))


def _shared(products: Sequence[Product], axes: Sequence[str]) -> Point | None:
    """A point of the given axes that two of the products share."""
    if len(products) < 2:
        return None
    if not axes:
        return {}
    having: dict[Value, list[int]] = {}
    for index, product in enumerate(products):
        for value in product[axes[0]]:
            having.setdefault(value, []).append(index)
    # Values that the same products have need one look.
    groups = {tuple(indices): value for value, indices in sorted(having.items(), reverse=True)}
    for indices, value in groups.items():
        rest = _shared([products[index] for index in indices], axes[1:])
        if rest is not None:
            return {axes[0]: value, **rest}
    return None


def jobs(products: Iterable[Product], split: Sequence[str]) -> list[Job]:
    """The grid cut along the `split` axes; one job where there are none."""
    parts: dict[str, tuple[Point, list[Product]]] = {}
    for product in products:
        for fixed in cells([{axis: product[axis] for axis in sorted(split)}]):
            part = {**product, **{axis: [value] for axis, value in fixed.items()}}
            parts.setdefault(canonical(fixed), (fixed, []))[1].append(part)
    return [Job(key(fixed)[:12], tuple(ordered(part))) for fixed, part in parts.values()]


def seed(root: int, experiment: str, cell: Point, paired: Sequence[str]) -> np.random.SeedSequence:
    """The cell's seed: of its own identity, without the axes along which cells share draws."""
    own = {axis: value for axis, value in cell.items() if axis not in paired}
    return np.random.SeedSequence(rng.derive(root, experiment, own))
