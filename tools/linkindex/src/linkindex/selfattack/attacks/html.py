"""Faults in the built site, as a theme, a plugin or an extension may leave them."""

import json
import re
from collections.abc import Callable, Iterable

from linkindex.model import Equation, Place
from linkindex.selfattack.model import HTML, SITE, Attack, NotApplicable, Plan, Pristine, expect, first
from linkindex.selfattack.texts import line_at
from linkindex.verify.site import html_path

INDEX = f"{SITE}/link-index.json"
SEARCH = f"{SITE}/search/search_index.json"
GENERATED = f"{SITE}/equations/index.html"  # nobody writes this page, so its faults are reported in the HTML


def inserted(code: str, html: str) -> Callable[[Pristine], Plan]:
    """HTML on a line of its own at the end of a generated page."""

    def attack(project: Pristine) -> Plan:
        text = project.text(GENERATED)
        end = text.rindex("</body>")
        new = f"{text[:end]}\n{html}\n{text[end:]}"
        return Plan({GENERATED: new.encode()}, expect(code, GENERATED, line_at(text, end) + 1))

    return attack


def on_page(code: str, change: Callable[[str, Equation], str | None]) -> Callable[[Pristine], Plan]:
    """A change of a page with equations, reported at the equation's record."""

    def attack(project: Pristine) -> Plan:
        def plan(equation: Equation) -> Plan | None:
            path = f"{SITE}/{html_path(equation.page)}"
            new = change(project.text(path), equation)
            return new and Plan({path: new.encode()}, expect(code, equation.place.path, equation.place.line))

        return first(project.index.equations, plan, "no page shows an equation as expected")

    return attack


def lost_anchor(text: str, equation: Equation) -> str:
    return text.replace(f'id="{equation.anchor}"', 'id="planted"', 1)


def changed_formula(text: str, equation: Equation) -> str | None:
    """Another letter in the MathML of an equation."""
    start = text.index(f'id="{equation.anchor}"')
    letter = re.compile(r"<mi[^>]*>([^<&])</mi>").search(text, start)
    return letter and f"{text[:letter.start(1)]}?{text[letter.end(1):]}"


def removed_page(project: Pristine) -> Plan:
    equation = project.index.equations[0]
    return Plan({f"{SITE}/{html_path(equation.page)}": None}, expect("LI722", equation.place.path, equation.place.line))


def _linked_code(project: Pristine) -> Iterable[tuple[Equation, str, str, re.Match]]:
    """Equations with the source page of their code: its path, its HTML, and the mark of the code on its first line."""
    for equation in project.index.equations:
        span = project.resolution.links[equation.id][0].span
        path = f"{SITE}/source/{span.file}/index.html"
        text = project.text(path)
        mark = re.compile(r'<mark\b[^>]*\bdata-eq="([^"]*)"[^>]*>').search(text, text.index(f'id="L{span.line}"'))
        if mark and equation.id in mark[1].split():
            yield equation, path, text, mark


def _at_code(project: Pristine, equation: Equation) -> tuple[str, Place]:
    span = project.resolution.links[equation.id][0].span
    return expect("LI723", span.file, span.line)


def marked_other_code(project: Pristine) -> Plan:
    def plan(target: tuple[Equation, str, str, re.Match]) -> Plan:
        equation, path, text, mark = target
        new = f"{text[: mark.end()]}planted{text[mark.end() :]}"
        return Plan({path: new.encode()}, _at_code(project, equation))

    return first(_linked_code(project), plan, "no source page marks linked code")


def lost_mark(project: Pristine) -> Plan:
    def plan(target: tuple[Equation, str, str, re.Match]) -> Plan:
        equation, path, text, mark = target
        new = f"{text[: mark.start(1)]}planted{text[mark.end(1) :]}"
        return Plan({path: new.encode()}, _at_code(project, equation))

    return first(_linked_code(project), plan, "no source page marks linked code")


def broken_json(project: Pristine) -> Plan:
    return Plan({INDEX: b"planted" + project.data(INDEX)}, expect("LI721", INDEX, 1))


def no_json(project: Pristine) -> Plan:
    return Plan({INDEX: None}, expect("LI721", INDEX, 1))


