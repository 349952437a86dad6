# test_routines.py: products, solves, factorizations and BLAS names of the Python package.
# SPDX-License-Identifier: BSD-3-Clause
"""Products of small integers are exact. Residuals of factorizations are below 30 times n u |A| |x|,
as in LAPACK's tests."""
import itertools
import os
import unittest

import gable_linalg as gl
import numpy as np
from test_array import DTYPES, numbers, same

SOME = ["float32", "complex128"]


def layouts(host):
    """One matrix stored by rows, by columns, and as a part of a larger one; on the device."""
    yield gl.array(host, order="C")
    yield gl.array(host.swapaxes(-1, -2), order="C").mT
    shape = host.shape[:-2] + (host.shape[-2] + 2, host.shape[-1] + 3)
    for order in "CF"[:1 if host.ndim > 2 else 2]:
        large = gl.zeros(shape, str(host.dtype), order)
        part = large[..., 1:host.shape[-2] + 1, 2:host.shape[-1] + 2]
        part.assign(host)
        yield part


def host_layouts(host):
    yield np.array(host, order="C")
    yield np.array(host, order="F")
    large = np.zeros((host.shape[0] + 2, host.shape[1] + 3), host.dtype)
    large[1:-1, 2:-1] = host
    yield large[1:-1, 2:-1]


