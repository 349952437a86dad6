# scipy_solvers.py: scipy's own tests of cg, bicgstab and gmres, run on those of gl.sparse.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: scipy_solvers.py [PYTEST_OPTIONS...]

The three functions of scipy.sparse.linalg are replaced before scipy's tests import them. Tests of
other solvers (bicg, cgs, minres, qmr, ...) are left out. What fails is compared with EXPECTED below:
a test that fails and is not there, or is there and passes, is a failure. Skips (77) without scipy,
its tests or pytest.
"""
import functools
import re
import sys
import warnings

import numpy as np

try:
    import pytest
    import scipy.sparse.linalg._isolve as isolve
except ImportError as error:
    print("skipped: %s" % error)
    sys.exit(77)

import gable_linalg as gl

# Pieces of the names of tests that fail, and why.
EXPECTED = {
    "TestGMRES::test_callback": "with a preconditioner scipy tells the preconditioned residual; Gable tells the true one",
    "test_precond_inverse": "Gable looks at every second iteration, and confirms the end by the true residual: more products than the three allowed",
}

SOLVERS = {"cg": gl.sparse.cg, "bicgstab": gl.sparse.bicgstab, "gmres": gl.sparse.gmres}
OTHERS = {"bicg", "cgs", "gcrotmk", "lgmres", "minres", "qmr", "tfqmr"}


def adapted(name):
    @functools.wraps(getattr(isolve, name))
    def solver(A, b, *positional, **named):
        if name == "gmres" and named.get("callback") and "callback_type" not in named:
            warnings.warn("gmres called without specifying `callback_type`", DeprecationWarning)
        told = named.get("callback")
        if name == "gmres" and told and named.get("callback_type") != "x":
            named["callback"] = lambda residual: told(np.float64(residual))  # a number of numpy's
        x, info = SOLVERS[name](A, np.asarray(b), *positional, **named)
        return np.asarray(x), info
    return solver


class Results:
    """What pytest told: tests of other solvers are taken away before."""

    def __init__(self):
        self.failed, self.passed = {}, set()

    def pytest_collection_modifyitems(self, items):
        def other(item):
            words = set(re.findall(r"[a-zA-Z0-9_]+", item.nodeid.partition("[")[2]))
            return "TestQMR" in item.nodeid or bool(words & OTHERS)
        items[:] = [item for item in items if not other(item)]

    def pytest_runtest_logreport(self, report):
        name = report.nodeid.partition("::")[2]
        if report.failed:
            self.failed[name] = str(report.longrepr).strip().splitlines()[-1]
        elif report.when == "call" and report.passed:
            self.passed.add(name)


def main():
    # Before the tests are imported: their cases hold the functions.
    for name in SOLVERS:
        setattr(isolve, name, adapted(name))
    try:
        from scipy.sparse.linalg._isolve.tests import test_iterative
    except ImportError as error:
        print("skipped: scipy's tests are not installed: %s" % error)
        return 77
    results = Results()
    pytest.main(["-q", "-p", "no:cacheprovider", "--tb=short", test_iterative.__file__, *sys.argv[1:]],
                plugins=[results])
    print("%d passed, %d failed" % (len(results.passed), len(results.failed)))
    wrong = len(results.passed) < 50
    for name, why in sorted(results.failed.items()):
        reason = next((text for piece, text in EXPECTED.items() if piece in name), None)
        wrong = wrong or reason is None
        print("%s %s: %s" % ("expected" if reason else "FAILED", name, reason or why))
    for piece in EXPECTED:
        if not any(piece in name for name in results.failed):
            print("passes, but is expected to fail: %s" % piece)
            wrong = True
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
