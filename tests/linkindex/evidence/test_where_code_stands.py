"""Linked code may be a method, and its package may stand in another one."""


def test_a_method_may_be_linked(project):
    method = "class Filter:\n    def gap(self, z, H, x):\n        y = z - H @ x  # (m,)\n        return y\n\n\n"
    project.edit("kalman/filter.py", "def update(", f"{method}def update(")
    project.edit("docs/filter.yml", "in: kalman.filter.update\n  latex: y", "in: kalman.filter.Filter.gap\n  latex: y")
    project.edit("docs/filter.py", "predict, update\n", "Filter, predict, update\n")
    project.edit("docs/filter.py", "    return update(", "    Filter().gap(z, H, ahead)\n    return update(")
    project.edit("tests/test_filter.py", "predict, update\n", "Filter, predict, update\n")
    project.edit(
        "tests/test_filter.py",
        "    new, _ = update(x, P, z, H, R)\n    assert np.allclose(new, x + gain(P, H, R) @ y, rtol=1e-10)",
        "    assert np.allclose(Filter().gap(z, H, x), y, rtol=1e-10)",
    )
    project.lock()
    assert project.check() == ()


def test_a_package_may_stand_in_another(project):
    (project.root / "lab").mkdir()
    (project.root / "kalman").rename(project.root / "lab" / "kalman")
    for path in ("docs/filter.yml", "docs/filter.md", "docs/filter.py", "tests/test_filter.py", "pyproject.toml"):
        text = project.read(path).replace('"kalman"', '"lab.kalman"')
        project.write(path, text.replace("lab.kalman.", "kalman.").replace("kalman.filter", "lab.kalman.filter"))
    project.lock()
    assert project.check() == ()
