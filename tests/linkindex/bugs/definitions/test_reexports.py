"""Aliases lead to the definition, in every layout of packages."""

import pytest

REEXPORTS = {
    "from a module": "from pkg.core import f",
    "from a relative module": "from .core import f",
    "through two modules": "from .middle import f",
    "under another name": "from .core import original as f",
    "by an assignment": "from . import core\ng = 1\nfrom .core import original\nf = original",
    "by an annotated assignment": "from .core import original\nf: object = original",
    "all public names": "from .core import *",
    "in a branch": "if True:\n    from .core import f",
    "the last of two": "from .other import f\nfrom .core import f",
    "the same in two branches": "try:\n    from .core import f\nexcept ImportError:\n    from pkg.core import f",
}


@pytest.mark.parametrize("name", REEXPORTS)
def test_row_11_a_public_alias_leads_to_the_definition(code, name):
    library = code({
        "pkg/__init__.py": REEXPORTS[name] + "\n",
        "pkg/middle.py": "from .core import f\n",
        "pkg/other.py": "def f():\n    return 0\n",
        "pkg/core.py": "def f():\n    return 1\n\n\noriginal = f\n",
    })  # fmt: skip
    found = library.find("pkg.f")
    assert found.function.name == "pkg.core.f" and found.source.path == "pkg/core.py"
    assert found.files[0] == "pkg/__init__.py" and found.files[-1] == "pkg/core.py"


def test_row_11_a_module_may_be_renamed_by_its_import(code):
    library = code(
        {
            "pkg/__init__.py": "from . import core as c\nimport pkg.core as d\n",
            "pkg/core.py": "class A:\n    def f(self): return 1\n",
        }
    )
    assert library.find("pkg.c.A.f").function.name == library.find("pkg.d.A.f").function.name == "pkg.core.A.f"


def test_row_11_a_star_hands_on_what_the_module_exports_only(code):
    library = code(
        {
            "pkg/__init__.py": "from .a import *\nfrom .b import *\n",
            "pkg/a.py": "def f(): return 1\ndef _g(): return 2\n",
            "pkg/b.py": "__all__ = ['h']\ndef f(): return 3\ndef h(): return 4\n",
        }
    )
    assert library.find("pkg.f").function.name == "pkg.a.f"
    assert library.find("pkg.h").function.name == "pkg.b.h"
    assert library.refused("pkg._g").code == "LI202"


@pytest.mark.parametrize(
    "files, chain",
    [
        (
            {
                "pkg/__init__.py": "from .a import f\n",
                "pkg/a.py": "from .b import f\n",
                "pkg/b.py": "def g(): return 1\n",
            },
            "pkg.f -> pkg.a.f -> pkg.b.f",
        ),
        (
            {"pkg/__init__.py": "from .a import f\n", "pkg/a.py": "from numpy import dot as f\n"},
            "pkg.f -> pkg.a.f -> numpy.dot",
        ),
        ({"pkg/__init__.py": "from .a import f\n", "pkg/a.py": "from pkg import f\n"}, "pkg.f -> pkg.a.f -> pkg.f"),
        (
            {"pkg/__init__.py": "from .a import f\n", "pkg/a.py": "from . import core as f\n", "pkg/core.py": ""},
            "pkg.f -> pkg.a.f -> pkg.core",
        ),
    ],
    ids=["not there", "of another project", "in a circle", "a module"],
)
def test_row_11_an_alias_that_leads_nowhere_is_refused_with_its_chain(code, files, chain):
    assert chain in str(code(files).refused("pkg.f"))


def test_row_11_an_alias_with_two_sources_is_refused_with_both(code):
    files = {
        "pkg/__init__.py": "try:\n    from .fast import f\nexcept ImportError:\n    from .slow import f\n",
        "pkg/fast.py": "def f(): return 1\n",
        "pkg/slow.py": "def f(): return 2\n",
    }
    error = code(files).refused("pkg.f")
    assert error.code == "LI203" and "pkg.fast.f" in str(error) and "pkg.slow.f" in str(error)


def test_row_11_a_record_may_name_the_public_alias(project):
    project.write("kalman/__init__.py", '"""A filter."""\n\nfrom kalman.filter import *\n')
    project.edit("docs/filter.yml", "kalman.filter.predict", "kalman.predict")
    _, resolution, _, _, findings = project.result()
    assert findings == ()
    assert resolution.links["filter.predicted-state"][0].function == "kalman.filter.predict"


def test_row_13_in_the_src_layout_paths_begin_at_the_root(project):
    (project.root / "src").mkdir()
    (project.root / "kalman").rename(project.root / "src" / "kalman")
    _, resolution, _, _, findings = project.result()
    assert findings == ()
    assert {link.span.file for links in resolution.links.values() for link in links} == {"src/kalman/filter.py"}
    assert {"src/kalman/filter.py", "tests/test_filter.py"} == set(resolution.sources)
    assert resolution.links["filter.gain"][0].function == "kalman.filter.update"


def test_row_13_a_package_hides_a_module_of_the_same_name_as_it_does_for_python(code):
    library = code({"m.py": "def f(): return 1\n", "m/__init__.py": "def f(): return 2\n"})
    assert library.find("m.f").source.path == "m/__init__.py"