class Products(unittest.TestCase):
    def test_matrices(self):
        for dtype in SOME:
            x, y, z = numbers((3, 5), dtype), numbers((5, 4), dtype, 1), numbers((3, 4), dtype, 2)
            for a, b in itertools.product(layouts(x), layouts(y)):
                same(self, a @ b, x @ y)
                for c in layouts(z):
                    gl.matmul(a, b, out=c, alpha=2, beta=-1)
                    same(self, c, 2 * (x @ y) - z)
            same(self, gl.array(x) @ gl.array(x).T, x @ x.T)

    def test_vectors(self):
        for dtype in SOME:
            x, v, w = numbers((3, 5), dtype), numbers(5, dtype, 1), numbers(3, dtype, 2)
            for a in layouts(x):
                same(self, a @ gl.array(v), x @ v)
                same(self, gl.array(w) @ a, w @ x)
                same(self, a @ gl.array(v)[::-1], x @ v[::-1])
            self.assertEqual((gl.array(v) @ gl.array(v)).item(), (v @ v).item())
            self.assertEqual(gl.vdot(gl.array(v), gl.array(v)).item(), np.vdot(v, v).item())
            out = gl.full(3, 1, dtype)
            gl.matmul(gl.array(x), gl.array(v), out=out, alpha=2, beta=3)
            same(self, out, 2 * (x @ v) + 3)

    def test_empty(self):
        for m, k, n in itertools.product((0, 2), repeat=3):
            x, y = np.zeros((m, k)), np.zeros((k, n))
            same(self, gl.array(x) @ gl.array(y), x @ y)
            same(self, gl.matmul(x, y), x @ y)
            same(self, gl.array(x) @ gl.array(np.zeros(k)), x @ np.zeros(k))

    def test_numpy(self):
        for dtype in SOME:
            x, y, z = numbers((3, 5), dtype), numbers((5, 4), dtype, 1), numbers((3, 4), dtype, 2)
            for a, b in itertools.product(host_layouts(x), host_layouts(y)):
                same(self, gl.matmul(a, b), x @ y)
                for c in host_layouts(z):
                    self.assertIs(gl.matmul(a, b, out=c, alpha=2, beta=-1), c)
                    same(self, c, 2 * (x @ y) - z)
        x = numbers((6, 8))
        same(self, gl.matmul(x, x[0]), x @ x[0])
        same(self, gl.matmul(x[:, 0], x), x[:, 0] @ x)
        self.assertEqual(gl.matmul(x[0], x[1]), x[0] @ x[1])
        # A layout that would need a copy says so; nothing is written.
        kept = np.ones((3, 3))
        for a, b, out in [(x[::2, ::2], np.eye(4), None), (np.eye(3), x[::2, ::2], None),
                          (np.eye(3), np.eye(3), np.zeros((6, 6))[::2, ::2])]:
            with self.assertRaises(gl.LayoutError) as error:
                gl.matmul(a, b, out=out)
            self.assertIn("copied", str(error.exception))
        for bad in (np.eye(3, dtype="float32"), gl.eye(3), np.eye(4), np.eye(3, dtype=">f8"),
                    np.eye(3, dtype="float16")):
            self.assertRaises((gl.GableError, TypeError), gl.matmul, np.eye(3), bad, out=kept)
        self.assertRaises(gl.BadArgumentError, gl.matmul, kept, kept, out=kept)
        self.assertTrue((kept == 1).all())
        self.assertTrue(gl.context().last_device)

    def test_stacks(self):
        x, y = numbers((2, 3, 4, 5)), numbers((2, 3, 5, 6), seed=1)
        for a, b in itertools.product(layouts(x), layouts(y)):
            same(self, a @ b, x @ y)
        same(self, gl.array(x) @ gl.array(y[0, 0]), x @ y[0, 0])
        same(self, gl.array(x[0, 0]) @ gl.array(y), x[0, 0] @ y)
        same(self, gl.array(x)[:, ::2] @ gl.array(y)[:, ::2], x[:, ::2] @ y[:, ::2])
        same(self, gl.matmul(x, y), x @ y)
        same(self, gl.array(x[:0]) @ gl.array(y[:0]), x[:0] @ y[:0])
        self.assertRaises(gl.BadArgumentError, gl.matmul, gl.array(x), gl.array(y[:1]))

    def test_overlaps(self):
        """out and overwritten operands share no memory with what is read, but may lie between."""
        x = numbers((4, 8))
        for order in "CF":
            for big in (gl.array(x, order=order), np.array(x, order=order)):
                left, eye = big[:, :4], gl.eye(4) if isinstance(big, gl.Array) else np.eye(4)
                for out in (left, left.T, big[:, 1:5]):
                    with self.assertRaises(ValueError) as error:
                        gl.matmul(left, eye, out=out)
                    self.assertIn("out shares memory with a", str(error.exception))
                    with self.assertRaises(ValueError) as error:
                        gl.matmul(eye, left, out=out)
                    self.assertIn("out shares memory with b", str(error.exception))
                    self.assertRaises(ValueError, gl.solve_triangular, left, out, overwrite_b=True)
                same(self, big, x)
                gl.matmul(left, eye, out=big[:, 4:])  # the halves of one matrix, by rows, too
                same(self, big, np.hstack([x[:, :4], x[:, :4]]))

    def test_shapes_refused(self):
        a = gl.zeros((2, 3))
        self.assertRaises(gl.BadArgumentError, lambda: a @ a)
        self.assertRaises(gl.BadArgumentError, gl.matmul, a, gl.zeros((3, 2)), out=gl.zeros((3, 3)))
        self.assertRaises(gl.BadArgumentError, gl.matmul, a, gl.array(1.0))
        self.assertRaises(TypeError, gl.matmul, a, [1.0])
        self.assertRaises(TypeError, lambda: a @ 2)
        self.assertRaises(gl.LayoutError, lambda: gl.zeros((6, 6))[::2, ::2] @ gl.zeros((3, 1)))