def entry_lost(project: Pristine) -> Plan:
    document = json.loads(project.text(INDEX))
    lost = document["equations"].pop()["id"]
    equation = next(equation for equation in project.index.equations if equation.id == lost)
    return Plan({INDEX: json.dumps(document).encode()}, expect("LI721", equation.place.path, equation.place.line))


def key_of_another_kind(project: Pristine) -> Plan:
    document = json.loads(project.text(INDEX))
    document["equations"][0]["links"] = "planted"
    return Plan({INDEX: json.dumps(document).encode()}, expect("LI721", INDEX, 1))


def link_to_another_line(project: Pristine) -> Plan:
    document = json.loads(project.text(INDEX))
    link = document["equations"][0]["links"][0]
    link["url"] = link["url"].rpartition("#")[0] + "#L1"
    if link["line"] == 1:
        raise NotApplicable("the first linked code is in line 1")
    return Plan({INDEX: json.dumps(document).encode()}, expect("LI723", link["file"], link["line"]))


def raw_tex_in_the_search(project: Pristine) -> Plan:
    if not (project.root / SEARCH).is_file():
        raise NotApplicable("the site has no search")
    document = json.loads(project.text(SEARCH))
    document["docs"][0]["text"] += r" $\frac{1}{2}$"
    return Plan({SEARCH: json.dumps(document).encode()}, expect("LI714", SEARCH, 1))


def files_that_differ_in_case(project: Pristine) -> Plan:
    twin = f"{SITE}/EQUATIONS/index.html"
    if (project.root / twin).is_file():
        raise NotApplicable("this file system does not tell upper from lower case")
    return Plan({twin: project.data(GENERATED)}, expect("LI713", GENERATED, 1))


def font_of_another_host(project: Pristine) -> Plan:
    sheet = next((path for path in sorted((project.root / SITE).rglob("*.css"))), None)
    if sheet is None:
        raise NotApplicable("the site has no style sheet")
    path = sheet.relative_to(project.root).as_posix()
    new = b'@import "https://fonts.example/planted.css";\n' + project.data(path)
    return Plan({path: new}, expect("LI715", path, 1))


IMAGE = '<img alt="planted" src="{}">'
FORMULA = '<math display="block"><mi>x</mi></math>'

ATTACKS = (
    Attack("site: a dead link", HTML, inserted("LI710", '<a href="../planted/">planted</a>')),
    Attack("site: a dead anchor", HTML, inserted("LI711", '<a href="#planted">planted</a>')),
    Attack("site: an image that is missing", HTML, inserted("LI710", IMAGE.format("planted.png"))),
    Attack("site: ids that differ in case", HTML, inserted("LI712", '<i id="planted"></i><i id="Planted"></i>')),
    Attack("site: files that differ in case", HTML, files_that_differ_in_case),
    Attack("site: raw TeX", HTML, inserted("LI714", r"<p>planted $\frac{1}{2}$</p>")),
    Attack("site: raw TeX in the search", HTML, raw_tex_in_the_search),
    Attack("site: a request to another host", HTML, inserted("LI715", IMAGE.format("https://planted.example/x"))),
    Attack("site: a style sheet of another host", HTML, font_of_another_host),
    Attack("site: an inline script", HTML, inserted("LI716", "<script>planted()</script>")),
    Attack("site: an inline handler", HTML, inserted("LI716", '<p onclick="planted()">planted</p>')),
    Attack("site: an inline style", HTML, inserted("LI716", '<p style="color: red">planted</p>')),
    Attack("site: a displayed formula that is no equation", HTML, inserted("LI724", FORMULA)),
    Attack("site: the anchor of an equation lost", HTML, on_page("LI722", lost_anchor)),
    Attack("site: another formula than the record's", HTML, on_page("LI722", changed_formula)),
    Attack("site: a page lost", HTML, removed_page),
    Attack("site: marked code that is not the code", HTML, marked_other_code),
    Attack("site: code that is not marked", HTML, lost_mark),
    Attack("site: link-index.json damaged", HTML, broken_json),
    Attack("site: link-index.json missing", HTML, no_json),
    Attack("site: link-index.json without an equation", HTML, entry_lost),
    Attack("site: link-index.json with a key of another kind", HTML, key_of_another_kind),
    Attack("site: link-index.json with a link to another line", HTML, link_to_another_line),
)
