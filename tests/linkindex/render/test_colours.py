"""Colours of the style sheets: text on every ground that it stands on is readable, in both schemes."""

import re
from pathlib import Path

import pytest

from linkindex import site

ASSETS = Path(site.__file__).parent / "assets"
THEME, COMPONENTS = ((ASSETS / name).read_text(encoding="utf-8") for name in ("theme.css", "components.css"))
SCHEMES = ["default", "slate"]
ON = [  # text, ground
    ("ink", "paper"), ("ink", "soft"), ("ink", "value-ground"), ("quiet", "paper"), ("quiet", "soft"),
    ("value", "paper"), ("value", "soft"), ("value", "value-ground"),
    ("model", "paper"), ("model", "model-ground"), ("ink", "model-ground"),
    ("quiet", "model-ground"), ("wrong", "paper"), ("wrong", "wrong-ground"), ("bad", "paper"), ("bad", "bad-ground"),
    ("ink", "bad-ground"),
]  # fmt: skip


def variables(scheme):
    """The colours of a scheme, by name, as three numbers."""
    rules = re.search(rf'\[data-md-color-scheme="{scheme}"\] \{{(.*?)\}}', THEME, re.DOTALL)[1]
    return {name: rgb(text.strip()) for name, text in re.findall(r"--lx-([a-z-]+): ([^;]+);", rules)}


def rgb(text):
    if text.startswith("#"):
        digits = text[1:] if len(text) == 7 else "".join(2 * digit for digit in text[1:])
        return tuple(int(digits[n : n + 2], 16) for n in (0, 2, 4))
    return tuple(map(int, text.split()))


def luminance(colour):
    parts = [c / 255 for c in colour]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear))


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def over(share, colour, ground):
    return tuple(share * c + (1 - share) * g for c, g in zip(colour, ground))


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("hue", ["plus", "minus"])
@pytest.mark.parametrize("level", range(1, 9))
def test_a_number_on_a_coloured_cell_is_readable(scheme, hue, level):
    first, step = re.search(r"var\(--lx-hue\) / calc\(([.\d]+) \+ var\(--lx-level\) \* ([.\d]+)\)", COMPONENTS).groups()
    colours = variables(scheme)
    cell = over(float(first) + level * float(step), colours[hue], colours["paper"])
    assert contrast(cell, colours["ink"]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("text", "ground"), ON)
def test_text_is_readable_on_its_ground(scheme, text, ground):
    colours = variables(scheme)
    assert contrast(colours[text], colours[ground]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("edge", ["edge", "wrong-edge", "value"])
def test_an_edge_that_says_something_can_be_seen(scheme, edge):
    colours = variables(scheme)
    assert contrast(colours[edge], colours["paper"]) >= 3


@pytest.mark.parametrize("scheme", SCHEMES)
def test_code_is_readable_on_a_line_that_is_linked(scheme):
    share = re.search(r"\.lx-line--linked \{ background: rgb\(var\(--lx-plus\) / ([.\d]+)\)", COMPONENTS)[1]
    colours = variables(scheme)
    ground = over(float(share), colours["plus"], colours["soft"])
    assert all(contrast(colours[text], ground) >= 4.5 for text in ("ink", "quiet", "value"))


def test_both_schemes_have_the_same_colours():
    assert variables("default").keys() == variables("slate").keys()
