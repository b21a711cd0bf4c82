"""The project in which one test stands in a file of its own, and what is published of its equation."""

from linkindex.link_index import link_index
from linkindex.load.config import read_config
from linkindex.pipeline import evidence_for

RECORDS, CODE, CONFIG = "docs/filter.yml", "kalman/filter.py", "pyproject.toml"
OTHERS, TESTS = "tests/test_filter.py", "tests/test_gain.py"
GAIN = f"{TESTS}::test_gain"
HEAD = "def test_gain("
BODY = "def test_gain(rng):\n"


def full(project):
    return evidence_for(read_config(project.root), mutants=True)


def published(result, equation="filter.gain"):
    """What link-index.json says of an equation: its one test, and the steps of its evidence."""
    entry = next(entry for entry in link_index(*result[:4])["equations"] if entry["id"] == equation)
    (test,) = entry["tests"]
    return test, entry["evidence"]


def coded(findings):
    return [finding.code for finding in findings]
