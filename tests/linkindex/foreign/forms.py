"""A project with other forms of its formulas beside its own records."""

import re
from collections.abc import Iterable, Mapping

from tests.linkindex.project import Project


def add_forms(project: Project, forms: Mapping[str, Iterable[str]]) -> None:
    """A record for each form, like that of its equation: ``page.name-1``, ``page.name-2``, each in a section."""
    for equation, others in forms.items():
        page = f"docs/{equation.partition('.')[0]}"
        record = re.search(rf"^{re.escape(equation)}:\n(?:  .*\n?)+", project.read(f"{page}.yml"), re.MULTILINE)[0]
        for number, latex in enumerate(others, 1):
            name = f"{equation}-{number}"
            other = re.sub(r"(?m)^  latex: .*$", lambda _: f"  latex: {_quoted(latex)}", record)
            project.write(f"{page}.yml", f"{project.read(f'{page}.yml')}\n{other.replace(equation, name, 1)}")
            shown = f"{project.read(f'{page}.md')}\n## Form {number} {{#form-of-{name.replace('.', '-')}}}\n\n"
            project.write(f"{page}.md", f"{shown}::: equation {name}\n")


def _quoted(latex: str) -> str:
    return "'" + latex.replace("'", "''") + "'"
