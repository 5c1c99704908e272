"""The scores of a match as a drawing and as a table: a line for each seat, told apart by dashes, shapes and labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10
from typing import Final

from fairdeal.html.markup import Html, element, isolated, joined, name_of, table

WIDTH: Final = 760
HEIGHT: Final = 320
_LEFT: Final = 46
_RIGHT: Final = 566
_TOP: Final = 14
_BOTTOM: Final = 284
_LINE_HEIGHT: Final = 17  # of the labels at the end of the lines
_LABEL_LENGTH: Final = 14
_MOST_MARKERS: Final = 40  # rounds up to which every one is marked
_DASHES: Final = (None, "8 4", "2 4", "12 4 2 4", "5 2", "1 3", "14 3", "6 3 1 3 1 3")
# shapes around 0,0: circle, square, triangle up, diamond, triangle down, plus, cross, star
_SHAPES: Final = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "M-4 -4h8v8h-8z",
    "M0 -5L5 4H-5z",
    "M0 -5.5L5.5 0L0 5.5L-5.5 0z",
    "M0 5L5 -4H-5z",
    "M-1.5 -5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z",
    "M-5 -3L-3 -5L0 -2L3 -5L5 -3L2 0L5 3L3 5L0 2L-3 5L-5 3L-2 0z",
    "M0 -6L1.6 -1.6L6 0L1.6 1.6L0 6L-1.6 1.6L-6 0L-1.6 -1.6z",
)


def score_chart(names: Sequence[str], totals: Sequence[Sequence[int]]) -> Html:
    """Return the drawing of all seats' totals: `totals` has a row by seat for the start and after each round."""
    scale = _Scale(totals)
    drawn = [*_grid(scale)]
    ends = _spread([scale.y(total) for total in totals[-1]])
    for seat, name in enumerate(names):
        drawn.append(_line(seat, [row[seat] for row in totals], scale))
        drawn += _label(seat, name, totals[-1][seat], scale.y(totals[-1][seat]), ends[seat])
    last = ", ".join(f"{isolated(name)} {total}" for name, total in zip(names, totals[-1], strict=True))
    title = element(
        "title", f"Totals after each of {len(totals) - 1} rounds; at the end {last}. The table has them all."
    )
    return element("svg", title, *drawn, class_="chart", viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img")


def score_table(names: Sequence[str], totals: Sequence[Sequence[int]], numbers: Sequence[int]) -> Html:
    """Return the same totals as a table, a row for the start and for each round by its number."""
    heads = ["round", *(joined((f"seat {seat} ", name_of(name))) for seat, name in enumerate(names))]
    lines = [[label, *row] for label, row in zip(("start", *numbers), totals, strict=True)]
    return table(heads, lines, range(1, len(heads)))


def sample(seat: int) -> Html:
    """Return the line of a seat as a small drawing, for the list of who is who."""
    line = element("path", d="M0 8H40", class_=f"line line{seat}", stroke_dasharray=_DASHES[seat])
    marker = element("path", d=_SHAPES[seat], class_=f"marker line{seat}", transform="translate(20 8)")
    return element("svg", line, marker, class_="sample", viewBox="0 0 40 16", aria_hidden="true")


class _Scale:
    """From rounds and totals to places in the drawing."""

    def __init__(self, totals: Sequence[Sequence[int]]) -> None:
        self.rounds = len(totals) - 1
        lowest, highest = min(map(min, totals)), max(map(max, totals))
        self.step = _nice(max(highest - lowest, 1) / 5)
        self.low = floor(lowest / self.step) * self.step
        self.high = max(ceil(highest / self.step) * self.step, self.low + self.step)

    def x(self, number: int) -> float:
        """Return where a round stands, 0 for the start."""
        return round(_LEFT + (_RIGHT - _LEFT) * number / max(self.rounds, 1), 1)

    def y(self, total: float) -> float:
        """Return how high a total stands."""
        return round(_BOTTOM - (_BOTTOM - _TOP) * (total - self.low) / (self.high - self.low), 1)


def _nice(rough: float) -> int:
    """Return the smallest of 1, 2, 5, 10, 20 … that is not below `rough`."""
    power = 10 ** max(floor(log10(rough)), 0) if rough > 0 else 1
    return next(int(power * factor) for factor in (1, 2, 5, 10) if power * factor >= rough)


def _grid(scale: _Scale) -> Iterator[Html]:
    for total in range(scale.low, scale.high + 1, scale.step):
        y = scale.y(total)
        yield element("line", x1=_LEFT, x2=_RIGHT, y1=y, y2=y, class_="zero" if total == 0 else "grid")
        yield element("text", total, x=_LEFT - 8, y=y + 4, text_anchor="end")
    every = _nice(scale.rounds / 10)
    for number in range(0, scale.rounds + 1, every):
        yield element("text", number or "start", x=scale.x(number), y=_BOTTOM + 20, text_anchor="middle")
    yield element("text", "after round", x=(_LEFT + _RIGHT) / 2, y=HEIGHT - 2, text_anchor="middle")


def _line(seat: int, totals: Sequence[int], scale: _Scale) -> Html:
    places = [(scale.x(number), scale.y(total)) for number, total in enumerate(totals)]
    points = " ".join(f"{x:g},{y:g}" for x, y in places)
    line = element("polyline", points=points, class_=f"line line{seat}", stroke_dasharray=_DASHES[seat])
    marked = places if len(places) <= _MOST_MARKERS else places[-1:]
    markers = (
        element("path", d=_SHAPES[seat], class_=f"marker line{seat}", transform=f"translate({x:g} {y:g})")
        for x, y in marked
    )
    return element("g", line, *markers)


def _label(seat: int, name: str, total: int, y: float, at: float) -> Iterator[Html]:
    """Yield a seat's label right of its line's end, and what leads to it."""
    shown = name if len(name) <= _LABEL_LENGTH else name[: _LABEL_LENGTH - 1].rstrip() + "…"
    yield element("path", d=f"M{_RIGHT + 8} {y:g}L{_RIGHT + 24} {at:g}", class_="leader")
    yield element("path", d=_SHAPES[seat], class_=f"marker line{seat}", transform=f"translate({_RIGHT + 32} {at:g})")
    yield element("text", isolated(shown), f"\u2002{total}", x=_RIGHT + 44, y=f"{at + 4.5:g}", class_="label")


def _spread(wanted: Sequence[float]) -> list[float]:
    """Return places for the labels: near the ones wanted, in their order, none over another or outside."""
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    places = [0.0] * len(wanted)
    lowest = float(_TOP)
    for seat in order:
        places[seat] = lowest = max(wanted[seat], lowest)
        lowest += _LINE_HEIGHT
    highest = float(_BOTTOM)
    for seat in reversed(order):
        places[seat] = highest = min(places[seat], highest)
        highest -= _LINE_HEIGHT
    return places
