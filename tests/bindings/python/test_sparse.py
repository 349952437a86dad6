# test_sparse.py: sparse matrices and solvers of the Python package.
# SPDX-License-Identifier: BSD-3-Clause
"""Products of small integers are exact; solutions are judged by their true residual."""
import os
import tempfile
import unittest
import warnings

import gable_linalg as gl
import numpy as np
from test_array import numbers, same

try:
    import scipy.sparse
    import scipy.sparse.linalg
except ImportError:
    scipy = None


def made(dense):
    """Compressed rows of a dense matrix."""
    rows = [np.flatnonzero(row) for row in dense]
    start = np.cumsum([0] + [len(row) for row in rows])
    columns = np.concatenate(rows) if len(rows) else np.zeros(0, int)
    return gl.sparse.csr(dense[dense != 0], columns, start, dense.shape)


def laplacian(n):
    return 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)


def residual(a, x, b):
    x = np.asarray(x)
    return np.linalg.norm(b - a @ x) / np.linalg.norm(b)


class Matrices(unittest.TestCase):
    def test_products(self):
        for dtype in ("float64", "complex64"):
            dense = numbers((6, 9), dtype) * (numbers((6, 9), seed=4) > 1)
            A = made(dense)
            self.assertEqual((A.shape, A.nnz, A.dtype), (dense.shape, np.count_nonzero(dense), dtype))
            x, X, w = numbers(9, dtype, 1), numbers((9, 3), dtype, 2), numbers(6, dtype, 3)
            same(self, A @ gl.array(x), dense @ x)
            same(self, A @ gl.array(X, order="F"), dense @ X)
            same(self, A.T @ gl.array(w), dense.T @ w)
            same(self, A.H @ gl.array(w), dense.conj().T @ w)
            same(self, A @ x, dense @ x)  # of numpy: by copies
            y = gl.array(w)
            same(self, A.matvec(gl.array(x), y, 2, -1), 2 * (dense @ x) - w)
            values, columns, start = A.arrays()
            back = np.zeros_like(dense)
            for i in range(6):
                back[i, columns[start[i]:start[i + 1]]] = values[start[i]:start[i + 1]]
            same(self, back, dense)
            B = A.convert("ell")
            self.assertEqual((A.format, B.format), ("csr", "ell"))
            same(self, B @ gl.array(x), dense @ x)

    def test_other_ways(self):
        A = gl.sparse.coo([1.0, 2.0, 3.0], [0, 1, 0], [1, 0, 1], (2, 2))
        same(self, A @ gl.array([1.0, 10.0]), np.array([40.0, 2.0]))
        path = os.path.join(tempfile.mkdtemp(), "matrix.mtx")
        A.write(path)
        same(self, gl.sparse.read(path, "float32") @ gl.array([1.0, 10.0], "float32"),
             np.array([40.0, 2.0], "float32"))
        self.assertEqual(gl.sparse.read(path).info()["entries"], 2)
        if scipy is not None:
            S = scipy.sparse.random(8, 5, 0.4, random_state=1)
            B = gl.sparse.from_scipy(S)
            self.assertEqual(abs(B.to_scipy() - S).max(), 0)

    def test_refused(self):
        A = made(np.eye(3))
        for call in (lambda: A @ gl.zeros(4), lambda: A @ gl.zeros(3, "float32"),
                     lambda: A @ gl.zeros((6,))[::2], lambda: A @ gl.array(np.zeros((3, 2))),
                     lambda: gl.sparse.csr([1.0], [5], [0, 1], (1, 1)),
                     lambda: gl.sparse.csr([1.0], [0], [0, 1], (2, 1)),
                     lambda: A.convert("dense"), lambda: gl.sparse.read("/nothing/here.mtx"),
                     lambda: gl.sparse.solve(A, np.zeros(4)),
                     lambda: gl.sparse.solve(made(np.ones((2, 3))), np.zeros(2)),
                     lambda: gl.sparse.solve(A, np.ones(3), nothing=1)):
            self.assertRaises(gl.BadArgumentError, call)
        self.assertRaises(gl.NotSupportedError, gl.sparse.csr, np.zeros(1, "float16"), [0], [0, 1],
                          (1, 1))


    def test_overlaps(self):
        A = made(numbers((6, 6)))
        x, X = gl.array(numbers(6)), gl.array(numbers((6, 5)), order="F")
        for source, out in ((x, x), (X, X), (X[:, :3], X[:, 2:])):
            kept = X.numpy()
            with self.assertRaises(ValueError) as error:
                A.matvec(source, out)
            self.assertIn("out shares memory with x", str(error.exception))
            same(self, X, kept)
        A.matvec(X[:, :2], X[:, 3:])
        same(self, X[:, 3:], (A @ X[:, :2]).numpy())


    def test_complex_numbers(self):
        """A real matrix times complex numbers of numpy is complex; on the device types agree."""
        for dtype, other in (("float64", "complex128"), ("float32", "complex64")):
            dense = numbers((6, 9), dtype)
            A = made(dense)
            for shape in ((9,), (9, 3), (9, 0)):
                x = numbers(shape, other, 1)
                found = A @ x
                self.assertEqual(found.dtype, other)
                same(self, found, dense @ x)
            w = numbers(6, other, 2)
            same(self, A.T @ w, dense.T @ w)
            same(self, A.H @ list(w), dense.T @ w)
            same(self, made(dense + 1j) @ numbers(9, dtype), (dense + 1j) @ numbers(9, dtype))
            self.assertRaises(gl.BadArgumentError, lambda: A @ gl.array(numbers(9, other)))
            self.assertRaises(gl.BadArgumentError, lambda: A @ numbers(8, other))
            self.assertRaises(TypeError, A.matvec, numbers(9, other), gl.zeros(6, dtype))
            self.assertRaises(gl.BadArgumentError, A.matvec, numbers(9), None, np.complex64(1j))
            # Without out there is nothing that beta could count.
            self.assertRaises(gl.BadArgumentError, A.matvec, gl.zeros(9, dtype), None, 1, 1)


