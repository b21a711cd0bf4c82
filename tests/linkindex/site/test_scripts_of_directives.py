"""What directives ask a page to load is part of the built site, and the site is still found to be good."""

import sys

import linkindex.directives
from linkindex.load.config import read_config
from linkindex.site.build import build_site

LAB = '''
from linkindex.directives import Drawn, directive


@directive()
def lab(context, options):
    """A place that a script fills."""
    return Drawn('<p class="lab"></p>', scripts=("assets/lab.js",), data={"gain": [0.5, -1]})
'''


def test_a_built_page_loads_the_data_and_the_script_once_each(project, tmp_path, monkeypatch):
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "lab.py").write_text(LAB, encoding="utf-8")
    monkeypatch.setattr(linkindex.directives, "__path__", [*linkindex.directives.__path__, str(tmp_path / "more")])
    project.write("docs/assets/lab.js", "document.querySelector('.lab').textContent = linkindexData.gain;\n")
    project.edit("docs/filter.md", "## Update {#update}", "::: lab\n\n::: lab\n\n## Update {#update}")
    try:
        assert build_site(read_config(project.root), project.root / "site") == ()
    finally:
        sys.modules.pop("linkindex.directives.lab", None)
    page = project.read("site/filter/index.html")
    data = '<script defer src="../assets/linkindex/data/filter/gain.js">'
    script = '<script defer src="../assets/lab.js">'
    assert page.count(data) == page.count(script) == 1 and page.index(data) < page.index(script)
    assert project.read("site/assets/linkindex/data/filter/gain.js").endswith('["gain"] = [0.5,-1];\n')
    assert (project.root / "site/assets/lab.js").is_file()
