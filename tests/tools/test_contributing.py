"""What CONTRIBUTING.md names is there: files, functions, findings, commands and links."""

import ast
import importlib.util
import re
import shlex
from pathlib import Path

import pytest
from linkindex.cli import main as linkindex

from transformer.command_line.options import parser as transformer_parser

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
COMMANDS = ("linkindex", "python3", "python")
PATH = re.compile(r"\.?[\w-]+(/[\w.-]+)+|[\w.-]+\.(py|md|yml|toml|lock)")


def code(text):
    """Everything between backticks, and the lines of the blocks of code."""
    blocks = re.findall(r"```\n(.*?)```", text, re.DOTALL)
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"```\n.*?```", "", text, flags=re.DOTALL))
    return [*spans, *(line for block in blocks for line in block.splitlines())]


def commands(text):
    return [shlex.split(piece) for piece in code(text) if piece.split()[0] in COMMANDS and " " in piece]


def paths(text):
    """The files, folders and ``file::name`` that a page names, alone or in a command that reads them."""
    alone = [piece for piece in code(text) if " " not in piece]
    read = [word for command in commands(text) if command[:1] == ["python3"] for word in command[1:]]
    return [piece for piece in (*alone, *read) if PATH.fullmatch(piece.partition("::")[0])]


def definitions(path):
    """The names that a module binds at its top level: functions, classes and variables."""
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        for target in getattr(node, "targets", [getattr(node, "target", None)]):
            names.update(part.id for part in ast.walk(target or ast.Module([], [])) if isinstance(part, ast.Name))
    return names


def is_there(named):
    """Whether ``file``, ``folder`` or ``file::name`` is in the repository; NAME stands for any name."""
    path, _, name = named.partition("::")
    if not any(ROOT.glob(path.replace("NAME", "*"))):
        return False
    return not name or name in definitions(ROOT / path)


def test_every_path_and_name_is_there():
    named = paths(PAGE)
    assert len(named) > 60
    assert [one for one in named if not is_there(one)] == []


@pytest.mark.parametrize("named", ["tests/nowhere.py", "nowhere.md", "transformer/rms_norm.py::nowhere", "no/NAME.py",
                                   "tests/transformer/test_rms_norm.py::math"])
def test_what_is_not_there_is_noticed(named):
    assert paths(f"see `{named}`.") == [named] and not is_there(named)


def test_every_finding_that_is_named_is_made_somewhere():
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tools/linkindex/src").rglob("*.py"))
    named = set(re.findall(r"\bLI\d{3}\b", PAGE))
    assert named and {code for code in named if f'"{code}"' not in sources} == set()


@pytest.mark.parametrize("command", [one for one in commands(PAGE) if one[0] == "linkindex"], ids=" ".join)
def test_linkindex_knows_its_commands(command, capsys):
    _, name, *others = command
    with pytest.raises(SystemExit) as ended:
        linkindex([name, "--help"])
    options = [word for word in others if word.startswith("-")]
    assert ended.value.code == 0 and all(option in capsys.readouterr().out for option in options)


@pytest.mark.parametrize("command", [one for one in commands(PAGE) if one[:3] == ["python", "-m", "transformer"]],
                         ids=lambda command: " ".join(command[3:5]))
def test_the_package_knows_its_commands(command):
    assert transformer_parser().parse_args(command[3:]).command == command[3]


def test_the_tool_for_development_knows_its_commands():
    spec = importlib.util.spec_from_file_location("dev", ROOT / "tools" / "dev.py")
    dev = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(dev)
    mine = [one for one in commands(PAGE) if one[:2] == ["python3", "tools/dev.py"]]
    assert {one[2] for one in mine} == {"setup", "test", "site"}
    for command in mine:
        assert dev.parser().parse_known_args(command[2:3])[0].command == command[2]


def test_the_equations_that_are_named_have_records():
    records = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.yml"))
    named = {word for piece in code(PAGE) for word in piece.split() if re.fullmatch(r"[a-z-]+\.[a-z]+-[a-z-]+", word)}
    assert named and {name for name in named if f"\n{name}:\n" not in records} == set()


def anchors(page):
    """The anchors of the headings of a page, as hosts make them from plain words."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {title.lower().replace(" ", "-") for title in headings}


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_links_between_the_pages_of_the_repository_lead_somewhere(page):
    links = re.findall(r"\]\(([^)\s]+)\)", (ROOT / page).read_text(encoding="utf-8"))
    inside = [link.partition("#") for link in links if "://" not in link]
    assert inside
    for file, _, anchor in inside:
        assert (ROOT / file).is_file() and (not anchor or anchor in anchors(ROOT / file))


def test_the_readme_leads_here():
    assert "](CONTRIBUTING.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
