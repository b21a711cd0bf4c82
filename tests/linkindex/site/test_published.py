"""Which files beside the pages the site takes over."""

import pytest

from linkindex.site.pages import published

TEMPLATE = b'<svg xmlns="http://www.w3.org/2000/svg"><desc>{{ A[0] }}</desc></svg>'
PLAIN = b'<svg xmlns="http://www.w3.org/2000/svg"/>'


@pytest.mark.parametrize(("path", "text", "taken"), [
    ("figures/a.svg", TEMPLATE, False),                  # it is shown filled, on its page
    ("figures/deep/a.svg", TEMPLATE, False), ("figures/a.svg", PLAIN, True), ("assets/a.svg", TEMPLATE, True),
    ("figures/a.png", b"\x89PNG", True), ("drafts/a.png", b"\x89PNG", False),
    ("a.yml", b"", False), ("a.py", b"", False),
])  # fmt: skip
def test_a_file_is_published(tmp_path, path, text, taken):
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / path).write_bytes(text)
    assert [name for name, _ in published(tmp_path)] == [path] * taken