class Triangles(unittest.TestCase):
    def test_solves(self):
        n = 4
        for dtype, lower, unit, trans in itertools.product(SOME, (False, True), (False, True),
                                                           (0, 1, 2)):
            full = numbers((n, n), dtype)
            np.fill_diagonal(full, [1, 2, 4, 1])
            triangle = np.tril(full) if lower else np.triu(full)
            if unit:
                np.fill_diagonal(triangle, 1)
            op = [triangle, triangle.T, triangle.conj().T][trans]
            for shape in [(n,), (n, 3)]:
                x = numbers(shape, dtype, 1)
                b = op @ x
                given = dict(trans=trans, lower=lower, unit_diagonal=unit)
                for a in (np.ascontiguousarray(full), np.asfortranarray(full)):
                    rows = a.flags.c_contiguous
                    for A, B in ((a, b), (gl.array(a, order="C" if rows else "F"), gl.array(b))):
                        if trans == 2 and "complex" in dtype and rows:
                            self.assertRaises(gl.LayoutError, gl.solve_triangular, A, B, **given)
                            continue
                        found = gl.solve_triangular(A, B, **given)
                        found = found.numpy() if isinstance(found, gl.Array) else found
                        # Powers of two and small integers: exact up to a few roundings.
                        np.testing.assert_allclose(found, x, rtol=0, atol=2e-4 if dtype == "float32"
                                                   else 1e-11)

    def test_in_place_and_stacks(self):
        a = np.array([[2.0, 0], [1, 4]])
        b = np.array([[2.0, 4], [9, 10]])
        for order in "CF":
            host = np.array(b, order=order)
            self.assertIs(gl.solve_triangular(a, host, lower=True, overwrite_b=True), host)
            same(self, host, np.array([[1.0, 2], [2, 2]]))
            device = gl.array(b, order=order)
            gl.solve_triangular(gl.array(a), device, lower=True, overwrite_b=True)
            same(self, device, np.array([[1.0, 2], [2, 2]]))
        stack, right = np.array([a, 2 * a]), np.array([b, 4 * b])
        wanted = np.array([[[1.0, 2], [2, 2]], [[2, 4], [4, 4]]])
        same(self, gl.solve_triangular(gl.array(stack), gl.array(right), lower=True), wanted)
        same(self, gl.solve_triangular(stack, right, lower=True), wanted)
        same(self, gl.solve_triangular(gl.array(a), gl.array(right), lower=True)[0], wanted[0])


def ratio(residual, n, scale, dtype):
    return np.abs(residual).max() / (n * np.finfo(dtype).eps * scale)


