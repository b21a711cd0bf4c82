import shutil

import linkindex.mutants.effects
import linkindex.mutants.run
import linkindex.run.runs
import pytest

from tests.linkindex.cache.checking import CODE, EQUATIONS, RECORDS, TESTS, full
from tests.linkindex.project import Project

HELPER = """import numpy as np

DTYPE = float


def as_vector(x):
    return np.asarray(x, dtype=DTYPE)
"""
CONFTEST = """import numpy as np
import pytest

SEED = 7


@pytest.fixture
def rng():
    return np.random.default_rng(SEED)
"""
PAGE = """# The filter

## Steps {#steps}

::: equation filter.predicted-state filter.predicted-covariance filter.innovation

::: dossier
"""


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """Three equations of the Kalman filter, a helper module, a conftest, and a test that reads a data file."""
    project = Project.copy(tmp_path_factory.mktemp("cache") / "small")
    records = project.read(RECORDS).split("\n\n")
    kept = [record for record in records if record.startswith(tuple(f"{equation}:" for equation in EQUATIONS))]
    project.write(RECORDS, "\n\n".join([records[0], *kept]) + "\n")
    project.write("docs/filter.md", PAGE)
    project.write("kalman/arrays.py", HELPER)
    project.edit(CODE, "import numpy as np\n", "import numpy as np\n\nfrom kalman.arrays import as_vector\n")
    project.edit(CODE, "    x_next = F @ x ", "    x = as_vector(x)\n    x_next = F @ x ")
    project.write("tests/conftest.py", CONFTEST)
    project.write("tests/noise.json", '{"scale": 1.0}\n')
    project.edit(TESTS, "@pytest.fixture\ndef rng():\n    return np.random.default_rng(7)\n\n\n", "")
    imports = "import json\nfrom pathlib import Path\n\nimport numpy as np\n"
    project.edit(TESTS, "import numpy as np\nimport pytest\n", imports)
    project.edit(
        TESTS,
        "    x, F = rng.normal(size=4), rng.normal(size=(4, 4))\n",
        '    scale = json.loads(Path(__file__).with_name("noise.json").read_text())["scale"]\n'
        "    x, F = scale * rng.normal(size=4), rng.normal(size=(4, 4))\n",
    )
    (project.root / "docs" / "links.lock").unlink()
    project.lock()
    assert full(project)[4] == ()
    return project


@pytest.fixture
def project(small, tmp_path):
    shutil.copytree(small.root, tmp_path / "project")
    return Project(tmp_path / "project")


@pytest.fixture
def started(monkeypatch):
    """The linked tests, examples and equations of which something runs again."""
    names = set()

    def noting(run_worker):
        def run(module, job):
            equations = (task["equation"] for task in job.get("tasks", ()))
            names.update(job.get("examples", ()), job.get("tests", ()), equations)
            return run_worker(module, job)

        return run

    for stage in (linkindex.run.runs, linkindex.mutants.run, linkindex.mutants.effects):
        monkeypatch.setattr(stage, "run_worker", noting(stage.run_worker))
    return names
