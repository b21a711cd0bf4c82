"""The last edits of a page: no inline code is left, and nothing else changes."""

import re

from linkindex.site.finish import FONT, base_of, finish
from linkindex.site.inline import class_sheet
from linkindex.site.tags import Edit, apply, tags


def page(body: str, head: str = "") -> str:
    return f"<!doctype html>\n<html lang=en><head><title>x</title>{head}</head>\n<body>{body}</body></html>\n"


def test_a_page_without_inline_code_stays_as_it_is_byte_for_byte():
    html = page("<P Class=a>&lt;b&gt; &nbsp;<br/>\r\n<!-- <script>x</script> -->é <svg viewBox='0 0 1 1'/></P>")
    assert finish(html, "../").html == html


def test_an_inline_script_becomes_a_file_at_the_same_position():
    html = page("<p>before</p><script>if (a < b && c) { d('</p>') }</script><p>after</p>")
    result = finish(html, "../")
    (path,) = result.files
    assert result.files[path] == "if (a < b && c) { d('</p>') }\n"
    assert f'<p>before</p><script src="../{path}"></script><p>after</p>' in result.html


def test_equal_scripts_of_two_pages_share_a_file_and_the_address_fits_the_page():
    html = page("<script>one()</script>")
    top, deep = finish(html, ""), finish(html, "../../")
    assert top.files == deep.files
    assert 'src="assets/' in top.html and 'src="../../assets/' in deep.html


def test_data_and_scripts_that_are_files_stay():
    html = page('<script src="a.js" defer></script><script type="application/json">{"a": "<b>"}</script>')
    assert finish(html, "").html == html


def test_an_inline_style_sheet_becomes_a_file():
    result = finish(page("", head="<style media=print>p > a { color: red }</style>"), "../")
    (path,) = result.files
    assert result.files[path] == "p > a { color: red }\n"
    assert f'<link rel="stylesheet" href="../{path}" media="print">' in result.html


def test_a_style_attribute_becomes_a_class_beside_the_others():
    result = finish(page('<td class="cell" style="color: red" title="a &amp; b">x</td><mtd style="color: red"/>'), "")
    (name,) = result.classes
    assert f'<td class="cell {name}" title="a &amp; b">x</td><mtd class="{name}"/>' in result.html
    ((sheet, rules),) = class_sheet(result.classes)
    assert rules == f".{name}.{name}{{color: red}}\n"
    assert f'href="{sheet}"' in result.html


def test_the_search_dialog_gets_a_name_and_one_that_has_a_name_keeps_it():
    html = page('<div class="s" role="dialog"></div><div role="dialog" aria-label="Other"></div>')
    assert re.findall('aria-label="(.*?)"', finish(html, "").html) == ["Search", "Other"]


def test_the_mathematics_font_is_loaded_early_only_where_there_is_mathematics():
    assert f'rel="preload" href="../{FONT}"' in finish(page("<math><mi>x</mi></math>"), "../").html
    assert "preload" not in finish(page("<p>x</p>"), "../").html


def test_the_way_back_to_the_root():
    urls = ["", "./", "attention/", "source/a/b.py/", "404.html"]
    assert [base_of(url) for url in urls] == ["", "", "../", "../../../", ""]


def test_tags_are_found_at_their_characters_after_text_outside_of_the_basic_plane():
    html = "<p>𝐖\n😀<b class='x'>é</b>"
    start = html.index("<b")
    assert [(tag.name, tag.start, html[tag.start : tag.end]) for tag in tags(html)][1] == ("b", start, "<b class='x'>")


def test_edits_are_made_in_the_order_of_their_places():
    assert apply("abc", [Edit(2, 3, "C"), Edit(0, 1, "A"), Edit(1, 1, "-")]) == "A-bC"


def test_the_permalink_of_a_heading_is_no_tab_stop_beside_a_table_of_contents():
    heading = '<h2 id="a">A<a class="headerlink" href="#a" title="Link">#</a></h2>'
    contents = '<nav class="md-nav md-nav--secondary"><a class="md-nav__link" href="#a">A</a></nav>'
    both = finish(page(contents + heading), "").html
    assert '<a class="headerlink" href="#a" title="Link" tabindex="-1">#</a>' in both
    assert 'md-nav__link" href="#a">A</a>' in both
    assert finish(page(heading), "").html == page(heading)
