# run.py: runs tests of the Python package: modules beside this file, or the examples in docstrings.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: run.py doctest | docs | MODULE...

docs runs the programs of docs/python.md that need nothing but numpy, and examples/heat_and_pca.py.

Without numpy it skips (77), unless GABLE_REQUIRE names python. Tests that unittest skips are told
in its output.
"""
import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))


def examples():
    import gable_linalg
    names = ["gable_linalg"] + ["gable_linalg." + module.name
                                for module in pkgutil.iter_modules(gable_linalg.__path__)]
    on_opencl = os.environ.get("GABLE_DEVICE", "").startswith("opencl")
    if on_opencl and not os.environ.get("GABLE_TEST_ALL"):
        names.remove("gable_linalg._spectra")  # compiles for half a minute
    failed = attempted = 0
    for name in names:
        result = doctest.testmod(importlib.import_module(name))
        failed, attempted = failed + result.failed, attempted + result.attempted
    print("%d examples, %d failed" % (attempted, failed))
    return failed == 0 and attempted > 150


def page():
    """Each block of docs/python.md that imports what it needs; the example, with small sizes."""
    with open(os.path.join(ROOT, "docs", "python.md"), encoding="utf-8") as file:
        blocks = re.findall(r"```python\n(.*?)```", file.read(), re.S)
    blocks = [block.replace("2000", "200") for block in blocks if "import gable_linalg" in block]
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), {})
    with tempfile.TemporaryDirectory() as folder:
        example = os.path.join(ROOT, "examples", "heat_and_pca.py")
        said = subprocess.run([sys.executable, example, folder, "24"], text=True, check=True,
                              stdout=subprocess.PIPE).stdout
        print(said)
        plots = sorted(os.listdir(folder))
    return len(blocks) == 2 and plots == ["heat.svg", "pca.svg"] and "first component" in said


def main(words):
    if sys.version_info < (3, 9):
        print("skipped: Python is older than 3.9")
        return 77
    try:
        import numpy  # noqa: F401
    except ImportError:
        if "python" in os.environ.get("GABLE_REQUIRE", "").split(","):
            print("GABLE_REQUIRE names python, and numpy is not installed")
            return 1
        print("skipped: numpy is not installed (Debian: python3-numpy)")
        return 77
    if words == ["doctest"]:
        return 0 if examples() else 1
    if words == ["docs"]:
        return 0 if page() else 1
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    suite = unittest.TestSuite()
    for word in words:
        suite.addTests(unittest.defaultTestLoader.loadTestsFromName(word))
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
