"""The copy of the site that is read as files, without a server."""

import pytest

from linkindex.site.offline import file_address, make_offline
from linkindex.verify.html import parse


@pytest.fixture(scope="module")
def offline(site, tmp_path_factory):
    target = tmp_path_factory.mktemp("offline") / "site"
    make_offline(site, target)
    return target


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("../attention/#eq-attention-scores", "../attention/index.html#eq-attention-scores"),
        ("..", "../index.html"),
        (".", "./index.html"),
        ("../source/transformer/attention.py/#L31", "../source/transformer/attention.py/index.html#L31"),
        ("../assets/linkindex/theme.css", "../assets/linkindex/theme.css"),
        ("#scores", "#scores"),
        ("https://arxiv.org/abs/1706.03762", "https://arxiv.org/abs/1706.03762"),
    ],
)
def test_addresses_of_folders_become_addresses_of_files(address, expected):
    assert file_address(address) == expected


def test_every_link_of_every_page_leads_to_a_file_and_an_anchor(offline):
    pages = {path: parse(path.read_text(encoding="utf-8")) for path in offline.rglob("*.html")}
    anchors = {path: {element.attributes.get("id") for element in root.walk()} for path, root in pages.items()}
    followed = 0
    for path, root in pages.items():
        for element in root.walk():
            address = element.attributes.get("href") or element.attributes.get("src") or ""
            if not address or ":" in address:
                continue
            name, _, anchor = address.partition("#")
            target = (path.parent / name).resolve() if name else path
            assert target.is_file(), f"{path.relative_to(offline)}: {address}"
            if anchor and target in anchors:
                assert anchor in anchors[target], f"{path.relative_to(offline)}: {address}"
            followed += 1
    assert followed > 1000


def test_the_pages_work_from_files_without_an_error(offline, chromium):
    page = chromium.new_page()
    faults = []
    page.on("console", lambda message: faults.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("requestfailed", lambda request: faults.append(request.url))
    page.goto((offline / "index.html").as_uri())
    page.get_by_role("link", name="Attention", exact=True).first.click()
    page.wait_for_load_state("load")
    assert page.url.endswith("/attention/index.html")
    assert page.locator("math").count() > 100
    assert page.evaluate("document.fonts.ready.then(() => [...document.fonts].map(font => font.status))") == ["loaded"]
    assert not page.locator(".md-search").is_visible()
    assert faults == []
    page.close()
