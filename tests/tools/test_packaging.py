"""Pins, continuous integration and README say the same."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = ("python3 tools/dev.py site", "python3 tools/dev.py test")
BY_HAND = 'pip install -c tools/constraints.txt -e tools/linkindex -e ".[docs,test]"'


def lines(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def project(name):
    return tomllib.loads((ROOT / name).read_text(encoding="utf-8"))["project"]


def test_each_constraint_is_one_exact_version_and_no_address():
    for requirement in map(Requirement, lines("tools/constraints.txt")):
        assert requirement.url is None
        assert [specifier.operator for specifier in requirement.specifier] == ["=="], requirement


def test_every_package_that_set_up_installs_is_pinned_also_the_indirect_ones():
    root = project("pyproject.toml")
    own = {canonicalize_name(project(name)["name"]) for name in ("pyproject.toml", "tools/linkindex/pyproject.toml")}
    extras = root["optional-dependencies"]
    of_linkindex = project("tools/linkindex/pyproject.toml")["dependencies"]
    waiting = [*root["dependencies"], *extras["docs"], *extras["test"], *of_linkindex]
    needed = set()
    while waiting:
        requirement = Requirement(waiting.pop())
        name = canonicalize_name(requirement.name)
        if name in needed | own or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        needed.add(name)
        try:
            waiting += requires(name) or []
        except PackageNotFoundError:
            pytest.fail(f"{name} is required but not installed: run set-up, or the pip command of the README, again")
    pinned = [Requirement(line) for line in lines("tools/constraints.txt")]
    pinned = {canonicalize_name(pin.name) for pin in pinned if pin.marker is None or pin.marker.evaluate()}
    assert len(needed) > 50
    assert needed - pinned == set()


def test_both_distributions_pin_the_same_build_backend():
    backends = [
        tomllib.loads((ROOT / name).read_text(encoding="utf-8"))["build-system"]
        for name in ("pyproject.toml", "tools/linkindex/pyproject.toml")
    ]
    assert backends[0] == backends[1]
    assert backends[0]["requires"][0] in lines("tools/constraints.txt")


def test_ci_runs_the_test_command_of_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in (*COMMANDS, BY_HAND):
        assert readme.count(f"\n{command}\n") == 1
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert f" {COMMANDS[1]}\n" in script
    assert "export REQUIRE_ALL=1" in script


@pytest.mark.parametrize("path", sorted((ROOT / ".github/workflows").glob("*.yml")), ids=lambda path: path.name)
def test_a_workflow_parses_and_may_only_read_unless_a_job_says_more(path):
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    writers = [name for name, job in workflow["jobs"].items() if "write" in job.get("permissions", {}).values()]
    assert writers == (["publish"] if path.name == "pages.yml" else [])


def test_the_readme_shows_a_record_and_its_code_as_they_are():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for language, name in (("yaml", "docs/attention.yml"), ("python", "transformer/attention.py")):
        (shown,) = re.findall(rf"```{language}\n(.*?)```", readme, re.DOTALL)
        source = (ROOT / name).read_text(encoding="utf-8")
        assert squeezed(shown) in squeezed(source)


def squeezed(text):
    return " ".join(text.split())
