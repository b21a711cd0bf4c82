"""A site that asks for the reference has it."""

from linkindex.load.config import read_config
from linkindex.site.build import build_site


def test_a_page_that_asks_for_the_reference_is_built_without_findings(project):
    project.write("docs/reference.md", "# Reference\n\n::: reference\n")
    assert build_site(read_config(project.root), project.root / "site") == ()
    assert 'id="LI119"' in project.read("site/reference/index.html")