class Factorizations(unittest.TestCase):
    def both(self, *arrays):
        """The arrays of numpy by rows and by columns, and of the device."""
        yield [np.ascontiguousarray(a) for a in arrays]
        yield [np.asfortranarray(a) for a in arrays]
        yield [gl.array(a) for a in arrays]
        yield [gl.array(a, order="F") for a in arrays]

    def test_systems(self):
        n = 12
        generator = np.random.default_rng(5)
        for dtype in SOME:
            a = generator.standard_normal((n, n)).astype(dtype)
            if "complex" in dtype:
                a = a + 1j * generator.standard_normal((n, n))
            h = (a @ a.conj().T + np.eye(n)).astype(dtype)
            for shape in [(n,), (n, 3)]:
                b = generator.standard_normal(shape).astype(dtype)
                for A, B, H in self.both(a, b, h):
                    kept = [np.array(x) for x in (A, B, H)]
                    for found, matrix in ((gl.linalg.solve(A, B), a),
                                          (gl.linalg.lu_solve(gl.linalg.lu_factor(A), B), a),
                                          (gl.linalg.solve(H, B, assume_a="pos"), h),
                                          (gl.linalg.solve(H, B, assume_a="pos", lower=True), h)):
                        x = np.asarray(found)
                        self.assertEqual(x.shape, b.shape)
                        scale = np.abs(matrix).sum() * np.abs(x).max()
                        self.assertLess(ratio(matrix @ x - b, n, scale, dtype), 30)
                    for x, before in zip((A, B, H), kept):
                        np.testing.assert_array_equal(np.asarray(x), before)
            for A, H in self.both(a, h):
                inverse = np.asarray(gl.linalg.inv(A))
                scale = np.abs(a).sum() * np.abs(inverse).sum()
                self.assertLess(ratio(a @ inverse - np.eye(n), n, scale, dtype), 30)
                for lower in (True, False):
                    c = np.asarray(gl.linalg.cholesky(H, lower))
                    self.assertEqual(np.abs(np.triu(c, 1) if lower else np.tril(c, -1)).max(), 0)
                    product = c @ c.conj().T if lower else c.conj().T @ c
                    self.assertLess(ratio(product - h, n, np.abs(h).max(), dtype), 30)
                wanted = np.linalg.det(a)
                self.assertLess(abs(gl.linalg.det(A) - wanted), 1e-3 * abs(wanted))

    def test_overwriting(self):
        a = np.random.default_rng(1).standard_normal((5, 5)) + 5 * np.eye(5)
        b = np.arange(5.0)
        for order in "CF":
            A, B = np.array(a, order=order), b.copy()
            x = gl.linalg.solve(A, B, overwrite_a=True, overwrite_b=True)
            self.assertIs(x, B)
            self.assertFalse((A == a).all())
            np.testing.assert_allclose(a @ x, b, atol=1e-12)
            A = np.array(a, order=order)
            np.testing.assert_allclose(gl.linalg.inv(A, overwrite_a=True) @ a, np.eye(5), atol=1e-12)
            lu = gl.linalg.lu_factor(np.array(a, order=order), overwrite_a=True)
            np.testing.assert_allclose(a.T @ gl.linalg.lu_solve(lu, b, 1), b, atol=1e-12)
        self.assertRaises(gl.LayoutError, gl.linalg.solve, a, np.ones((5, 2)), overwrite_b=True)

    def test_overlaps(self):
        """What is overwritten is not read: refused before anything runs, wrong numbers before."""
        a = np.random.default_rng(2).standard_normal((5, 5))
        a = a @ a.T + 5 * np.eye(5)
        for order, kind in itertools.product("CF", ("gen", "pos")):
            for A in (gl.array(a, order=order), np.array(a, order=order)):
                for part in (A[:, 0], A[0], A.T):
                    with self.assertRaises(ValueError) as error:
                        gl.linalg.solve(A, part, assume_a=kind, overwrite_a=True)
                    self.assertIn("a shares memory with b", str(error.exception))
                same(self, A, a)
                lu, c = gl.linalg.lu_factor(A), gl.linalg.cho_factor(A)
                for given, factors, solver in ((lu, lu.lu, gl.linalg.lu_solve),
                                               (c, c.c, gl.linalg.cho_solve)):
                    kept = np.array(factors)
                    with self.assertRaises(ValueError) as error:
                        solver(given, factors[:, 1], overwrite_b=True)
                    self.assertIn("shares memory with the factors", str(error.exception))
                    same(self, factors, kept)
                # a is copied before b is overwritten; a column of a by rows has gaps.
                x = gl.linalg.solve(A, A[:, 0], assume_a=kind, overwrite_b=order == "F")
                np.testing.assert_allclose(np.asarray(x), [1, 0, 0, 0, 0], atol=1e-12)

    def test_failures(self):
        singular = np.ones((3, 3))
        for A in (singular, gl.array(singular)):
            with self.assertRaises(gl.LinAlgError) as error:
                gl.linalg.inv(A)
            self.assertEqual(error.exception.info, 2)
            self.assertRaises(gl.LinAlgError, gl.linalg.solve, A, gl.zeros(3) if A is not singular
                              else np.zeros(3))
            self.assertEqual(gl.linalg.det(A), 0)
            self.assertRaises(gl.LinAlgError, gl.linalg.cholesky, -A if A is singular else
                              gl.array(-singular))
        self.assertRaises(gl.BadArgumentError, gl.linalg.solve, np.zeros((2, 3)), np.zeros(2))
        self.assertRaises(gl.BadArgumentError, gl.linalg.solve, np.eye(2), np.zeros(3))

    def test_qr_and_least_squares(self):
        generator = np.random.default_rng(3)
        for dtype, (m, n) in itertools.product(SOME, [(9, 4), (4, 9), (5, 5), (3, 1)]):
            a = generator.standard_normal((m, n)).astype(dtype)
            for A in (a, gl.array(a), gl.array(a, order="F")):
                q, r = (np.asarray(x) for x in gl.linalg.qr(A))
                k = min(m, n)
                self.assertEqual((q.shape, r.shape), ((m, k), (k, n)))
                self.assertLess(ratio(q @ r - a, m + n, np.abs(a).max(), dtype), 30)
                self.assertLess(ratio(q.conj().T @ q - np.eye(k), m + n, 1, dtype), 30)
                self.assertEqual(np.abs(np.tril(r, -1)).max(), 0)
                b = generator.standard_normal(m).astype(dtype)
                x = np.asarray(gl.linalg.lstsq(A, b if A is a else gl.array(b)))
                wanted = np.linalg.lstsq(a, b, rcond=None)[0]
                np.testing.assert_allclose(x, wanted, atol=2e-3 if dtype == "float32" else 1e-10)

    def test_norms(self):
        for dtype in SOME:
            x = numbers((4, 6), dtype)
            for A in [x, *layouts(x)]:
                for kind in ("fro", 1, np.inf):
                    wanted = np.linalg.norm(x, kind)
                    self.assertAlmostEqual(gl.linalg.norm(A, kind) / wanted, 1, 5)
                self.assertAlmostEqual(gl.linalg.norm(A, "max"), np.abs(x).max(), 5)
            self.assertAlmostEqual(gl.linalg.norm(x[0]), np.linalg.norm(x[0]), 4)