class Solvers(unittest.TestCase):
    def setUp(self):
        n = 40
        self.a = laplacian(n)
        self.b = numbers(n, seed=7) + 1
        self.A = made(self.a)
        self.skew = self.a + 0.3 * np.eye(n, k=1)

    def test_methods(self):
        for solver, a in [(gl.sparse.cg, self.a), (gl.sparse.bicgstab, self.skew),
                          (gl.sparse.gmres, self.skew)]:
            A = made(a)
            for b in (self.b, gl.array(self.b), self.b[:, None]):
                x, info = solver(A, b, rtol=1e-9, maxiter=400)
                self.assertEqual((info, x.shape), (0, b.shape))
                self.assertLess(residual(a, np.asarray(x).reshape(-1), self.b), 2e-9)
            near = np.linalg.solve(a, self.b)
            x, info = solver(A, self.b, x0=near, rtol=1e-6)
            self.assertEqual(info, 0)
            x, info = solver(A, self.b, rtol=1e-12, maxiter=2)
            self.assertGreater(info, 0) if solver is not gl.sparse.gmres else None
            x, info = solver(A, np.zeros(40))
            self.assertEqual((info, np.abs(x).max()), (0, 0))

    def test_callbacks(self):
        for solver, a in [(gl.sparse.cg, self.a), (gl.sparse.bicgstab, self.skew)]:
            seen = []
            x, info = solver(made(a), self.b, rtol=1e-9, callback=lambda xk: seen.append(xk.copy()))
            self.assertEqual(info, 0)
            self.assertLess(residual(a, x, self.b), 1e-8)
            self.assertGreater(len(seen), 2)
            np.testing.assert_array_equal(seen[-1], x)
        norms, xs = [], []
        gl.sparse.gmres(made(self.skew), self.b, rtol=1e-9, callback=norms.append)
        self.assertLess(norms[-1], 1e-8)
        x, info = gl.sparse.gmres(made(self.skew), self.b, rtol=1e-9, callback=xs.append,
                                  callback_type="x")
        self.assertEqual(info, 0)
        np.testing.assert_array_equal(xs[-1], x)

    def test_operators(self):
        def product(x, y):
            self.A.matvec(x, y)

        def jacobi(x, y):
            y.assign(x)
            y *= 0.5

        operator = gl.sparse.Operator((40, 40), product)
        x, info = gl.sparse.cg(operator, self.b, rtol=1e-9, M=gl.sparse.Operator((40, 40), jacobi))
        self.assertEqual(info, 0)
        self.assertLess(residual(self.a, x, self.b), 2e-9)

        class Linear:  # as scipy's: a matvec on numpy arrays
            shape, dtype = (40, 40), np.dtype("float64")
            matvec = staticmethod(lambda v: self.a @ v)

        for solver in (gl.sparse.cg, gl.sparse.gmres):
            x, info = solver(Linear(), self.b, rtol=1e-9)
            self.assertEqual(info, 0)
            self.assertLess(residual(self.a, x, self.b), 2e-9)

        def broken(x, y):
            raise ZeroDivisionError("by the operator")

        with self.assertRaises(ZeroDivisionError):
            gl.sparse.cg(gl.sparse.Operator((40, 40), broken), self.b)
        with self.assertRaises(ZeroDivisionError):
            gl.sparse.solve(self.A, self.b, monitor=lambda i, r: 1 / 0)
        x, info = gl.sparse.cg(self.A, self.b)  # the context is as before
        self.assertEqual(info, 0)

    def test_solve(self):
        x, info = gl.sparse.solve(self.A, self.b, tolerance=1e-9, precond="jacobi")
        self.assertEqual((info.outcome, info.method, info.precond), ("solved", "cg", "jacobi"))
        self.assertLess(info.residual, 1e-9)
        self.assertLess(residual(self.a, x, self.b), 2e-9)
        with self.assertWarns(gl.NotSolvedWarning):
            x, info = gl.sparse.solve(self.A, self.b, iterations=2, method="cg")
        self.assertEqual(info.outcome, "iteration limit")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            x, info = gl.sparse.solve(self.A, self.b, method="cg", batch=2,
                                      monitor=lambda i, r: i >= 2)
        self.assertEqual(info.outcome, "stopped")

    def test_real_matrix_complex_right_side(self):
        """As in scipy the solution is complex; what the system cannot hold is a TypeError, and an
        array of the device must have its type: its bytes were taken for numbers of another."""
        b = self.b + 1j * self.b[::-1]
        half = gl.sparse.Operator((40, 40), lambda x, y: gl.scale(y.assign(x), 0.5))
        # PoCL compiles for each method and type.
        some = slice(None if gl.context().is_host else 1)
        for A in (self.A, self.a, made(self.a.astype("float32")))[some]:
            for solver in (gl.sparse.cg, gl.sparse.bicgstab, gl.sparse.gmres)[some]:
                x, info = solver(A, b, rtol=1e-5, maxiter=400, M=half)
                self.assertEqual((info, x.dtype.kind), (0, "c"))
                self.assertLess(residual(self.a, x, b), 1e-4)
        x, info = gl.sparse.cg(self.A, list(b), rtol=1e-9, callback=lambda xk: None,
                               M=made(np.eye(40)))
        self.assertEqual(info, 0)
        self.assertLess(residual(self.a, x, b), 1e-8)
        product = gl.sparse.Operator((40, 40), lambda x, y: self.A.matvec(x, y))

        class Rotated:  # its products are complex, and it does not say so
            shape = (40, 40)
            matvec = staticmethod(lambda v: 1j * v)

        for call in (lambda **more: gl.sparse.cg(product, b, **more),
                     lambda **more: gl.sparse.cg(self.A, self.b, x0=b, **more),
                     lambda **more: gl.sparse.cg(self.A, self.b, M=made(np.eye(40) * 1j), **more),
                     lambda **more: gl.sparse.cg(self.A, self.b, M=np.eye(40) * 1j, **more),
                     lambda **more: gl.sparse.cg(product, self.b, M=np.eye(40) * 1j, **more)):
            self.assertRaises(TypeError, call)
            self.assertRaises(TypeError, call, callback=lambda xk: None)
        device, single = gl.array(self.b), gl.array(self.b, "float32")
        for more in ({}, {"callback": lambda xk: None}):
            for wrong in (single, gl.array(b)):
                for A, right, x0 in ((self.A, wrong, None), (self.A, device, wrong),
                                     (self.A, self.b, wrong), (product, wrong, None)):
                    self.assertRaises(gl.BadArgumentError, gl.sparse.cg, A, right, x0, **more)
            self.assertRaises(gl.BadArgumentError, gl.sparse.cg, self.A, self.b, M=Rotated(),
                              **more)

    def test_complex(self):
        a = self.skew + 0.5j * np.eye(40)
        b = self.b + 1j
        x, info = gl.sparse.gmres(made(a), b, rtol=1e-9)
        self.assertEqual(info, 0)
        self.assertLess(residual(a, x, b), 2e-9)


if __name__ == "__main__":
    unittest.main()
