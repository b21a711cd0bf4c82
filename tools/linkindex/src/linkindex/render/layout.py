"""A layered drawing of a directed graph: used nodes above those that use them, few crossings, the same every time.

Nodes get layers, then an order within each layer, then positions. An edge that passes layers is led through a lane
in each of them; edges from one node share their lanes.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

WIDEST = 4                                               # nodes in one layer
ROUNDS = 12                                              # of ordering, and of moving

Point = tuple[int, int]
Lane = tuple[str, int]                                   # a node, or its lane in a lower layer


@dataclass(frozen=True)
class Sizes:
    """In pixels: a node's box, the gaps between boxes and between layers, and the width of a lane."""

    width: int = 164
    height: int = 64
    gap: int = 14
    between: int = 46
    lane: int = 4


@dataclass(frozen=True)
class Edge:
    """From the node that is used, down to the one that uses it; ``points``: bottom of one, lanes, top of the other."""

    used: str
    user: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Drawing:
    width: int
    height: int
    places: Mapping[str, Point]                          # upper left corner of each node
    edges: tuple[Edge, ...]


def layered(uses: Mapping[str, Sequence[str]], sizes: Sizes = Sizes()) -> Drawing:
    """The drawing of a graph given as node -> nodes that it uses."""
    downward = _without_cycles(uses)
    layer = _layers(downward)
    rows, links = _with_lanes(downward, layer)
    rows = _ordered(rows, links)
    x = _positions(rows, links, layer, sizes)
    left = min((x[item] - _width(item, layer, sizes) / 2 for row in rows for item in row), default=0)
    right = max((x[item] + _width(item, layer, sizes) / 2 for row in rows for item in row), default=0)
    step = sizes.height + sizes.between

    def centre(item: Lane) -> int:
        return round(x[item] - left)

    def path(used: str, user: str) -> tuple[Point, ...]:
        points = [(centre((used, layer[used])), layer[used] * step + sizes.height)]
        for level in range(layer[used] + 1, layer[user]):
            at = centre((used, level))
            points += [(at, level * step), (at, level * step + sizes.height)]
        return (*points, (centre((user, layer[user])), layer[user] * step))

    places = {node: (centre((node, level)) - sizes.width // 2, level * step) for node, level in layer.items()}
    edges = []
    for user, all_used in downward.items():
        for used in all_used:
            points = path(used, user)
            edges += [Edge(used, user, points)] if used in uses[user] else []
            edges += [Edge(user, used, points[::-1])] if user in uses[used] else []
    return Drawing(round(right - left), max(layer.values(), default=0) * step + sizes.height, places, tuple(edges))


def _without_cycles(uses: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """The graph with every edge that closes a cycle turned round."""
    result: dict[str, list[str]] = {node: [] for node in uses}
    finished: set[str] = set()

    def walk(node: str, above: tuple[str, ...]) -> None:
        for used in uses[node]:
            user, of = (used, node) if used in above else (node, used)
            if of not in result[user]:
                result[user].append(of)
            if used not in above and used not in finished:
                walk(used, (*above, node))
        finished.add(node)

    for node in uses:
        if node not in finished:
            walk(node, ())
    return {node: tuple(used) for node, used in result.items()}


def _layers(uses: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Each node below all that it uses, at most ``WIDEST`` in a layer; what uses nothing stands close to its users."""
    layer: dict[str, int] = {}
    count: dict[int, int] = {}

    def place(node: str) -> None:
        if node in layer:
            return
        for used in uses[node]:
            place(used)
        level = max((layer[used] + 1 for used in uses[node]), default=0)
        while count.get(level, 0) >= WIDEST:
            level += 1
        layer[node] = level
        count[level] = count.get(level, 0) + 1

    for node in uses:
        place(node)
    for node in uses:
        users = [layer[user] for user, used in uses.items() if node in used]
        for level in range(min(users, default=0) - 1, layer[node], -1) if not uses[node] else ():
            if count.get(level, 0) < WIDEST:
                count[layer[node]] -= 1
                layer[node] = level
                count[level] = count.get(level, 0) + 1
                break
    used_levels = {level: rank for rank, level in enumerate(sorted(set(layer.values())))}
    return {node: used_levels[level] for node, level in layer.items()}


def _with_lanes(
    uses: Mapping[str, Sequence[str]], layer: Mapping[str, int]
) -> tuple[list[list[Lane]], list[tuple[Lane, Lane]]]:
    """Layers of nodes and lanes, and the pairs of them that are joined from one layer to the next."""
    rows: list[list[Lane]] = [[] for _ in range(max(layer.values(), default=-1) + 1)]
    for node, level in layer.items():
        rows[level].append((node, level))
    links: dict[tuple[Lane, Lane], None] = {}
    for user, all_used in uses.items():
        for used in all_used:
            for level in range(layer[used] + 1, layer[user]):
                links[(used, level - 1), (used, level)] = None
                if (used, level) not in rows[level]:
                    rows[level].append((used, level))
            links[(used, layer[user] - 1), (user, layer[user])] = None
    return rows, list(links)


def _ordered(rows: list[list[Lane]], links: Iterable[tuple[Lane, Lane]]) -> list[list[Lane]]:
    """The order with the fewest crossings of those that sorting by neighbours finds, down and up in turn."""
    links = list(links)
    above, below = _neighbours(links)
    best, fewest = rows, _crossings(rows, links)
    for turn in range(ROUNDS):
        near, sequence = (above, range(1, len(rows))) if turn % 2 == 0 else (below, range(len(rows) - 2, -1, -1))
        rows = list(rows)
        for level in sequence:
            beside = {item: place for row in rows for place, item in enumerate(row)}
            own = {item: place for place, item in enumerate(rows[level])}
            rows[level] = sorted(
                rows[level],
                key=lambda item: (_mean([beside[other] for other in near.get(item, ())], own[item]), own[item]),
            )
        crossings = _crossings(rows, links)
        if crossings < fewest:
            best, fewest = rows, crossings
    return best


def _neighbours(links: Iterable[tuple[Lane, Lane]]) -> tuple[dict[Lane, list[Lane]], dict[Lane, list[Lane]]]:
    above: dict[Lane, list[Lane]] = {}
    below: dict[Lane, list[Lane]] = {}
    for upper, lower in links:
        above.setdefault(lower, []).append(upper)
        below.setdefault(upper, []).append(lower)
    return above, below


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _crossings(rows: list[list[Lane]], links: Sequence[tuple[Lane, Lane]]) -> int:
    place = {item: (level, position) for level, row in enumerate(rows) for position, item in enumerate(row)}
    by_level: dict[int, list[tuple[int, int]]] = {}
    for upper, lower in links:
        by_level.setdefault(place[upper][0], []).append((place[upper][1], place[lower][1]))
    return sum(
        (a[0] - b[0]) * (a[1] - b[1]) < 0
        for pairs in by_level.values() for i, a in enumerate(pairs) for b in pairs[:i]
    )


def _positions(
    rows: list[list[Lane]], links: Iterable[tuple[Lane, Lane]], layer: Mapping[str, int], sizes: Sizes
) -> dict[Lane, float]:
    """The centre of each item: near its neighbours, in order, in a drawing no wider than its fullest layer."""
    packed = [_packed(row, layer, sizes) for row in rows]
    middle = max((row[-1] for row in packed if row), default=0) / 2
    limits = {
        item: (at - middle, at + middle - places[-1])
        for row, places in zip(rows, packed, strict=True)
        for item, at in zip(row, places, strict=True)
    }
    above, below = _neighbours(links)
    x = {item: (low + high) / 2 for item, (low, high) in limits.items()}
    for turn in range(ROUNDS):
        near, order = (above, rows) if turn % 2 == 0 else (below, rows[::-1])
        for row in order:
            wanted = [_mean([x[other] for other in near.get(item, ())], x[item]) for item in row]
            within = [min(max(want, limits[item][0]), limits[item][1]) for item, want in zip(row, wanted, strict=True)]
            x |= zip(row, _spread(within, _packed(row, layer, sizes)), strict=True)
    return x


def _packed(row: Sequence[Lane], layer: Mapping[str, int], sizes: Sizes) -> list[float]:
    """The centres of a layer's items when they stand as close together as they may, from 0."""
    places = [0.0]
    for before, item in zip(row, row[1:]):
        places.append(places[-1] + (_width(before, layer, sizes) + _width(item, layer, sizes)) / 2 + sizes.gap)
    return places[: len(row)]


def _spread(wanted: Sequence[float], packed: Sequence[float]) -> list[float]:
    """As close to what is wanted as the distances allow: the mean of pushing to the right and pushing to the left."""
    slack = [want - place for want, place in zip(wanted, packed, strict=True)]  # equal slack: packed; never falling
    right = list(accumulate(slack, max))
    left = list(accumulate(slack[::-1], min))[::-1]
    return [place + (a + b) / 2 for place, a, b in zip(packed, right, left, strict=True)]


def _width(item: Lane, layer: Mapping[str, int], sizes: Sizes) -> int:
    node, level = item
    return sizes.width if layer[node] == level else sizes.lane