@unittest.skipIf(os.environ.get("GABLE_DEVICE", "").startswith("opencl") and
                 not os.environ.get("GABLE_TEST_ALL"), "on OpenCL only with GABLE_TEST_ALL")
class Spectra(unittest.TestCase):
    """Eigenvalues and singular values, of single matrices and of stacks; residuals as above."""

    def matrices(self, *shapes):
        """Of each shape and type a matrix of numpy and, as numpy, by rows and by columns on the
        device, arrays of it."""
        generator = np.random.default_rng(9)
        for dtype, shape in itertools.product(SOME, shapes):
            a = generator.standard_normal(shape).astype(dtype)
            if "complex" in dtype:
                a = a + 1j * generator.standard_normal(shape)
            for given in (a, np.asfortranarray(a), gl.array(a), gl.array(a, order="F")):
                yield a, given

    def near(self, found, wanted, n, scale, dtype):
        found = np.asarray(found)
        self.assertEqual(found.shape, wanted.shape)
        if wanted.size:
            self.assertLess(ratio(found - wanted, max(n, 1), scale, dtype), 30)

    def test_eigenvalues(self):
        for a, given in self.matrices((7, 7), (1, 1), (0, 0), (2, 3, 4, 4), (2, 0, 3, 3)):
            n, dtype = a.shape[-1], a.dtype
            for uplo in "LU":
                lower = np.tril(a) if uplo == "L" else np.triu(a).conj().swapaxes(-1, -2)
                h = lower + np.tril(lower, -1).conj().swapaxes(-1, -2)
                diagonal = np.arange(n)
                h[..., diagonal, diagonal] = h[..., diagonal, diagonal].real
                kept = np.array(given)
                w, v = gl.linalg.eigh(given, uplo)
                np.testing.assert_array_equal(np.asarray(given), kept)
                self.assertEqual(isinstance(w, gl.Array), isinstance(given, gl.Array))
                self.assertEqual(str(w.dtype), "float32" if dtype == "float32" else "float64")
                scale = n * np.abs(h).max(initial=0)
                wanted = np.linalg.eigvalsh(h)
                self.near(w, wanted, n, scale, dtype)
                self.near(gl.linalg.eigvalsh(given, uplo.lower()), wanted, n, scale, dtype)
                w, v = np.asarray(w), np.asarray(v)
                self.near(v * w[..., None, :], h @ v, n, scale, dtype)
                self.near(v.conj().swapaxes(-1, -2) @ v, np.broadcast_to(np.eye(n), a.shape), n, 1,
                          dtype)

    def test_singular_values(self):
        for a, given in self.matrices((7, 4), (4, 7), (1, 1), (0, 3), (3, 0), (2, 3, 4, 3),
                                      (0, 2, 2)):
            (m, n), dtype = a.shape[-2:], a.dtype
            k, scale, kept = min(m, n), max(m, n) * np.abs(a).max(initial=0), np.array(given)
            wanted = np.linalg.svd(a, compute_uv=False) if a.size else np.zeros(a.shape[:-2] + (k,))
            self.near(gl.linalg.svdvals(given), wanted, k, scale, dtype)
            for full in (True, False):
                u, s, vh = gl.linalg.svd(given, full)
                self.assertEqual({isinstance(x, gl.Array) for x in (u, s, vh)},
                                 {isinstance(given, gl.Array)})
                u, s, vh = (np.asarray(x) for x in (u, s, vh))
                self.assertEqual((u.shape[-2:], vh.shape[-2:]),
                                 ((m, m if full else k), (n if full else k, n)))
                self.near(s, wanted, k, scale, dtype)
                self.near((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], a, m + n, scale, dtype)
                for q in (u.conj().swapaxes(-1, -2) @ u, vh @ vh.conj().swapaxes(-1, -2)):
                    self.near(q, np.broadcast_to(np.eye(q.shape[-1]), q.shape), m + n, 1, dtype)
            np.testing.assert_array_equal(np.asarray(given), kept)

    def test_hermitian(self):
        """From the lower triangle alone; values of either sign."""
        for a, given in self.matrices((5, 5), (0, 0), (3, 4, 4)):
            n, dtype = a.shape[-1], a.dtype
            lower = np.tril(a)
            h = lower + np.tril(lower, -1).conj().swapaxes(-1, -2)
            diagonal = np.arange(n)
            h[..., diagonal, diagonal] = h[..., diagonal, diagonal].real
            scale = n * np.abs(h).max(initial=0)
            s = np.asarray(gl.linalg.svd(given, compute_uv=False, hermitian=True))
            self.near(s, np.sort(np.abs(np.linalg.eigvalsh(h)))[..., ::-1], n, scale, dtype)
            u, t, vh = (np.asarray(x) for x in gl.linalg.svd(given, hermitian=True))
            np.testing.assert_allclose(t, s, rtol=1e-4 if dtype == "float32" else 1e-12)
            self.near((u * t[..., None, :]) @ vh, h, n, scale, dtype)
            self.near(vh @ vh.conj().swapaxes(-1, -2), np.broadcast_to(np.eye(n), h.shape), n, 1,
                      dtype)
            if n:
                inverse = np.asarray(gl.linalg.pinv(given, hermitian=True))
                wanted = np.linalg.inv(h)
                scale = np.linalg.cond(h).max() * np.abs(wanted).max() * n
                self.near(inverse, wanted, n, scale, dtype)
                ranks = gl.linalg.matrix_rank(given, hermitian=True)
                self.assertTrue((np.asarray(ranks) == n).all())

    def test_pinv_rank_cond(self):
        for a, given in self.matrices((6, 4), (3, 5), (2, 4, 3), (0, 3), (2, 3, 0)):
            (m, n), dtype = a.shape[-2:], a.dtype
            found = gl.linalg.pinv(given)
            wanted = np.linalg.pinv(a)
            worst = np.linalg.cond(a).max() if a.size else 1
            scale = worst * np.abs(wanted).max(initial=0) * max(m, n)
            self.near(found, wanted, m + n, scale, dtype)
            self.assertEqual(np.asarray(gl.linalg.matrix_rank(given)).tolist(),
                             np.linalg.matrix_rank(a).tolist() if a.size else
                             np.zeros(a.shape[:-2], int).tolist())
            if a.size:
                for p in (None, 2, -2):
                    np.testing.assert_allclose(np.asarray(gl.linalg.cond(given, p)),
                                               np.linalg.cond(a, p), rtol=1e-3)
            else:
                self.assertRaises(gl.LinAlgError, gl.linalg.cond, given)
        for a, given in self.matrices((4, 4), (2, 3, 3)):
            for p in (1, np.inf, "fro"):
                np.testing.assert_allclose(np.asarray(gl.linalg.cond(given, p)),
                                           np.linalg.cond(a, p), rtol=1e-3)
        low = np.outer(np.arange(1.0, 6), np.arange(1.0, 4))
        for A in (low, gl.array(low)):
            self.assertEqual(gl.linalg.matrix_rank(A), 1)
            self.assertIsInstance(gl.linalg.matrix_rank(A), int)
            self.assertEqual(gl.linalg.matrix_rank(A, tol=1e9), 0)
            self.assertEqual(gl.linalg.matrix_rank(A, rtol=2.0), 0)
            np.testing.assert_allclose(np.asarray(gl.linalg.pinv(A)), np.linalg.pinv(low),
                                       atol=1e-14)
            np.testing.assert_array_equal(np.asarray(gl.linalg.pinv(A, rcond=2.0)), 0)
        for A in (np.ones((3, 3)), gl.full((3, 3), 1)):
            self.assertEqual(gl.linalg.cond(A, 1), np.inf)
            self.assertGreater(gl.linalg.cond(A), 1e15)

    def test_refused(self):
        for A in (np.zeros((2, 3)), gl.zeros((2, 3))):
            for call in (gl.linalg.eigh, gl.linalg.eigvalsh):
                self.assertRaises(gl.BadArgumentError, call, A)
            self.assertRaises(gl.BadArgumentError, gl.linalg.svd, A, hermitian=True)
            self.assertRaises(gl.BadArgumentError, gl.linalg.pinv, A, 1.0, rtol=1.0)
            self.assertRaises(gl.BadArgumentError, gl.linalg.matrix_rank, A, 1.0, rtol=1.0)
            self.assertRaises(gl.BadArgumentError, gl.linalg.cond, A, 1)
            for call in (gl.linalg.svd, gl.linalg.eigh, gl.linalg.matrix_rank, gl.linalg.cond):
                self.assertRaises(gl.BadArgumentError, call, A[0])
        square = np.eye(3)
        self.assertRaises(gl.BadArgumentError, gl.linalg.eigh, square, "X")
        self.assertRaises(gl.BadArgumentError, gl.linalg.cond, square, 3)
        self.assertRaises(gl.NotSupportedError, gl.linalg.svd, np.eye(3, dtype="int64"))
        square[2, 1] = np.nan
        for A in (square, gl.array(square)):
            for call in (gl.linalg.eigh, gl.linalg.eigvalsh, gl.linalg.svd, gl.linalg.svdvals,
                         gl.linalg.pinv, gl.linalg.matrix_rank, gl.linalg.cond):
                self.assertRaises(gl.LinAlgError, call, A)


