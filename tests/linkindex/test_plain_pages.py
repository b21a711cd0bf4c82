"""Mathematics that is only shown: on pages without records all of it, on others what stands in sentences."""

import pytest
from linkindex.cli import main
from linkindex.site.build import check_site
from linkindex.load.config import read_config

from tests.linkindex.project import messages

PAGE, PLAIN = "docs/filter.md", "docs/index.md"
SENTENCES = r"""
With $d = 512$ it takes $O(T^2 d)$ steps for $x \in \mathbb{R}^{T \times d}$, where $q \le 2$ and $f(x) \to 0$.
"""
MATHEMATICS = r"""
A price of 5$ and $ 3$, where $\xi = \zeta$ and

$$\int_0^1 f(t)\, dt = 1$$

::: evidence-summary

::: listing kalman.filter.predict

::: package.module
    options:
      show_source: false
"""


def test_a_formula_in_a_sentence_is_at_most_a_warning(project, capsys):
    project.edit(PAGE, "and grows.\n", f"and grows.\n{SENTENCES}\nAlso $\\bar y$.\n")
    assert main(["check", "--fast", "--root", str(project.root)]) == 0
    out, err = capsys.readouterr()
    warned = [line for line in err.splitlines() if line.startswith("warning: ")]
    assert out == "" and len(warned) == 1  # a symbol that is like one of the notation
    assert f"{PAGE}:{project.line_of(PAGE, 'bar y')}:" in warned[0] and r"nearest in the notation: \bar x" in warned[0]


def test_a_page_without_records_shows_its_mathematics_and_our_directives(project):
    project.edit(PAGE, "and grows.\n", f"and grows.\n{SENTENCES}")
    project.write(PLAIN, project.read(PLAIN) + MATHEMATICS.replace("A price of 5$ and $ 3$, where", "Where"))
    assert project.check() == ()
    assert check_site(read_config(project.root))[1] == ()


def test_dollars_of_a_page_without_records_are_its_own(project):
    project.write(PLAIN, project.read(PLAIN) + MATHEMATICS)
    assert project.fast() == ()


@pytest.mark.parametrize("path", [PAGE, PLAIN])
def test_a_near_miss_of_a_directive_is_a_finding_on_every_page(project, path):
    project.write(path, project.read(path) + "\n::: equaton filter.gain\n")
    assert "nearest: equation" in messages(project.check(), "LI602")[0]


def test_a_dotted_name_is_left_to_others(project):
    project.write(PAGE, project.read(PAGE) + "\n::: kalman.filter\n    options:\n      heading_level: 2\n")
    assert project.check() == ()
    check_site(read_config(project.root))
    assert "::: kalman.filter\n    options:" in project.read("build/docs/filter.md")