class Names(unittest.TestCase):
    """gl.blas: every routine by its own name."""

    def test_level_1(self):
        for letter, dtype in zip("sdcz", DTYPES):
            x, y = numbers(6, dtype), numbers(6, dtype, 1)
            a, b = gl.array(x), gl.array(y)
            blas = gl.blas
            getattr(blas, letter + "axpy")(3, 2, a, 2, b, -2)
            y[4::-2] += 2 * x[:6:2]
            same(self, b, y)
            real = {"s": "s", "d": "d", "c": "sc", "z": "dz"}[letter]
            self.assertEqual(getattr(blas, real + "asum")(6, a, 1),
                             np.abs(x.real).sum() + np.abs(x.imag).sum())
            self.assertEqual(getattr(blas, "i%samax" % letter)(6, a, 1),
                             1 + int(np.argmax(np.abs(x.real) + np.abs(x.imag))))
            name = letter + ("dotu" if letter in "cz" else "dot")
            self.assertEqual(getattr(blas, name)(6, a, 1, b, 1), (x * y).sum())
            result = gl.empty((), dtype)
            getattr(blas, name)(6, a, 1, b, 1, result)
            self.assertEqual(result.item(), (x * y).sum())

    def test_level_2_and_3(self):
        for letter, dtype in zip("dc", ("float64", "complex64")):
            x, v, c = numbers((4, 3), dtype), numbers(3, dtype, 1), numbers((4, 4), dtype, 2)
            A, V = gl.array(x, order="F"), gl.array(v)
            y = gl.zeros(4, dtype)
            getattr(gl.blas, letter + "gemv")("N", 4, 3, 1, A, 4, V, 1, 0, y, 1)
            same(self, y, x @ v)
            C = gl.array(c, order="F")
            getattr(gl.blas, letter + "gemm")("N", "C", 4, 4, 3, 1, A, 4, A, 4, 1, C, 4)
            same(self, C, x @ x.conj().T + c)
            host = np.asfortranarray(c)
            getattr(gl.blas, "host_%sgemm" % letter)(111, 113, 4, 4, 3, 1, np.asfortranarray(x), 4,
                                                     np.asfortranarray(x), 4, 1, host, 4)
            same(self, host, x @ x.conj().T + c)
            info = getattr(gl.blas, letter + "potrf")("L", 4, gl.eye(4, dtype), 4)
            self.assertEqual(info, 0)

    def test_refused(self):
        x = gl.zeros(3)
        for call in (lambda: gl.blas.daxpy(3, 1.0, x, 1), lambda: gl.blas.daxpy(3, 1, x, 1, [0.0], 1)):
            self.assertRaises(TypeError, call)
        with self.assertRaises(gl.BadArgumentError) as error:
            gl.blas.daxpy(-1, 1.0, x, 1, gl.zeros(3), 1)
        self.assertIn("gable_daxpy: argument 2 (n) is -1", str(error.exception))
        self.assertRaises(gl.BadArgumentError, gl.blas.saxpy, 3, 1.0, x, 1, x, 1)
        self.assertRaises(gl.BadArgumentError, gl.blas.dgemv, "Q", 1, 1, 1, x, 1, x, 1, 0, x, 1)
        self.assertRaises(AttributeError, lambda: gl.blas.dnothing)
        self.assertIn("y := alpha x + y", gl.blas.daxpy.__doc__)

    def test_every_name(self):
        """Each is in the library with the arguments of the list: called with NULL and zeros it
        answers with a status, a count that it likes or a sentence that names it."""
        self.assertGreater(len(gl.blas.ROUTINES), 500)
        ctx = gl.context()
        for name in gl.blas.ROUTINES:
            routine = getattr(gl.blas, name)
            values = []
            for argument in routine.arguments:
                kind, base = argument["kind"], argument["base"]
                if kind == "enum":
                    values.append({"gable_trans": "N", "gable_uplo": "L", "gable_diag": "N",
                                   "gable_side": "L", "gable_norm": "M", "gable_direct": "F",
                                   "gable_storev": "C", "gable_vect": "Q", "gable_job": "N",
                                   "gable_range": "A"}[base])
                else:
                    values.append(0 if kind in ("size", "bits", "scalar") else None)
            try:
                routine(*values, ctx=ctx)
            except gl.BadArgumentError as error:
                self.assertIn("gable_%s: argument" % name, str(error))


if __name__ == "__main__":
    unittest.main()
